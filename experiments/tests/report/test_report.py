"""A whole report of a made-up store: every page, link and number is there."""

import csv
import json
import re
import shutil
import subprocess
from itertools import pairwise

import numpy as np
import pytest
from studies import STUDY, levels, scored

from trisect_experiments.datasets import Dataset
from trisect_experiments.records import Result
from trisect_experiments.report import write_report
from trisect_experiments.report.machine import machine
from trisect_experiments.store import ResultStore
from trisect_experiments.study import plan_study

BASES = {"tree": 0.95, "stump": 0.85, "bayes": 0.8}


@pytest.fixture(scope="module")
def planned():
    rng = np.random.default_rng(0)
    y = np.tile([0, 1, 0], 20)
    data = [
        Dataset("a", rng.normal(size=(60, 2)), y, ("x", "y"), "Dataset A", notes="50 % _odd_."),
        Dataset("b", rng.normal(size=(60, 2)), y, ("x", "y"), "Dataset B", subset_of="a"),
        Dataset("c", rng.normal(size=(60, 2)), y, ("x", "y"), "Dataset C", subset_of="z"),
    ]
    return plan_study(STUDY, data, folds=[0, 1], limit=1)


@pytest.fixture(scope="module")
def store(planned):
    with ResultStore(":memory:") as opened:
        for i, job in enumerate(planned.plan.jobs):
            if job.key.model == "stump" and job.key.fold == 1 and job.key.dataset == "c":
                opened.add(Result(job.key, error="ValueError: no\nline 1"))
                continue
            details = {}
            if job.key.model == "tree":
                details = {"levels": levels([10, 30, 60], [10, 20, 20])}
            opened.add(scored(job.key, BASES[job.key.model] - 0.001 * (i % 7), details=details))
        yield opened


@pytest.fixture(scope="module")
def report(planned, store, tmp_path_factory):
    folder = tmp_path_factory.mktemp("out") / "report"
    return write_report(planned, store, folder, command="trisect trees", date="2030-01-02")


def test_every_page_is_there_and_every_link_leads_somewhere(report):
    held = {path.relative_to(report).as_posix() for path in report.rglob("*") if path.is_file()}
    expected = {f"{n}.{s}" for n in ("trees", "few", "datasets") for s in ("md", "csv", "tex")}
    expected |= {"README.md", "answers.md", "statistics.md", "ranks.csv", "failures.md"}
    stems = {"roc-trees", "roc-few"}
    stems |= {f"{kind}-tree" for kind in ("process-costs", "accuracy-by-nodes", "thresholds")}
    stems |= {"ranks-trees-accuracy", "ranks-trees-auc", "ranks-both-auc"}
    expected |= {f"figures/{stem}.{suffix}" for stem in stems for suffix in ("svg", "png")}
    assert expected | {"report.json"} <= held
    for page in report.glob("*.md"):
        for link in re.findall(r"\]\(([^)]+)\)", page.read_text()):
            assert link in held, f"{page.name} links to {link}"
    manifest = json.loads((report / "report.json").read_text())
    assert set(manifest["files"]) == held - {"report.json"}
    assert manifest["date"] == "2030-01-02" and manifest["command"] == "trisect trees"


def test_the_lines_of_a_markdown_table_have_as_many_cells(report):
    for page in report.glob("*.md"):
        for before, after in pairwise(page.read_text().splitlines()):
            both = before.startswith("|") and after.startswith("|")
            assert not both or before.count("|") == after.count("|"), f"{page.name}: {after}"


def test_the_first_page(report, planned):
    text = (report / "README.md").read_text()
    assert text.startswith("# Trees\n\n```\ntrisect trees\n```\n\n2030-01-02. 3 datasets (a, b")
    assert "(a, b and c), test folds 0 and 1 of 10, and test folds 0 and 1 of 5 in few" in text
    assert f"{planned.plan.n_fits} of {planned.plan.n_fits} fits done, 1 of them failed" in text
    assert "at most 1 configuration per model, so nothing was tuned." in text
    assert "| tree | 12 | 0 | 18 s |" in text, "six fits of ten folds, six of five"
    assert "| stump | 6 | 1 | 7.5 s |" in text and "| **all** | 30 | 1 | 44 s |" in text
    for name, value in machine().items():
        assert f"| {name} | {value} |" in text


def test_the_tables(report):
    with (report / "trees.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["model"] for row in rows[:3]] == ["stump", "bayes", "tree"]
    assert 94 < float(rows[2]["accuracy"]) <= 95 and rows[2]["majority"] == "66.6667"
    assert rows[2]["accuracy_published"] == "83.66" and rows[1]["accuracy_published"] == ""
    text = (report / "trees.md").read_text()
    assert re.search(r"\n\|  \|  \| tree \| \*\*94\.\d\d\*\* \(83\.66\) \|", text)
    assert "Mean over 1 to 2 folds; in brackets the published figure. Times" in text
    assert "- stump: one split." in text and "- b: Read with care." in text
    assert "published" not in (report / "few.md").read_text()


def test_the_answers(report):
    text = (report / "answers.md").read_text()
    assert "## Is a tree better?" in text and "Trees are trees." in text
    assert "With 3 datasets no difference could be significant, however large" in text
    assert "b is a selection of the rows of a; both count." in text and "of z" not in text
    assert "**Five folds.** With" in text
    assert "It has 4.0 nodes on average (stump 4.0 and bayes 4.0)." in text
    assert "in 6 of 6 pairs of dataset and rival; in the published figures, which cover 2" in text
    assert "| stump | accuracy | 3 / 0 / 0 | +" in text


def test_the_statistics(report):
    text = (report / "statistics.md").read_text()
    assert "## Both tables" in text and "critical difference" in text
    with (report / "ranks.csv").open() as file:
        ranks = {(r["group"], r["metric"], r["model"]): r for r in csv.DictReader(file)}
    assert float(ranks["trees", "accuracy", "tree"]["average_rank"]) == 1
    assert float(ranks["both", "auc", "bayes"]["average_rank"]) == 3


def test_the_datasets_and_failures(report):
    text = (report / "datasets.md").read_text()
    assert "| Dataset A | a | 60 | 2 | 40 / 20 | 66.67 | 50 % _odd_. |" in text
    with (report / "datasets.csv").open() as file:
        row = next(csv.DictReader(file))
    assert (row["name"], row["rows"], row["label_1"]) == ("a", "60", "20")
    failures = (report / "failures.md").read_text()
    assert "## c, stump, fold 1 (10-fold)" in failures and "ValueError: no\nline 1" in failures


def test_latex(report, tmp_path):
    text = (report / "trees.tex").read_text()
    assert re.search(r"& tree & \\textbf\{94\.\d\d\} \(83\.66\)", text)
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert rows[0] == r"\caption{Trees and stumps} \\" and len(rows) == 3 + 9
    assert {line.count("&") for line in rows[1:]} == {7}
    datasets = (report / "datasets.tex").read_text()
    assert r"a: 50 \% \_odd\_." in text and r"Dataset A & a & 60 & 2 & 40 / 20 &" in datasets


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_latex_compiles(report, tmp_path):
    source = tmp_path / "t.tex"
    head = r"\documentclass{article}\usepackage{longtable}\begin{document}"
    parts = [(report / f"{name}.tex").read_text() for name in ("trees", "few", "datasets")]
    source.write_text("\n".join([head, *parts, r"\end{document}"]))
    run = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", source.name]
    assert subprocess.run(run, cwd=tmp_path, capture_output=True).returncode == 0


@pytest.mark.slow
def test_the_same_store_gives_the_same_report(planned, store, report, tmp_path):
    again = write_report(
        planned, store, tmp_path / "again", command="trisect trees", date="2030-01-02"
    )
    for path in report.rglob("*"):
        twin = again / path.relative_to(report)
        assert path.is_dir() or path.read_bytes() == twin.read_bytes(), path.name


def test_an_empty_store_still_makes_a_report(planned, tmp_path):
    with ResultStore(":memory:") as nothing:
        folder = write_report(planned, nothing, tmp_path / "empty")
    assert "0 of 30 fits done." in (folder / "README.md").read_text()
    assert "No answer: tree and stump and bayes have" in (folder / "answers.md").read_text()
