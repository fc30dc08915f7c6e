"""What works where none of the extras is installed."""

import os
import subprocess
import sys
from pathlib import Path

import trisect

SESSION = """
from importlib.machinery import PathFinder

HIDDEN = {"dask", "matplotlib", "pandas", "polars", "pyarrow"}
find_spec = PathFinder.find_spec


def find_others(name, path=None, target=None):
    return None if name.partition(".")[0] in HIDDEN else find_spec(name, path, target)


PathFinder.find_spec = find_others

import numpy as np
from sklearn.linear_model import LogisticRegression

from trisect import TableClassifier
from trisect.cli import main
from trisect.files import open_output, open_table, read_table
from trisect.tables.cells import read_texts

assert main(["demo", "--write", "credit.csv"]) == 0
columns = read_table("credit.csv").columns
labels = read_texts(columns.pop("next_month"))
y = np.array(labels.values)[labels.codes]
model = TableClassifier(LogisticRegression(solver="newton-cholesky"), random_state=0)
model.fit(columns, y)
with open_table("credit.csv") as file, open_output("decided.jsonl.gz") as output:
    for block in file.blocks(model.feature_names_in_):
        output.write({"decision": model.decide(block.columns)})
assert read_table("decided.jsonl.gz").n_rows == 3000
try:
    read_table("nothing.parquet")
except ImportError as error:
    print(error)

from trisect.cluster import sample_frame

try:
    sample_frame(None, "next_month")
except ImportError as error:
    print(error)
"""


def test_a_csv_file_is_read_learnt_and_decided_on(tmp_path):
    (tmp_path / "nothing.parquet").write_bytes(b"PAR1")
    done = subprocess.run(
        [sys.executable, "-c", SESSION],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(Path(trisect.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "run pip install 'trisect[parquet]'" in done.stdout
    assert "run pip install 'trisect[dask]'" in done.stdout
