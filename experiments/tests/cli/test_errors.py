"""What a user can put right is said in a line, with exit code 2, before anything is computed."""

import numpy as np
import pandas as pd
import pytest


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["reproduce", "statik"], "no table 'statik'; did you mean static?"),
        (["reproduce", "--datasets", "HTRUE"], "no dataset 'HTRUE'; did you mean HTRU?"),
        (
            ["reproduce", "--quick", "--models", "STWD-SFNN"],
            "did you mean STWD-SFNN (Algorithm 1) or",
        ),
        (["reproduce", "static", "--quick", "--models", "RF"], "None of RF belongs to static"),
        (["reproduce", "--quick", "--folds", "one"], "neither a number nor a range such as 0-4"),
        (["reproduce", "--quick", "--folds", "12"], "No table has the folds 12"),
        (["reproduce", "--quick", "--jobs", "0"], "give a number from 1, or -1"),
        (["reproduce", "--quick", "--store", "."], "cannot be used as a result store"),
        (["reproduce", "--datasets", "missing.csv"], "No file 'missing.csv'"),
        (["reproduce", "--data-dir", "nowhere"], "None of the study's datasets is available"),
        (["reproduce", "--datasets", "EOL", "--data-dir", "x"], "has no EOL.parquet; it holds no"),
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


def test_a_folder_with_other_files_is_left_alone(command, tmp_path):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter1.md").write_text("years of work")
    code, output, errors = command("reproduce", "--quick", "--out", "thesis")
    assert code == 2 and "files that no report wrote (chapter1.md)" in errors
    assert "Fits" not in output, "found before anything is computed"
    assert (tmp_path / "thesis" / "chapter1.md").read_text() == "years of work"


def test_datasets_that_nobody_named_may_be_missing(command, tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(2111, 16)))
    frame.columns = [f"f{i}" for i in range(16)]
    frame["target"] = np.repeat([1, 2], [1824, 287])
    frame.to_parquet(tmp_path / "EOL.parquet")
    run = ("reproduce", "classic", "--models", "KNN", "--quick", "--jobs", "1", "--dry-run")
    code, output, _ = command(*run, "--data-dir", str(tmp_path))
    assert code == 0 and "Left out: ONP, QSAR," in output and "EOL (2,111x16)" in output


def test_failures_are_listed_and_only_a_run_without_success_fails(command, tmp_path):
    # Four rows of one class are too few for ten folds: every fit fails.
    rows = [f"{i},{'yes' if i < 4 else 'no'}" for i in range(60)]
    (tmp_path / "rare.csv").write_text("\n".join(["a,target", *rows]))
    run = ("reproduce", "classic", "--models", "KNN", "--quick", "--jobs", "1", "--datasets")
    code, output, _ = command(*run, "rare.csv")
    assert code == 1 and "No fit succeeded" in output and output.count("failed") >= 2
    assert not (tmp_path / "trisect-report").exists()
    code, output, _ = command(*run, "rare.csv", "xor")
    assert code == 0 and "2 failures in trisect-report/failures.md" in output
    assert "rare, KNN, fold 1" in (tmp_path / "trisect-report" / "failures.md").read_text()
    assert "2 of them failed" in (tmp_path / "trisect-report" / "README.md").read_text()
    code, output, _ = command(*run, "rare.csv", "xor", "--retry-failed")
    assert "Computed 2 fits" in output
