"""The plan says how much there is to do, and how long it may take."""

import io

import pytest
from rich.console import Console

from trisect_experiments.cli.display import LiveDisplay, PlainDisplay, display
from trisect_experiments.cli.options import RunOptions, parse_folds
from trisect_experiments.cli.planning import Outlook, print_plan
from trisect_experiments.datasets import load_dataset
from trisect_experiments.records import Result
from trisect_experiments.runner import RunSummary
from trisect_experiments.study import make_study


@pytest.fixture
def study():
    data = load_dataset("ring", n_samples=15_000)
    return make_study(["classic"], [data], models=["KNN", "RF"], folds=[0, 1])


def printed(outlook, workers=2):
    console = Console(file=io.StringIO(), width=100, highlight=False)
    print_plan(console, outlook, "2 processes", workers, "s.sqlite")
    return console.file.getvalue()


def fake(job, seconds=2.0, error=None):
    if error:
        return Result(job.key, error=error)
    scores = dict.fromkeys(("accuracy", "validation_accuracy", "validation_auc"), 0.9)
    return Result(job.key, **scores, train_seconds=seconds, test_seconds=0.0)


def test_an_empty_store(study):
    outlook = Outlook(study, [])
    text = printed(outlook)
    # KNN: 8 configurations and a last fit; RF: one fit; two folds.
    assert "20, of which 0 are in s.sqlite; 20 to do" in text
    assert "known after the first fits" in text and "ring (15,000x2)" in text
    assert "test folds 0 and 1 of 10; seed 0" in text
    assert [line.split() for line in text.splitlines() if line.startswith(" KNN")] == [
        ["KNN", "classic", "8", "18", "0", "18"]
    ]
    assert max(map(len, text.splitlines())) <= 100


def test_half_done(study):
    stored = [fake(job) for job in study.plan.jobs if job.key.model == "KNN"]
    stored += [fake(study.plan.finals(stored)[0])]
    foreign = Result(stored[0].key._replace(seed=99))
    outlook = Outlook(study, [*stored, foreign])
    text = printed(outlook)
    assert "20, of which 17 are in s.sqlite; 3 to do" in text
    assert "1 result of other data, code or settings in it are left alone" in text
    assert outlook.remaining(2) == pytest.approx(3.0), "three fits of two seconds, two at a time"
    assert "about 3.0 s, judged by the fits in the store" in text


def test_failures_may_be_tried_again(study):
    stored = [fake(study.plan.jobs[0], error="no")]
    assert len(Outlook(study, stored).left) == 19
    assert len(Outlook(study, stored, retry_failed=True).left) == 20


def test_plain_lines_come_now_and_then(study):
    now = [0.0]
    console = Console(file=io.StringIO(), width=100)
    shown = PlainDisplay(console, Outlook(study, []), 1, clock=lambda: now[0])
    jobs = study.plan.jobs
    shown.planned(20, 20)
    for i, job in enumerate(jobs[:6]):
        shown.dispatched(job)
        now[0] += 4.0
        shown.finished(fake(job, seconds=2.0, error="Oops: x\ntrace" if i == 1 else None))
    lines = console.file.getvalue().splitlines()
    assert lines[0] == "1 of 20 fits, 4.0 s"
    assert lines[1] == f"failed: ring, {jobs[1].key.model}, fold 0: Oops: x"
    # Twice the fits' own time goes by, so the rest is expected to take twice as long too.
    assert lines[2].startswith("4 of 20 fits, 16 s, about 1 min 2")
    assert len(lines) == 3 and shown.done == 6 and len(shown.outlook.left) == 14


def test_the_live_display_shows_what_runs_and_what_failed(study):
    console = Console(file=io.StringIO(), width=100, force_terminal=True)
    shown = display(console, Outlook(study, []), 2)
    assert isinstance(shown, LiveDisplay)
    shown.planned(20, 20)
    first, second, third, fourth = study.plan.jobs[:4]
    for job in (first, second, third, fourth):
        shown.dispatched(job)
    shown.finished(fake(first, error="ValueError: bad"))
    plain = Console(file=io.StringIO(), width=100)
    plain.print(shown.render())
    text = plain.file.getvalue()
    assert "1/20" in text and text.count("  now  ") == 2, "what waits for a worker is not shown"
    assert f"failed  ring, {first.key.model}, fold 0: ValueError: bad" in text
    assert max(map(len, text.splitlines())) <= 100
    shown.ended(RunSummary(20, 20, 1, 1.0))
    assert not shown.running


def test_folds_and_processes():
    assert parse_folds(["3", "0-1"]) == [0, 1, 3]
    with pytest.raises(ValueError, match="'4-2' is neither"):
        parse_folds(["4-2"])
    assert RunOptions().n_jobs == 1 and RunOptions(quick=True).n_jobs == -1
    assert RunOptions(quick=True, jobs=1).n_jobs == 1
