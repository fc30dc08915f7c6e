"""The plan says how much there is to do, and progress how long it may take."""

import io

import pytest
from entrants import CAPPED, TREE
from rich.console import Console

from trisect_experiments.cli.options import RunOptions, parse_folds
from trisect_experiments.cli.progress import Display, Progress, plan_view
from trisect_experiments.datasets import load_dataset
from trisect_experiments.records import Result
from trisect_experiments.study import Study, Table, plan_study


@pytest.fixture
def planned():
    """Two folds: three configurations and a last fit of one model, one fit of another."""
    table = Table("trees", "Trees", "Trees", (CAPPED, TREE))
    study = Study("Trees", "tree", (table,), ())
    data = load_dataset("ring", n_samples=1_000)
    return plan_study(study, [data], folds=[0, 1])


def printed(progress):
    console = Console(file=io.StringIO(), width=100, highlight=False)
    console.print(plan_view(progress, "2 processes", "s.sqlite"))
    return console.file.getvalue()


def fake(job, seconds=2.0, error=None):
    scores = dict.fromkeys(("accuracy", "validation_accuracy", "validation_auc"), 0.9)
    times = {"train_seconds": seconds, "test_seconds": 0.0}
    return Result(job.key, error=error) if error else Result(job.key, **scores, **times)


def test_an_empty_store(planned):
    text = printed(Progress(planned, [], 2))
    assert "14, of which 0 are in s.sqlite; 14 to do" in text
    assert "known after the first fits" in text and "ring (1,000x2)" in text
    assert "test folds 0 and 1 of 10; seed 0" in text
    assert [line.split() for line in text.splitlines() if line.startswith(" capped")] == [
        ["capped", "trees", "3", "8", "0", "8"]
    ]
    assert max(map(len, text.splitlines())) <= 100


def test_half_done(planned):
    stored = [fake(job) for job in planned.plan.jobs if job.key.model == "capped"]
    stored += [fake(planned.plan.finals(stored)[0])]
    foreign = Result(stored[0].key._replace(seed=99))
    progress = Progress(planned, [*stored, foreign], 2)
    text = printed(progress)
    assert "14, of which 7 are in s.sqlite; 7 to do" in text
    assert "It also holds 1 result of other data, code or settings." in text
    assert progress.remaining == pytest.approx(7.0), "seven fits of two seconds, two at a time"
    assert "about 7.0 s, judged by the fits in the store" in text


def test_failures_may_be_tried_again(planned):
    stored = [fake(planned.plan.jobs[0], error="no")]
    assert Progress(planned, stored).missing == 13
    assert Progress(planned, stored, retry_failed=True).missing == 14


def test_plain_lines_come_now_and_then(planned):
    now = [0.0]
    console = Console(file=io.StringIO(), width=100)
    progress = Progress(planned, [], clock=lambda: now[0])
    jobs = planned.plan.jobs
    with Display(console, progress) as shown:
        for i, job in enumerate(jobs[:6]):
            now[0] += 4.0
            shown.finished(fake(job, seconds=2.0, error="Oops: x\ntrace" if i == 1 else None))
    lines = console.file.getvalue().splitlines()
    assert lines[0] == "1 of 14 fits, 4.0 s"
    assert lines[1] == f"failed: ring, {jobs[1].key.model}, fold 0: Oops: x"
    # Twice the fits' own time goes by, so the rest is expected to take twice as long too.
    assert lines[2].startswith("4 of 14 fits, 16 s, about 5")
    assert len(lines) == 3 and progress.done == 6 and progress.left.total() == 8


def test_a_terminal_gets_a_bar_and_the_failures(planned):
    console = Console(file=io.StringIO(), width=100, force_terminal=True, highlight=False)
    first = planned.plan.jobs[0]
    with Display(console, Progress(planned, [])) as shown:
        shown.finished(fake(first, error="ValueError: bad"))
    text = console.file.getvalue()
    assert "1/14" in text
    assert f"failed: ring, {first.key.model}, fold 0: ValueError: bad" in text


def test_the_estimate_goes_from_the_particular_to_the_general():
    study = Study("Trees", "tree", (Table("trees", "Trees", "Trees", (CAPPED, TREE)),), ())
    small, large = (load_dataset(name, n_samples=n) for name, n in (("ring", 100), ("xor", 400)))
    planned = plan_study(study, [small, large], folds=[0])
    progress = Progress(planned, [])
    assert progress.remaining is None
    capped = [job for job in planned.plan.jobs if job.key[:2] == ("ring", "capped")]
    progress.finished(fake(capped[0], seconds=1.0))
    progress.finished(fake(capped[1], seconds=3.0))
    assert progress.expected("ring", "capped") == 2
    assert progress.expected("xor", "capped") == 8, "four times the cells"
    assert progress.expected("xor", "tree") == 2, "nothing is known of it but the average"
    progress.finished(fake(capped[2], error="x"))
    assert progress.expected("ring", "capped") == 2


def test_folds_and_processes():
    assert parse_folds(["3,7", "0-1"]) == [0, 1, 3, 7]
    with pytest.raises(ValueError, match="'4-2' is neither"):
        parse_folds(["4-2"])
    assert RunOptions().n_jobs == 1 and RunOptions(quick=True).n_jobs == -1
    assert RunOptions(quick=True, jobs=1).n_jobs == 1
