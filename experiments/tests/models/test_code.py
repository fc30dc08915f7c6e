"""A result is known by the code that decides what is learned, and by nothing else."""

import shutil
from pathlib import Path

import pytest

import trisect
from trisect_experiments.models.code import LEARNING, source_digest, trisect_code

ROOT = Path(trisect.__file__).parent


@pytest.fixture
def sources(tmp_path):
    """A copy of the rooms that take part in a fit; call it for their digest."""
    for room in LEARNING:
        shutil.copytree(ROOT / room, tmp_path / room)

    def digest():
        return source_digest(tmp_path.rglob("*.py"), tmp_path)

    digest.folder = tmp_path
    return digest


def test_the_digest_is_that_of_the_library(sources):
    assert trisect_code() == f"trisect {trisect.__version__} {sources()}"


def test_a_docstring_a_comment_or_layout_keeps_the_key(sources):
    before = sources()
    for file in sources.folder.rglob("*.py"):
        text = file.read_text("utf-8").replace('"""', '"""Reworded: ', 1)
        file.write_text(f"{text}\n\n# a comment\n\n\n'''A string that stands alone.'''\n", "utf-8")
    assert sources() == before


@pytest.mark.parametrize("room", LEARNING)
def test_a_changed_constant_changes_the_key(sources, room):
    before = sources()
    file = sources.folder / room / "__init__.py"
    file.write_text(file.read_text("utf-8") + "\n_STEP = 0.1\n", "utf-8")
    added = sources()
    file.write_text(file.read_text("utf-8").replace("0.1", "0.2"), "utf-8")
    assert len({before, added, sources()}) == 3


def test_a_moved_or_removed_file_changes_the_key(sources):
    before = sources()
    file = sources.folder / "growth" / "__init__.py"
    file.rename(file.with_name("elsewhere.py"))
    moved = sources()
    file.with_name("elsewhere.py").unlink()
    assert len({before, moved, sources()}) == 3


def test_what_only_shows_results_does_not_count():
    assert {"plots", "metrics", "cli", "demo"}.isdisjoint(LEARNING)
    assert {path.name for path in ROOT.iterdir()} >= set(LEARNING)
