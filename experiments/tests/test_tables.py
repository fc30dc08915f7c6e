"""Tables show our mean and interval, the best in bold, and the paper's figure beside."""

import csv
import io
import shutil
import subprocess

import numpy as np
import pytest

from trisect_experiments.datasets import Dataset, load_dataset
from trisect_experiments.published import TABLES, published
from trisect_experiments.records import Key, Result
from trisect_experiments.rendering import (
    datasets_csv,
    datasets_latex,
    datasets_markdown,
    to_csv,
    to_latex,
    to_markdown,
    write_table,
)
from trisect_experiments.tables import result_table


def dataset(name):
    return Dataset(name, np.zeros((4, 1)), np.array([1, 1, 1, 2]), ("f0",), notes=f"about_{name}")


def result(data, model, fold, accuracy, nodes=float("nan")):
    key = Key(data, model, "10-fold", fold, "{}", 0, "", "")
    scores = (accuracy, accuracy, accuracy, accuracy, accuracy)
    return Result(key, *scores, train_seconds=1.5, test_seconds=0.002, nodes=nodes)


@pytest.fixture
def table():
    outcome = [result("EOL", "STWD-SFNN", f, 0.98 + 0.001 * f, 3.0) for f in range(10)]
    outcome += [result("EOL", "RF", f, 0.95) for f in range(10)]
    outcome += [
        result("own", "RF", 0, 0.5),
        Result(Key("own", "KNN", "", 0, "", 0, "", ""), error="x"),
    ]
    return result_table("classic", outcome, [dataset("EOL"), dataset("own")], notes=["Capped."])


def test_the_published_figures_are_complete():
    import trisect_experiments.published as module

    rows = module._rows()
    assert len(rows) == 225 and {table for table, _, _ in rows} == set(TABLES)
    assert published("classic", "SB", "STWD-SFNN")["accuracy"].mean == 65.80
    assert published("static", "ONP", "m1-SFNN")["accuracy"] == (85.43, 0.37)
    assert published("static", "ONP", "m1-SFNN-R")["accuracy"] == (85.43, 0.37)
    assert published("static", "PCB-complete", "STWD-SFNN")["accuracy"].mean == 97.31
    assert np.isnan(published("static", "ONP", "STWD-SFNN")["auc"].half_width)


def test_markdown(table):
    lines = to_markdown(table).splitlines()
    assert lines[0] == "# Comparison of other classification models and STWD-SFNN"
    first, second, third = lines[4:7]
    half = 2.262157 * np.std(0.1 * np.arange(10), ddof=1) / np.sqrt(10)
    assert first.startswith(f"| EOL | 75.00 | STWD-SFNN | **98.45 ± {half:.2f}** (83.66) |")
    assert second.startswith("|  |  | RF | 95.00 ± 0.00 (")
    assert " - (" not in second and second.endswith("| - |")
    assert third.startswith("| own | 75.00 | RF | 50.00 |"), "one fold has no interval"
    assert "- Capped." in lines and "- EOL: about_EOL" in lines
    assert "over 1 to 10 folds" in lines[8]


def test_ties_and_the_lower_the_better(table):
    rows = {(r.dataset, r.model): r for r in table.rows}
    ours, forest = rows["EOL", "STWD-SFNN"], rows["EOL", "RF"]
    assert [c.best for c in ours.cells] == [True, True, True, True, True, False], (
        "one count of nodes"
    )
    assert [c.best for c in forest.cells] == [False, False, False, True, True, False]


def test_csv_has_plain_numbers(table):
    first, second, third = csv.DictReader(io.StringIO(to_csv(table)))
    assert (first["dataset"], first["model"], first["folds"]) == ("EOL", "STWD-SFNN", "10")
    assert float(first["accuracy"]) == pytest.approx(98.45)
    assert float(first["accuracy_paper"]) == 83.66 and float(first["majority"]) == 75
    assert second["nodes"] == "" and third["accuracy_pm"] == third["accuracy_paper"] == ""


def test_latex(table, tmp_path):
    text = to_latex(table)
    assert r"\textbf{98.45 $\pm$ 0.22} (83.66)" in text and r"about\_EOL" in text
    lines = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert lines[0].startswith(r"\caption") and len(lines) == 3 + len(table.rows)
    assert {line.count("&") for line in lines[1:]} == {7}
    if shutil.which("pdflatex"):
        source = tmp_path / "t.tex"
        head = r"\documentclass{article}\usepackage{longtable}\begin{document}"
        source.write_text(head + text + r"\end{document}")
        run = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", source.name]
        assert subprocess.run(run, cwd=tmp_path, capture_output=True).returncode == 0


def test_three_files_are_written(table, tmp_path):
    names = [path.name for path in write_table(table, tmp_path / "out")]
    assert names == ["classic.md", "classic.csv", "classic.tex"]
    assert (tmp_path / "out" / "classic.md").read_text() == to_markdown(table)


def test_the_table_of_datasets():
    text = datasets_markdown([load_dataset("breast-cancer")])
    assert "| breast-cancer | 569 | 30 | 212 / 357 | 62.74 | 1 = malignant" in text
    text = datasets_latex([load_dataset("breast-cancer")])
    assert r"breast-cancer & 569 & 30 & 212 / 357 & 62.74 \\" in text and "malignant" in text
    (row,) = csv.DictReader(io.StringIO(datasets_csv([load_dataset("breast-cancer")])))
    assert (row["name"], row["rows"], row["labels"]) == ("breast-cancer", "569", "212/357")
