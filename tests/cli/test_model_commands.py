"""From a csv to decisions: fit, predict, evaluate and inspect."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import trisect
from trisect.cli import main
from trisect.files import arrow_files, csv_arrow, csv_files, read_table
from trisect.files.sampling import sampled_rows
from trisect.runtime import load_model

SOURCE = Path(trisect.__file__).parents[1]
PLAIN = Path(__file__).parents[1] / "model_file" / "released" / "0.1.0" / "linear.model.json"
THREE = PLAIN.with_name("table-of-three-classes.model.json")
COSTS = ["--false-accept", "5", "--false-reject", "10", "--review", "1", "--unit", "EUR"]


def rows_of(n, seed):
    rng = np.random.default_rng(seed)
    jobs, ages = rng.choice(["nurse", "clerk", "cook"], n), rng.integers(18, 90, n)
    pays = ((jobs == "nurse") ^ (ages > 60)) ^ (rng.random(n) < 0.05)
    for i in range(n):
        age = "" if i % 11 == 5 else ages[i]
        yield [f"C{i:05}", jobs[i], age, f"{rng.normal():.3f}", "pays" if pays[i] else "owes"]


HEAD = ["client", "job", "age", "noise", "outcome"]


def write(path, rows, head=HEAD):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([head, *rows])
    return path


def read(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a model that the command has fitted, and rows that it has not seen."""
    folder = tmp_path_factory.mktemp("models")
    write(folder / "train.csv", rows_of(300, 0))
    write(folder / "new.csv", rows_of(120, 1))
    arguments = ["--target", "outcome", "--positive", "pays", "--levels", "2", *COSTS]
    code = main(["fit", str(folder / "train.csv"), *arguments, "-o", str(folder / "model.json")])
    assert code == 0
    return folder


@pytest.fixture
def run(folder, capsys):
    """Run a command; returns its exit code, output and errors."""

    def running(*words):
        code = main(
            [str(folder / w) if str(w).endswith((".csv", ".json")) else str(w) for w in words]
        )
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return running


def test_the_model_holds_what_was_asked_for(folder):
    document = load_model(folder / "model.json").document
    assert document["positive"] == "pays" and document["costs"]["unit"] == "EUR"
    assert document["costs"]["amounts"] == [[0, 1, 10], [5, 1, 0]]
    assert document["training"]["target"] == "outcome" and document["training"]["rows"] == 300
    assert document["training"]["seed"] == 0
    kinds = {column["name"]: column["kind"] for column in document["columns"]}
    assert kinds == {"client": "left out", "job": "category", "age": "number", "noise": "number"}


def test_fit_says_what_it_does(run, folder):
    code, out, err = run("fit", "train.csv", "--target", "outcome", "--levels", "1", "-o",
                         folder / "again.json")  # fmt: skip
    assert code == 0 and out == ""
    for word in ("csv, commas, decimal point, utf-8; 300 rows, 4 columns", "level  1:",
                 "identifier", "accepts 'pays' from probability 0.8", "kept: level 1 of 1",
                 "bytes"):  # fmt: skip
        assert word in err


def test_fit_for_machines(run, folder):
    arguments = ["--target", "outcome", "--levels", "1", "--ignore", "noise", "--json"]
    code, out, err = run("fit", "train.csv", *arguments, "-o", folder / "machine.json")
    summary = json.loads(out)
    assert code == 0 and err == ""
    assert summary["rows"] == 300 and summary["classes"] == ["owes", "pays"]
    assert "noise" not in summary["columns"] and summary["thresholds"]["alpha"] == 0.8
    assert summary["bytes"] == (folder / "machine.json").stat().st_size


def test_predict_writes_what_the_model_decides(run, folder):
    code, out, err = run("predict", "model.json", "new.csv", "--keep", "client", "-o", "out.csv")
    assert code == 0 and out == "" and "120 rows" in err and "outcome" in err
    written, given = read(folder / "out.csv"), read(folder / "new.csv")
    model = load_model(folder / "model.json")
    columns = {name: [row[name] for row in given] for name in ("job", "age", "noise")}
    p = model.predict_proba(columns)
    assert list(written[0]) == ["client", "label", "probability", "decision", "level", "reason"]
    assert [row["client"] for row in written] == [row["client"] for row in given]
    assert [float(row["probability"]) for row in written] == p[:, 1].tolist()
    assert [row["label"] for row in written] == model.predict(columns).tolist()
    words = np.array(["defer", "accept", "reject"])[model.decide(columns)]
    assert [row["decision"] for row in written] == words.tolist()
    assert len({row["decision"] for row in written}) > 1
    assert all((row["level"] == "") == (row["decision"] == "defer") for row in written)
    reasons = {(row["decision"], row["reason"]) for row in written}
    assert reasons <= {
        ("accept", "probability at least 0.8"),
        ("reject", "probability at most 0.1"),
        ("defer", "probability between 0.1 and 0.8"),
    }


@pytest.mark.parametrize("name", ["out.jsonl", "out.parquet", "out.csv.gz"])
def test_predict_writes_other_formats(run, folder, name):
    code, _, _ = run("predict", "model.json", "new.csv", "-o", folder / name)
    assert code == 0
    from trisect.files import read_table

    table = read_table(folder / name)
    assert table.n_rows == 120
    assert list(table.columns) == ["label", "probability", "decision", "level", "reason"]


def test_predict_for_machines(run, folder):
    code, out, err = run("predict", "model.json", "new.csv", "-o", "machine.csv", "--json")
    summary = json.loads(out)
    assert code == 0 and err == ""
    assert summary["accept"] + summary["defer"] + summary["reject"] == summary["rows"] == 120
    assert summary["ignored"] == ["outcome"] and summary["refused"] == 0


def test_unseen_categories_are_counted_and_named(run, folder):
    rows = [["C1", "pilot", "44", "0.1", ""], ["C2", "nurse", "old", "0.1", ""]]
    write(folder / "odd.csv", rows)
    code, _, err = run("predict", "model.json", "odd.csv", "-o", "odd-decided.csv")
    assert code == 0
    assert "1 cell of 'job' not understood" in err and "1 cell of 'age' not understood" in err
    reasons = [row["reason"] for row in read(folder / "odd-decided.csv")]
    assert "job not understood, counts as missing" in reasons[0]
    assert "age not understood, counts as missing" in reasons[1]


def test_rows_that_cannot_be_read(run, folder):
    rows = list(rows_of(20, 2))
    rows[7] = ["C7", "nurse"]
    write(folder / "broken.csv", rows)
    code, out, err = run("predict", "model.json", "broken.csv", "-o", "stopped.csv")
    assert code == 2 and out == "" and "Line 9 has 2 cells instead of 5" in err
    assert not list(folder.glob("stopped*"))
    code, _, err = run(
        "predict", "model.json", "broken.csv", "-o", "skipped.csv", "--on-error", "skip"
    )
    assert code == 0 and "1 row refused: see" in err
    assert len(read(folder / "skipped.csv")) == 19
    [refused] = read(folder / "skipped.refused.csv")
    assert refused["line"] == "9" and refused["row"] == "C7,nurse"


def test_a_model_of_plain_numbers_refuses_gaps(run, folder, capsys):
    rows = [["1", "2", "3", "1"], ["1", "", "3", "0"], ["0.5", "x", "3", "0"]]
    write(folder / "plain.csv", rows, [f"x{i}" for i in range(4)])
    code, _, err = run("predict", PLAIN, "plain.csv", "-o", "plain-decided.csv")
    assert code == 2 and "Line 3 has no finite number in 'x1'" in err
    code, _, _ = run("predict", PLAIN, "plain.csv", "-o", "plain-decided.csv", "--on-error", "skip")
    assert code == 0
    assert len(read(folder / "plain-decided.csv")) == 1
    assert [row["line"] for row in read(folder / "plain-decided.refused.csv")] == ["3", "4"]


def test_more_than_two_classes(run, folder):
    rows = [["nurse", "44", "town 3", "2023-04-01", "yes"], ["cook", "", "town 99", "", "no"]]
    write(folder / "three.csv", rows, ["job", "age", "town", "since", "member"])
    code, _, _ = run("predict", THREE, "three.csv", "-o", "three-decided.csv")
    assert code == 0
    written = read(folder / "three-decided.csv")
    assert {row["decision"] for row in written} <= {"accept", "defer"}
    assert all(1 / 3 <= float(row["probability"]) <= 1 for row in written)


def test_evaluate_shows_what_deferring_saves(run, folder):
    code, out, _ = run("evaluate", "model.json", "new.csv")
    assert code == 0
    for word in ("120 rows", "accuracy", "weighted F1", "AUC", "accepted", "deferred", "rejected",
                 "cost per row, EUR", "always deciding", "saved by deferring"):  # fmt: skip
        assert word in out


def test_evaluate_agrees_with_the_metrics(run, folder):
    from sklearn.metrics import accuracy_score, f1_score, roc_auc_score

    code, out, err = run("evaluate", "model.json", "new.csv", "--json")
    figures = json.loads(out)
    assert code == 0 and err == ""
    given, model = read(folder / "new.csv"), load_model(folder / "model.json")
    columns = {name: [row[name] for row in given] for name in ("job", "age", "noise")}
    truth = np.array([row["outcome"] for row in given])
    p, regions = model.predict_proba(columns)[:, 1], model.decide(columns)
    assert figures["accuracy"] == accuracy_score(truth, model.predict(columns))
    assert figures["weighted_f1"] == f1_score(truth, model.predict(columns), average="weighted")
    assert figures["auc"] == pytest.approx(roc_auc_score(truth == "pays", p))
    rows = figures["confusion"]["rows"]
    assert rows["pays"] == [int(((truth == "pays") & (regions == r)).sum()) for r in (1, 0, -1)]
    spent = 5 * rows["owes"][0] + 10 * rows["pays"][2] + rows["owes"][1] + rows["pays"][1]
    cost = figures["cost_per_row"]["three_way"]
    assert cost["mean"] == pytest.approx(spent / 120)
    assert cost["low"] <= cost["mean"] <= cost["high"]
    assert figures["cost_per_row"]["reviewing_all"]["mean"] == pytest.approx(1)


def test_evaluate_says_which_classes_it_does_not_know(run, folder, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    write(
        folder / "other.csv", [["C1", "nurse", "44", "0", "maybe"], ["C2", "nurse", "4", "0", ""]]
    )
    code, _, err = run("evaluate", "model.json", "other.csv")
    assert code == 2 and "2 rows with no class of the model in 'outcome', such as 'maybe'" in err
    code, _, err = run("evaluate", "model.json", "other.csv", "--on-error", "skip")
    assert code == 2 and "no row to judge by" in err and not list(tmp_path.iterdir())
    code, _, err = run("evaluate", PLAIN, "other.csv")
    assert code == 2 and "say --target" in err


def test_evaluate_loses_no_row(run, folder, monkeypatch, tmp_path):
    rows = list(rows_of(40, 6))
    rows[3], rows[5][-1] = ["C3"], "maybe"
    write(folder / "some.csv", rows)
    monkeypatch.chdir(tmp_path)
    code, out, err = run("evaluate", "model.json", "some.csv", "--on-error", "skip")
    assert code == 0 and "38 rows, 2 rows left out" in out
    assert "2 rows could not be used: see refused.csv" in err
    found = read(tmp_path / "refused.csv")
    assert [row["reason"] for row in found] == [
        "has 1 cell instead of 5", "has no class of the model in 'outcome'"
    ]  # fmt: skip
    # Cells stand in the order of the file, without the column that the model leaves out.
    assert [row["row"] for row in found] == ["C3", ",".join(map(str, rows[5][1:]))]


def test_inspect(run, folder):
    code, out, _ = run("inspect", "model.json")
    assert code == 0
    for word in ("STWDSFNNClassifier", "'outcome' apart: owes, pays from 300 rows",
                 "accepts 'pays' from probability 0.8, rejects up to 0.1", "costs in EUR",
                 "identifier", "gaps count as"):  # fmt: skip
        assert word in out
    code, out, _ = run("inspect", "model.json", "--json")
    summary = json.loads(out)
    assert summary["network"]["nodes"] >= 1 and len(summary["columns"]) == 4
    assert summary["bytes"] == (folder / "model.json").stat().st_size


WRONG = {
    "no such column": (
        ["fit", "train.csv", "--target", "sum"],
        "no column 'sum'; the columns are 'client', 'job', 'age', 'noise', 'outcome'.",
    ),
    "a column misspelt": (
        ["fit", "train.csv", "--target", "Outcome"],
        "no column 'Outcome'; did you mean 'outcome'?",
    ),
    "a target of identifiers": (
        ["fit", "train.csv", "--target", "client"],
        "'client' has 300 different values in 300 rows, such as 'C00000': too many for classes",
    ),
    "a target of numbers": (
        ["fit", "train.csv", "--target", "noise"],
        "too many for classes",
    ),
    "three classes, one of them positive": (
        ["fit", "train.csv", "--target", "job", "--positive", "cook"],
        "are for two classes, but 'job' has 3: ",
    ),
    "a cost below zero": (
        [
            "fit",
            "train.csv",
            "--target",
            "outcome",
            "--false-accept",
            "5",
            "--false-reject",
            "-1",
            "--review",
            "1",
        ],
        "--false-accept and --false-reject must be above 0",
    ),
    "no levels": (["fit", "train.csv", "--target", "outcome", "--levels", "0"], "for --levels"),
    "all for validation": (
        ["fit", "train.csv", "--target", "outcome", "--validation-share", "1"],
        "for --validation-share",
    ),
    "a decimal sign": (
        ["fit", "train.csv", "--target", "outcome", "--decimal", ";"],
        "The decimal sign is '.' or ','",
    ),
    "a kind without a column": (
        ["fit", "train.csv", "--target", "outcome", "--kind", "category"],
        "must be a column and its kind",
    ),
    "an unknown kind": (
        ["fit", "train.csv", "--target", "outcome", "--kind", "age=float"],
        "kinds['age'] is 'float': say one of",
    ),
    "the model over the data": (
        ["fit", "train.csv", "--target", "outcome", "-o", "train.csv"],
        "train.csv is what is read, and would be lost",
    ),
    "decisions over the data": (
        ["predict", "model.json", "new.csv", "-o", "new.csv"],
        "new.csv is what is read, and would be lost",
    ),
    "code over the model": (
        ["export", "model.json", "--to", "python", "-o", "model.json"],
        "model.json is what is read, and would be lost",
    ),
    "all choices are shown": (
        ["export", "model.json", "--to", "sql", "--dialect", "oracle"],
        '"bigquery", "snowflake"',
    ),
    "no classes to judge by": (
        ["evaluate", "model.json", "new.csv", "--target", "paid"],
        "has no column 'paid' with the classes to judge by",
    ),
    "no such class": (
        ["fit", "train.csv", "--target", "outcome", "--positive", "Pays"],
        "There is no class 'Pays'; the classes are owes, pays.",
    ),
    "half the costs": (
        ["fit", "train.csv", "--target", "outcome", "--review", "1"],
        "Give all of --false-accept, --false-reject and --review, or none.",
    ),
    "target ignored": (
        ["fit", "train.csv", "--target", "outcome", "--ignore", "outcome"],
        "'outcome' is the target",
    ),
    "no such folder": (
        ["fit", "train.csv", "--target", "outcome", "-o", "nowhere/model.json"],
        "There is no folder",
    ),
    "no such file": (
        ["predict", "model.json", "nowhere.csv"],
        "nowhere.csv: No such file or directory.",
    ),
    "no model": (["predict", "train.csv", "new.csv"], "no model file"),
    "nothing to keep": (
        ["predict", "model.json", "new.csv", "--keep", "name"],
        "no column 'name' to keep",
    ),
    "unknown format": (
        ["predict", "model.json", "new.csv", "-o", "decided.docx"],
        "does not say what to write",
    ),
    "no data": (["predict", "model.json"], "data"),
}


@pytest.mark.parametrize(("words", "message"), WRONG.values(), ids=WRONG)
def test_mistakes_are_named_and_leave_nothing(run, folder, monkeypatch, tmp_path, words, message):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*words)
    assert code == 2 and out == ""
    assert message.lower() in " ".join(err.split()).lower() and "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "holds no row to learn from"),
        ([["C1", "cook", "3", "0.1", "pays"]] * 3, "All 3 rows have the same class in 'outcome'"),
        ([["C1", "cook", "3", "0.1", ""]] * 3, "no class in any row of 'outcome'"),
    ],
)
def test_rows_from_which_nothing_can_be_learnt(run, folder, rows, message):
    write(folder / "poor.csv", rows)
    code, _, err = run("fit", "poor.csv", "--target", "outcome", "-o", "poor.json")
    assert code == 2 and message in err


def test_a_file_that_is_no_text(run, folder):
    (folder / "picture.csv").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" * 9)
    code, _, err = run("fit", "picture.csv", "--target", "outcome", "-o", "picture.json")
    assert code == 2 and "is no text, since there are zero bytes in it" in err


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions are those of Unix")
def test_a_folder_that_cannot_be_written_to_is_found_out_first(run, folder, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    code, _, err = run("fit", "train.csv", "--target", "outcome", "-o", "shut.json")
    assert code == 2 and "Nothing can be written into the folder" in err and "level" not in err


def test_kinds_of_columns_can_be_said(run, folder):
    fit = ["fit", "train.csv", "--target", "outcome", "--levels", "1", "-o", "kinds.json"]
    code, _, _ = run(*fit, "--kind", "age=category", "noise=ignore", "--json")
    assert code == 0
    columns = load_model(folder / "kinds.json").document["columns"]
    assert [c["kind"] for c in columns] == ["left out", "category", "category", "left out"]


def test_classes_are_counted_and_the_guess_is_said_in_words_of_the_command(run, folder):
    _, _, err = run("fit", "train.csv", "--target", "outcome", "--levels", "1", "-o", "guess.json")
    assert "outcome: " in err and "to accept means 'pays', the last class in sorted order" in err
    assert "pos_label" not in err and "Warning" not in err


def test_a_model_reads_texts_as_the_file_had_them(run, folder):
    """Numbers that a csv file has with commas come so from a service, too."""
    rows = [[*row[:3], row[3].replace(".", ","), row[4]] for row in rows_of(300, 0)]
    with (folder / "commas.csv").open("w", newline="") as file:
        csv.writer(file, delimiter=";").writerows([HEAD, *rows])
    fit = ["fit", "commas.csv", "--target", "outcome", "--levels", "1", "-o", "commas.json"]
    assert run(*fit)[0] == 0
    model = load_model(folder / "commas.json")
    cells = [dict(zip(HEAD[:4], row, strict=False)) for row in rows]
    numbers = [{**row, "noise": float(row["noise"].replace(",", "."))} for row in cells]
    assert model.predict_proba(cells).tolist() == model.predict_proba(numbers).tolist()
    lines = "".join(json.dumps(row, default=str) + "\n" for row in cells)
    (folder / "commas.jsonl").write_text(lines)
    assert run("predict", "commas.json", folder / "commas.jsonl", "-o", "lines.csv")[0] == 0
    assert run("predict", "commas.json", "commas.csv", "-o", "cells.csv")[0] == 0
    assert read(folder / "lines.csv") == read(folder / "cells.csv")
    (folder / "one.csv").write_text("client;job;age;noise\nC1;cook;44;1.234\n")
    _, out, _ = run("predict", "commas.json", "one.csv", "--json")
    [one] = csv.DictReader(io.StringIO(out))
    [[_, p]] = model.predict_proba([{"client": "C1", "job": "cook", "age": 44, "noise": 1234}])
    assert float(one["probability"]) == p


def test_a_reader_that_has_had_enough(folder):
    """What `head` does to a command: it closes the pipe, and nobody complains."""
    rows = write(folder / "long.csv", rows_of(20000, 5))
    words = ["predict", folder / "model.json", rows]
    process = subprocess.Popen(
        [sys.executable, "-m", "trisect", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )  # fmt: skip
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 141


def test_rows_without_a_class(run, folder):
    rows = list(rows_of(60, 3))
    rows[4][-1] = ""
    write(folder / "unlabelled.csv", rows)
    fit = ["fit", "unlabelled.csv", "--target", "outcome", "--levels", "1", "-o", "labelled.json"]
    code, _, err = run(*fit)
    assert code == 2 and "1 row without a class in 'outcome', the first is row 5" in err
    code, out, _ = run(*fit, "--on-error", "skip", "--json")
    assert code == 0 and json.loads(out)["rows"] == 59
    [refused] = read(folder / "labelled.refused.csv")
    assert refused["line"] == "6" and refused["row"].startswith("C00004,")


def test_classes_that_are_numbers(run, folder):
    rows = [[*row[:-1], int(row[-1] == "pays")] for row in rows_of(80, 4)]
    write(folder / "numbers.csv", rows)
    fit = ["fit", "numbers.csv", "--target", "outcome", "--positive", "0", "--levels", "1"]
    assert run(*fit, "-o", "numbers.json")[0] == 0
    document = load_model(folder / "numbers.json").document
    assert document["classes"] == {"type": "integer", "labels": [0, 1]}
    assert document["positive"] == 0
    code, out, _ = run("evaluate", "numbers.json", "numbers.csv", "--json")
    assert code == 0 and json.loads(out)["rows"] == 80


def test_standard_input_and_output(run, folder, monkeypatch):
    class Standard:
        buffer = io.BufferedReader(io.BytesIO((folder / "new.csv").read_bytes()))

    monkeypatch.setattr(sys, "stdin", Standard)
    code, out, err = run("predict", "model.json", "-", "--json")
    assert code == 0 and json.loads(err)["rows"] == 120
    assert len(list(csv.DictReader(io.StringIO(out)))) == 120
    Standard.buffer = io.BufferedReader(io.BytesIO((folder / "train.csv").read_bytes()))
    code, out, _ = run("fit", "-", "--target", "outcome", "--levels", "1", "-o", "-")
    assert code == 0 and json.loads(out)["training"]["rows"] == 300


def test_an_interruption_leaves_no_half_file(folder, tmp_path):
    """The rows come through a pipe that never ends; Ctrl-C ends the command."""
    output = tmp_path / "decided.csv"
    command = [sys.executable, "-m", "trisect.cli", "predict", folder / "model.json", "-"]
    process = subprocess.Popen(
        [*command, "-o", output], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )  # fmt: skip
    text = (folder / "new.csv").read_bytes()
    head, _, rows = text.partition(b"\n")
    process.stdin.write(head + b"\n" + rows * 2500)
    process.stdin.flush()
    begun = time.monotonic()
    while not list(tmp_path.iterdir()) and time.monotonic() - begun < 120:
        time.sleep(0.05)
    assert [path.suffix for path in tmp_path.iterdir()] == [".part"]
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130 and b"Interrupted" in errors
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["fit", "predict", "evaluate", "inspect"])
def test_help_teaches_with_an_example(name, capsys):
    assert main([name, "--help"]) == 0
    assert f"trisect {name} " in " ".join(capsys.readouterr().out.split()).split("For example")[1]


@pytest.fixture
def small_blocks(monkeypatch):
    for module in (arrow_files, csv_arrow, csv_files):
        monkeypatch.setattr(module, "BLOCK_ROWS", 7)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_the_number_of_cores_is_no_matter(run, folder, suffix):
    rows = list(rows_of(120, 3))
    rows[17][2], rows[90][1] = "old", "unheard of"
    texts = [",".join(map(str, row)) for row in [HEAD, *rows]]
    texts[40:40] = ["too,few"]
    (folder / "odd.csv").write_text("\n".join(texts))
    written = []
    for jobs in (1, 2, 5):
        output = folder / f"cores{suffix}"
        code, _, err = run(
            "predict", "model.json", "odd.csv", "--keep", "client", "--on-error", "skip",
            "--jobs", jobs, "-o", output,
        )  # fmt: skip
        assert code == 0 and "120 rows" in err and "1 row refused" in err
        assert "1 cell of 'age' not understood" in err and "1 cell of 'job'" in err
        written.append((output.read_bytes(), (folder / "cores.refused.csv").read_bytes()))
    assert written[0] == written[1] == written[2]
    columns = read_table(output).columns
    clients = columns["client"]
    assert [clients.values[code] for code in clients.codes] == [row[0] for row in rows]
    assert columns["level"].dtype == columns["probability"].dtype == float


def test_cores_are_counted_from_one(run, folder):
    code, _, err = run("predict", "model.json", "new.csv", "--jobs", "0", "-o", "out.csv")
    assert code == 2 and "Must be >= 1" in err


@pytest.mark.usefixtures("small_blocks")
def test_fit_draws_rows_and_says_so(run, folder):
    arguments = ["--target", "outcome", "--positive", "pays", "--levels", "1", "--max-rows", "200"]
    code, _, err = run("fit", "train.csv", *arguments, "-o", "drawn.json")
    assert code == 0 and "300 rows, 4 columns" in err
    assert "learns from 200 of 300 rows, drawn at random" in err
    first = (folder / "drawn.json").read_bytes()
    code, out, _ = run("fit", "train.csv", *arguments, "--json", "-o", "drawn.json")
    assert (json.loads(out)["rows"], json.loads(out)["of_rows"]) == (200, 300)
    assert (folder / "drawn.json").read_bytes() == first
    assert load_model(folder / "drawn.json").document["training"]["rows"] == 200


def test_fit_names_classes_that_were_not_drawn(run, folder):
    rows = list(rows_of(300, 0))
    never_drawn = np.setdiff1d(np.arange(300), sampled_rows(300, 100, 0))[0]
    rows[never_drawn][4] = "vanishes"
    write(folder / "rare.csv", rows)
    arguments = ["--target", "outcome", "--levels", "1", "--max-rows", "100"]
    code, _, err = run("fit", "rare.csv", *arguments, "-o", "rare.json")
    assert code == 0 and "of the 1 row of the class 'vanishes' none was drawn" in err
    assert load_model(folder / "rare.json").document["classes"]["labels"] == ["owes", "pays"]
