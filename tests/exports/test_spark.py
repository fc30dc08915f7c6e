"""Decisions in Spark by Python, with the lines that the guide shows."""

import re
import sys
from pathlib import Path

import pandas as pd
import pytest

from trisect.runtime import load_model

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "tests" / "model_file" / "released" / "0.1.0" / "table.model.json"


@pytest.mark.slow
# Spark warns of each new version of pandas.
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_the_lines_of_the_guide(spark, tmp_path, monkeypatch):
    monkeypatch.setattr(spark.sparkContext, "pythonExec", sys.executable)
    guide = (ROOT / "docs" / "guide" / "deploy.md").read_text()
    (lines,) = re.findall(r"^```pyspark\n(.*?)^```$", guide, re.DOTALL | re.MULTILINE)
    rows = pd.DataFrame({
        "job": ["nurse", None, "cook", "astronaut"], "age": [44, 31, None, 70],
        "town": ["town 3", "town 4", "town 3", "nowhere"],
        "since": ["2023-05-05", "2023-12-24", None, "2024-01-01"],
        "member": ["yes", "no", "no", None],
    })  # fmt: skip
    rows.to_parquet(tmp_path / "clients.parquet")
    lines = lines.replace("/shared/model.json", str(MODEL))
    lines = lines.replace('"clients"', repr(str(tmp_path / "clients.parquet")))
    names = {"spark": spark}
    exec(lines, names)
    expected = load_model(MODEL).decision_table(rows)
    found = [tuple(row) for row in names["decided"].collect()]
    columns = dict(zip(expected, zip(*found, strict=True), strict=True))
    for name in ("label", "probability", "decision", "reason"):
        assert list(columns[name]) == expected[name].tolist()
