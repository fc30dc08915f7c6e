"""A report folder is whole or not there."""

import json

import pytest

from trisect_experiments.report.swapping import check_target, swapped_folder


def write(folder, text):
    with swapped_folder(folder) as target:
        (target / "a.md").write_text(text)
        (target / "figures").mkdir()
        (target / "figures" / "f.svg").write_text(text)


def test_made_and_replaced_as_a_whole(tmp_path):
    report = tmp_path / "deep" / "report"
    write(report, "one")
    assert json.loads((report / "report.json").read_text())["files"] == ["a.md", "figures/f.svg"]
    with swapped_folder(report) as target:
        (target / "b.md").write_text("two")
        assert (report / "a.md").read_text() == "one", "the old one stands until the new is done"
    assert {path.name for path in report.iterdir()} == {"b.md", "report.json"}
    assert [path.name for path in report.parent.iterdir()] == ["report"], "nothing is left over"


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_an_error_changes_nothing(tmp_path, error):
    report = tmp_path / "report"

    def fail():
        with swapped_folder(report) as target:
            (target / "a.md").write_text("half")
            raise error

    with pytest.raises(error):
        fail()
    assert not report.exists()
    write(report, "one")
    with pytest.raises(error):
        fail()
    assert (report / "a.md").read_text() == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def test_a_failed_swap_puts_the_old_report_back(tmp_path, monkeypatch):
    report = tmp_path / "report"
    write(report, "one")
    rename = type(report).rename

    def refuse(self, target):
        if "-new-" in self.name:
            raise OSError("disk on fire")
        return rename(self, target)

    monkeypatch.setattr(type(report), "rename", refuse)
    with pytest.raises(OSError, match="on fire"):
        write(report, "two")
    assert (report / "a.md").read_text() == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def test_other_peoples_files_are_refused(tmp_path):
    report = tmp_path / "report"
    write(report, "one")
    assert check_target(report) == report
    (report / "notes.txt").write_text("mine")
    with pytest.raises(FileExistsError, match=r"no report wrote \(notes.txt\)"):
        write(report, "two")
    assert (report / "notes.txt").read_text() == "mine"
    with pytest.raises(FileExistsError, match="is a file"):
        check_target(report / "notes.txt")
    (tmp_path / "empty").mkdir()
    check_target(tmp_path / "empty")
