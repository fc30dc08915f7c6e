"""The code of the README and of the user guide runs, top to bottom, and prints what it shows."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/guide/*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)#:]+)\)")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.usefixtures("pyplot")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = page.read_text()
    names = {"__name__": page.stem}
    for block in BLOCK.finditer(text):
        code, line = block.group(1), text[: block.start(1)].count("\n")
        if code.startswith(">>>"):
            run_session(code, names, page, line)
        else:
            # Blank lines in front, so that a failure names the line of the page.
            exec(compile("\n" * line + code, page, "exec"), names)


def run_session(code, names, page, line):
    """Run a block with prompts, and compare what it prints."""
    test = doctest.DocTestParser().get_doctest(code, names, page.name, str(page), line)
    test.globs = names  # shared by all blocks of the page; a test has a copy of its own
    report = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test, out=report.append, clear_globs=False)
    assert runner.failures == 0, "".join(report)


@pytest.mark.parametrize("page", [*PAGES, ROOT / "docs" / "README.md"], ids=str)
def test_links_lead_somewhere(page):
    missing = [link for link in LINK.findall(page.read_text()) if not (page.parent / link).exists()]
    assert not missing
