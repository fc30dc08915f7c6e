"""The command from end to end, on data that needs no download."""

import signal
import sys

import pytest

from trisect_experiments.store import ResultStore

SMALL = ("--datasets", "xor", "--quick", "--jobs", "1")
LONG = ("reproduce", "classic", "--models", "SVC", "RF", "KNN", "--datasets", "breast-cancer")
LONG += ("--folds", "0", "--jobs", "1")


@pytest.mark.slow
def test_a_quick_run_on_a_fresh_clone(process, tmp_path):
    child = process("reproduce", "dynamic", "modern", *SMALL, "--models", "stwd-sfnn-ref", "light")
    output, _ = child.communicate(timeout=300)
    assert child.returncode == 0, output
    assert "Fits      4, of which 0 are in trisect-results.sqlite; 4 to do" in output
    assert "4 of 4 fits" in output and "\x1b" not in output, "plain lines when not a terminal"
    report = tmp_path / "trisect-report"
    for name in ("dynamic.md", "modern.csv", "dynamic.tex", "answers.md", "statistics.md"):
        assert (report / name).read_text().strip()
    for stem in ("process-costs", "accuracy-by-nodes", "thresholds"):
        stem += "-stwd-sfnn-refined"
        assert (report / "figures" / f"{stem}.png").stat().st_size > 1000
    readme = (report / "README.md").read_text()
    assert "trisect reproduce dynamic modern --datasets xor --quick --jobs 1" in readme
    assert "A quick look: at most 1 configuration per model" in readme
    assert "All of them took " in readme and " on 1 process." in readme
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".trisect")]


def test_what_is_stored_is_not_computed_again(command):
    run = ("reproduce", "classic", *SMALL, "--models", "KNN")
    code, output, _ = command(*run)
    assert code == 0 and "Computed 2 fits" in output
    code, output, _ = command(*run, "SVC")
    assert code == 0 and "4, of which 2 are in trisect-results.sqlite; 2 to do" in output
    code, output, _ = command(*run, "SVC")
    assert "nothing to compute" in output and "Computed 0 fits" in output


def test_a_report_is_rebuilt_elsewhere_from_saved_results(command, tmp_path):
    run = ("reproduce", "classic", *SMALL, "--models", "KNN", "--report-only")
    code, output, _ = command(*run[:-1], "--save", "results.jsonl.xz")
    assert code == 0 and "2 results saved in results.jsonl.xz." in output
    first = tmp_path / "trisect-report"
    code, output, _ = command(
        *run, "--load", "results.jsonl.xz", "--store", "new.sqlite", "--out", "again"
    )
    assert code == 0 and "2, of which 2 are in new.sqlite" in output
    for name in ("classic.csv", "answers.md", "figures/roc-classic.svg"):
        assert (tmp_path / "again" / name).read_text() == (first / name).read_text()


def test_a_folder_that_results_cannot_be_saved_in_is_found_before_the_run(command, tmp_path):
    run = ("reproduce", "classic", *SMALL, "--models", "KNN", "--save", "no/results.jsonl.xz")
    code, _, errors = command(*run)
    assert code == 2 and "there is no folder no" in errors
    assert not (tmp_path / "trisect-results.sqlite").exists()


def first_fit(child):
    """Wait until a fit is stored."""
    for line in child.stdout:
        if line.startswith("1 of "):
            return
    raise AssertionError("it ended before its first fit")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_interrupted_by_the_user(process, tmp_path):
    child = process(*LONG)
    first_fit(child)
    child.send_signal(signal.SIGINT)
    output, _ = child.communicate(timeout=60)
    assert child.returncode == 130 and "Traceback" not in output
    with ResultStore(tmp_path / "trisect-results.sqlite") as store:
        safe = len(store)
    assert f"Stopped. {safe} of 24 fits are safe in trisect-results.sqlite." in output
    assert f"trisect {' '.join(LONG)}" in output
    assert not (tmp_path / "trisect-report").exists()


def test_only_the_plan_and_only_the_report(command, tmp_path):
    run = ("reproduce", "classic", *SMALL, "--models", "KNN")
    code, output, _ = command(*run, "--dry-run")
    assert code == 0 and "2 to do" in output and "Computed" not in output
    assert not (tmp_path / "trisect-report").exists()
    command(*run)
    code, output, _ = command(*run, "RF", "--report-only", "--out", "partial")
    assert code == 0 and "Computed" not in output
    assert "2 of 4 fits done" in (tmp_path / "partial" / "README.md").read_text()


def test_the_ablation_has_its_own_table(command, tmp_path):
    variants = ("refined", "algorithm-1", "fixed-thresholds")
    code, output, _ = command("ablate", *SMALL, "--models", *variants)
    assert code == 0, output
    text = (tmp_path / "trisect-ablation" / "ablation.md").read_text()
    assert all(f"| {name} |" in text for name in variants)
    assert "in brackets" not in text and "| Cost of 1,000 decisions | Nodes walked (%) |" in text
    assert "Mean over 2 folds." in text and "a false acceptance costs 5, a false" in text
    answers = (tmp_path / "trisect-ablation" / "answers.md").read_text()
    assert "the same costs at every level" in answers and "With 1 dataset no difference" in answers


def test_files_of_ones_own(command, tmp_path):
    rows = [f"{i},{i % 7},{'yes' if i % 3 else 'no'}" for i in range(90)]
    (tmp_path / "own.csv").write_text("\n".join(["a,b,label", *rows]))
    run = ("reproduce", "classic", "--models", "KNN", "--quick", "--jobs", "1")
    code, output, _ = command(*run, "--datasets", "own.csv", "--target", "label")
    assert code == 0 and "own (90x2)" in output
