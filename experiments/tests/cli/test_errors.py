"""What a user can put right is said in a line, with exit code 2, before anything is computed."""

import pytest
from sklearn.linear_model import LogisticRegression

from trisect_experiments.datasets import DatasetUnavailableError
from trisect_experiments.models import MODELS


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["reproduce", "statik"], "no table 'statik'; did you mean static?"),
        (["reproduce", "--datasets", "HTRUE"], "no dataset 'HTRUE'; did you mean HTRU?"),
        (["reproduce", "--quick", "--models", "STWD"], "did you mean STWD-SFNN?"),
        (["reproduce", "static", "--quick", "--models", "RF"], "None of RF belongs to static"),
        (["reproduce", "--quick", "--folds", "one"], "neither a number nor a range such as 0-4"),
        (["reproduce", "--quick", "--folds", "12"], "No table has the folds 12"),
        (["reproduce", "--quick", "--jobs", "0"], "give a number from 1, or -1"),
        (["reproduce", "--quick", "--store", "."], "unable to open database file"),
        (["reproduce", "--datasets", "missing.csv"], "No file 'missing.csv'"),
        (["reproduce", "--data-dir", "nowhere"], "None of the paper's datasets can be had"),
        (["ablate", "--quick", "--models", "no-joints"], "did you mean no-joint?"),
        (["reproduce", "--speed", "11"], "--speed"),
        (["datasets", "fetch"], "Name the datasets to fetch"),
        (["datasets", "fetch", "EOLL"], "did you mean EOL?"),
    ],
)
def test_one_line_says_what_is_wrong(command, arguments, message):
    code, output, errors = command(*arguments)
    assert code == 2
    assert message in errors.replace("\n", " ") and "Traceback" not in errors + output
    assert "Computed" not in output


def test_a_store_that_is_not_one(command, tmp_path):
    (tmp_path / "notes.txt").write_text("not a database, but long enough to look like one\n" * 99)
    code, _, errors = command("reproduce", "--quick", "--store", "notes.txt")
    assert code == 2 and "cannot be used as a result store" in errors
    assert (tmp_path / "notes.txt").read_text().startswith("not a database")


def test_a_folder_with_other_files_is_left_alone(command, tmp_path):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter1.md").write_text("years of work")
    code, output, errors = command("reproduce", "--quick", "--out", "thesis")
    assert code == 2 and "files that no report wrote (chapter1.md)" in errors
    assert "Fits" not in output, "found before anything is computed"
    assert (tmp_path / "thesis" / "chapter1.md").read_text() == "years of work"


def test_offline(command, monkeypatch):
    def refuse(name, *args, **kwargs):
        raise DatasetUnavailableError(f"{name} could not be fetched (ConnectionError).")

    monkeypatch.setattr("trisect_experiments.cli.loading.load_dataset", refuse)
    code, _, errors = command("reproduce", "classic")
    assert code == 2 and "ONP could not be fetched" in errors and "--quick" in errors
    code, _, errors = command("reproduce", "--datasets", "EOL")
    assert code == 2 and "EOL could not be fetched" in errors


def test_datasets_that_nobody_named_may_be_missing(command, tmp_path, data_folder):
    run = ("reproduce", "classic", "--models", "KNN", "--quick", "--jobs", "1", "--dry-run")
    code, output, _ = command(*run, "--data-dir", str(data_folder))
    assert code == 0 and "Left out: ONP, QSAR," in output and "EOL (2,111x2)" in output


@pytest.fixture
def data_folder(tmp_path, monkeypatch):
    """A folder with one of the paper's datasets, with two of its columns."""
    import dataclasses

    import numpy as np
    import pandas as pd

    from trisect_experiments.datasets.catalogue import RECIPES

    small = dataclasses.replace(RECIPES["EOL"], n_features=2)
    monkeypatch.setitem(RECIPES, "EOL", small)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(2111, 2)), columns=["a", "b"])
    frame["target"] = np.repeat([1, 2], small.counts)
    folder = tmp_path / "tables"
    folder.mkdir()
    frame.to_parquet(folder / "EOL.parquet")
    return folder


def broken(configuration, seed):
    return LogisticRegression(penalty="none such")


def test_failures_are_listed_and_only_a_run_without_success_fails(command, monkeypatch, tmp_path):
    import dataclasses

    monkeypatch.setitem(MODELS, "SVC", dataclasses.replace(MODELS["SVC"], build=broken))
    run = ("reproduce", "classic", "--datasets", "xor", "--quick", "--jobs", "1", "--models")
    code, output, _ = command(*run, "SVC")
    assert code == 1 and "No fit succeeded" in output and output.count("failed") >= 2
    assert not (tmp_path / "trisect-report").exists()
    code, output, _ = command(*run, "SVC", "KNN")
    assert code == 0 and "2 failures in trisect-report/failures.md" in output
    assert "xor, SVC, fold 1" in (tmp_path / "trisect-report" / "failures.md").read_text()
    assert "of them failed" in (tmp_path / "trisect-report" / "README.md").read_text()
    code, output, _ = command(*run, "SVC", "KNN", "--retry-failed")
    assert "Computed 2 fits" in output
