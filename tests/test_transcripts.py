"""The commands that pages show are run, and print what stands there.

A line of three dots stands for any lines, or none. Where figures have changed for a good reason,
this writes the new ones into the pages:

    python tests/test_transcripts.py
"""

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from pathlib import Path

import pytest

from trisect.cli import main

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "docs" / "guide" / "deploy.md"]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
ANY = "..."


def transcripts(page):
    """The commands of a page that can be run here, each with the lines that it is to print."""
    for block in BLOCK.finditer(page.read_text()):
        for command in COMMAND.finditer(block[1]):
            words = shlex.split(command[1].replace("\\\n", " "))
            if words[0] in ("trisect", "head"):
                yield words, command[2].splitlines()


def printed(words):
    """Run a command; returns the lines that a person sees."""
    if words[0] == "head":
        return Path(words[-1]).read_text().splitlines()[: int(words[2])]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        assert main(words[1:]) == 0, err.getvalue()
    return (err.getvalue() + out.getvalue()).splitlines()


def agrees(shown, lines):
    """Whether lines are those that are shown, with any others for three dots."""
    if not shown:
        return not lines
    if shown[0] == ANY:
        return any(agrees(shown[1:], lines[i:]) for i in range(len(lines) + 1))
    return bool(lines) and shown[0] == lines[0].rstrip() and agrees(shown[1:], lines[1:])


def test_three_dots_stand_for_any_lines():
    assert agrees(["a", ANY, "d"], ["a", "b", "c", "d"]) and agrees([ANY], [])
    assert not agrees(["a", ANY, "d"], ["a", "d", "e"]) and not agrees([], ["a"])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_shows_what_is_printed(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    commands = list(transcripts(page))
    assert len(commands) >= 3
    for words, shown in commands:
        lines = printed(words)
        assert agrees(shown, lines), "\n".join([shlex.join(words), *lines])


def refreshed(shown, lines):
    """The lines that are shown with the figures that were printed."""
    rest, found = iter(lines), []
    for line in shown:
        if line != ANY:
            pattern = without_figures(line)
            line = next((new for new in rest if without_figures(new) == pattern), None)
            if line is None:
                raise ValueError(f"Nothing like this was printed: {pattern}")
        found.append(line.rstrip())
    return found


def without_figures(line):
    return re.sub(r"\s*[\d.,]*\d", " #", line.rstrip())


def refresh():
    """Write new figures into the pages."""
    os.environ["COLUMNS"] = "100"
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            for words, shown in list(transcripts(page)):
                lines = printed(words)
                new = lines if words[0] == "head" else refreshed(shown, lines)
                if new != shown:
                    text = page.read_text()
                    page.write_text(text.replace("\n".join(shown), "\n".join(new), 1))


if __name__ == "__main__":
    sys.exit(refresh())
