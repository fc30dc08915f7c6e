"""The code blocks of the user guide run, top to bottom, and print what they show."""

import doctest
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "docs" / "guide"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture(autouse=True)
def _close_figures():
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    yield
    plt.close("all")


@pytest.mark.parametrize("page", sorted(FOLDER.glob("*.md")), ids=lambda page: page.stem)
def test_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = page.read_text()
    # Other lines are left blank, so that a failure names the line of the page.
    lines = [""] * len(text.splitlines())
    for block in BLOCK.finditer(text):
        start = text[: block.start(1)].count("\n")
        for offset, line in enumerate(block.group(1).splitlines()):
            lines[start + offset] = line
    test = doctest.DocTestParser().get_doctest("\n".join(lines), {}, page.name, str(page), 0)
    if not test.examples:
        pytest.skip("a page without Python")
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    report = []
    runner = doctest.DocTestRunner(optionflags=flags)
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)
