"""A whole report from a small made-up store."""

import csv
import json
import re

import pytest
from made_up import levels, outcome, scored

from trisect_experiments.datasets import load_dataset
from trisect_experiments.records import Result
from trisect_experiments.report import write_report
from trisect_experiments.report.machine import machine
from trisect_experiments.report.ranking import network_ranks
from trisect_experiments.store import ResultStore
from trisect_experiments.study import make_study

BASES = {"STWD-SFNN": 0.95, "LightGBM": 0.97}


@pytest.fixture(scope="module")
def study():
    data = [load_dataset(name, n_samples=200) for name in ("ring", "xor", "parity")]
    return make_study(["all"], data, folds=[0, 1], limit=1)


@pytest.fixture(scope="module")
def store(study, tmp_path_factory):
    with ResultStore(tmp_path_factory.mktemp("store") / "made-up.sqlite") as opened:
        for i, job in enumerate(study.plan.jobs):
            if job.key.model == "MLP" and job.key.fold == 1:
                opened.add(Result(job.key, error="ValueError: no\nline 1"))
                continue
            details = {}
            if job.key.model == "STWD-SFNN":
                details = {"levels": levels([10, 30, 60], [10, 20, 20])}
            score = BASES.get(job.key.model, 0.8) - 0.001 * (i % 7)
            opened.add(scored(job.key, score, details=details))
        yield opened


@pytest.fixture(scope="module")
def report(study, store, tmp_path_factory):
    folder = tmp_path_factory.mktemp("out") / "report"
    return write_report(study, store, folder, command="trisect reproduce all", date="2030-01-02")


def test_every_page_is_there_and_every_link_leads_somewhere(report):
    held = {path.relative_to(report).as_posix() for path in report.rglob("*") if path.is_file()}
    tables = ("static", "dynamic", "classic", "twd-5fold", "modern")
    expected = {f"{name}.{suffix}" for name in tables for suffix in ("md", "csv", "tex")}
    expected |= {"README.md", "answers.md", "statistics.md", "datasets.md", "ranks.csv"}
    expected |= {"datasets.csv", "datasets.tex"}
    expected |= {"failures.md", "report.json"}
    assert expected <= held
    stems = {f"roc-{name}" for name in tables}
    stems |= {"process-costs", "accuracy-by-nodes", "thresholds"}
    stems |= {"ranks-networks-accuracy", "ranks-all-auc"}
    assert {f"figures/{s}.{x}" for s in stems for x in ("svg", "png")} <= held
    for page in report.glob("*.md"):
        for link in re.findall(r"\]\(([^)]+)\)", page.read_text()):
            assert link in held, f"{page.name} links to {link}"
    manifest = json.loads((report / "report.json").read_text())
    assert set(manifest["files"]) == held - {"report.json"}
    assert manifest["date"] == "2030-01-02"


def test_the_first_page(report, study):
    text = (report / "README.md").read_text()
    assert "```\ntrisect reproduce all\n```" in text and "2030-01-02." in text
    assert "3 datasets (ring, xor and parity), test folds 0 and 1 of 10" in text
    assert f"{study.plan.n_fits} of {study.plan.n_fits} fits done, 3 of them failed" in text
    assert "| STWD-SFNN | 12 | 0 | 18 s |" in text, "six fits of ten folds, six of five"
    assert "| MLP | 6 | 3 | 4.5 s |" in text
    for name, value in machine().items():
        assert f"| {name} | {value} |" in text
    assert "/tmp" not in text


def test_the_tables(report):
    with (report / "modern.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [r["model"] for r in rows[:4]] == [
        "LightGBM",
        "HistGradientBoosting",
        "MLP",
        "STWD-SFNN",
    ]
    assert {r["folds"] for r in rows if r["model"] == "MLP"} == {"1"}
    assert 94 < float(rows[3]["accuracy"]) <= 95
    assert "5 particles" in (report / "dynamic.md").read_text(), "limits are in the foot"


def test_the_answers(report):
    text = (report / "answers.md").read_text()
    assert [int(n) for n in re.findall(r"^## RQ (\d)", text, re.M)] == [1, 2, 3, 4, 5, 6]
    assert "A quick look" in text and "With 3 datasets no difference could pass" in text
    assert "test cost grows with every level on 3 of 3 datasets" in text
    assert "| ring | 2 | 3.0 | 10 | 60 | 4 / 0 / 0 | 10 | 20 | 2 / 2 / 0 |" in text
    assert "No dataset of this run has figures in the paper's tables." in text


def test_the_statistics(report):
    text = (report / "statistics.md").read_text()
    assert "## Network models of the paper" in text and "critical difference" in text
    with (report / "ranks.csv").open() as file:
        ranks = {(r["group"], r["metric"], r["model"]): r for r in csv.DictReader(file)}
    assert float(ranks["all", "accuracy", "LightGBM"]["average_rank"]) == 1
    assert float(ranks["networks", "auc", "STWD-SFNN"]["average_rank"]) == 1


def test_the_place_among_networks_goes_both_ways(report):
    text = (report / "answers.md").read_text()
    assert (
        "- By accuracy, over 3 datasets, its average rank is place 1 of 8: STWD-SFNN 1.00" in text
    )
    behind = outcome({"STWD-SFNN": 0.5, "GS-SFNN": 0.9})
    text = network_ranks({"static": outcome({"m1-SFNN-R": 0.7}), "dynamic": behind})
    assert "place 3 of 3: GS-SFNN 1.00, m1-SFNN-R 2.00, STWD-SFNN 3.00." in text
    assert "Not asked" in network_ranks({"static": behind})
    assert "No answer" in network_ranks({"static": [], "dynamic": []})


def test_the_same_store_gives_the_same_report(study, store, report, tmp_path):
    again = write_report(
        study, store, tmp_path / "again", command="trisect reproduce all", date="2030-01-02"
    )
    for path in report.rglob("*"):
        if path.is_file():
            assert path.read_bytes() == (again / path.relative_to(report)).read_bytes(), path.name


def test_an_empty_store_still_makes_a_report(study, tmp_path):
    with ResultStore(":memory:") as nothing:
        folder = write_report(study, nothing, tmp_path / "empty")
    assert "0 of" in (folder / "README.md").read_text()
    assert "No answer" in (folder / "answers.md").read_text()
