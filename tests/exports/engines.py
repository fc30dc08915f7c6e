"""Run an export in its engine: raw rows in, probabilities and decisions out.

Each function takes a document and a data frame of raw rows, and returns `Scored`. The benchmark
of the exports runs the same functions.
"""

import ctypes
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np
import pandas as pd

from trisect.exports import to_c, to_javascript, to_onnx, to_python
from trisect.exports.c import field_names
from trisect.exports.recipe import recipe_of

STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2"]
WORDS = np.array(["defer", "accept", "reject"])
"""The decisions 0, 1 and -1."""


class Scored(NamedTuple):
    """What an engine said about the rows, in their order."""

    probabilities: np.ndarray
    """Of the positive class, or of each class."""
    decisions: list
    accepted: list | None
    """The accepted class of more than two."""
    seconds: float
    size: int
    """Bytes of the export."""


def gaps(column):
    return [None if missing else cell for cell, missing in zip(column, column.isna(), strict=True)]


def records_of(frame):
    """Rows as dictionaries that JSON can carry: None for gaps, texts for dates."""
    columns = {}
    for name, column in frame.items():
        if column.dtype.kind == "M":
            column = pd.Series(np.datetime_as_string(column), dtype=object).mask(
                column.isna().array
            )
        columns[name] = gaps(column.astype(object))
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def called(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


# ---- Languages ----

PYTHON = """
import json, sys, time
sys.path.append(sys.argv[1])
from score import score
with open(sys.argv[1] + "/rows.json", encoding="utf-8") as file:
    rows = json.load(file)
start = time.perf_counter()
found = [score(row) for row in rows]
print(json.dumps([time.perf_counter() - start, found]))
"""
JAVASCRIPT = """
const fs = require("fs"), { score } = require(process.argv[1] + "/score.js");
const rows = JSON.parse(fs.readFileSync(process.argv[1] + "/rows.json", "utf8"));
for (const row of rows)
  for (const name in row)
    if (row[name] === "Infinity" || row[name] === "-Infinity") row[name] = Number(row[name]);
const start = performance.now();
const found = rows.map(score);
console.log(JSON.stringify([(performance.now() - start) / 1000, found]));
"""


def in_python(document, frame):
    """An isolated Python."""
    return _interpreted(
        [sys.executable, "-I", "-c", PYTHON], "score.py", to_python(document), frame
    )


def in_node(document, frame):
    """Node.js."""
    return _interpreted(["node", "-e", JAVASCRIPT], "score.js", to_javascript(document), frame)


def _interpreted(command, name, source, frame):
    rows = json.dumps(records_of(frame))
    if name.endswith("js"):  # JSON has no infinity
        rows = re.sub(r"(-?Infinity)", r'"\1"', rows)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, name).write_text(source, encoding="utf-8")
        Path(folder, "rows.json").write_text(rows, encoding="utf-8")
        seconds, found = json.loads(called([*command, folder]))
    decisions = [row["decision"] for row in found]
    if "probability" in found[0]:
        p, accepted = [row["probability"] for row in found], None
    else:
        p = [list(dict(row["probabilities"]).values()) for row in found]
        accepted = [row["accepted"] for row in found]
    return Scored(np.array(p), decisions, accepted, seconds, len(source.encode()))


def in_c(document, frame):
    """The code of gcc, called from Python with an array of structs."""
    source, recipe = to_c(document), recipe_of(document)
    everything = (
        source
        + "void score_all(const trisect_row *, trisect_result *, int, int *);\n"
        + "void score_all(const trisect_row *r, trisect_result *s, int n, int *bad)\n"
        + "{ int i; for (i = 0; i < n; i++) *bad += trisect_score(r + i, s + i); }\n"
    )
    rows, alive = _structs(recipe, frame)
    labels = document["classes"]["labels"]
    parts = (
        [("p", "f8"), ("decision", "i4")]
        if document["thresholds"]
        else [("p", "f8", len(labels)), ("decision", "i4"), ("accepted", "i4")]
    )
    results, bad = np.zeros(len(rows), np.dtype(parts, align=True)), ctypes.c_int(0)
    with tempfile.TemporaryDirectory() as folder:
        path, library = Path(folder, "score.c"), Path(folder, "score.so")
        path.write_text(everything)
        called(["gcc", *STRICT, "-shared", "-fPIC", "-nostdlib", str(path), "-o", str(library)])
        score_all = ctypes.CDLL(str(library)).score_all
        pointers = (ctypes.c_void_p(array.ctypes.data) for array in (rows, results))
        start = perf_counter()
        score_all(*pointers, len(rows), ctypes.byref(bad))
        seconds = perf_counter() - start
    assert bad.value == 0
    assert alive is not None
    decisions = WORDS[results["decision"]].tolist()
    accepted = None
    if not document["thresholds"]:
        accepted = np.array([*map(str, labels), None])[results["accepted"]].tolist()
    return Scored(results["p"].copy(), decisions, accepted, seconds, len(source))


def _structs(recipe, frame):
    """Lay rows out as the struct has them; texts are pointers, which live as long as a list."""
    names, alive = field_names(recipe), []
    texts = ("category", "evidence")
    kinds = ["u8" if column["kind"] in texts else "f8" for column in recipe.columns]
    rows = np.zeros(len(frame), np.dtype(list(zip(names, kinds, strict=True)), align=True))
    for name, column in zip(names, recipe.columns, strict=True):
        cells = frame[column["name"]]
        if column["kind"] in texts:
            buffers = {
                text: ctypes.create_string_buffer(text.encode()) for text in cells.dropna().unique()
            }
            alive.append(buffers)
            address = {text: ctypes.addressof(buffer) for text, buffer in buffers.items()}
            rows[name] = [address.get(cell, 0) for cell in cells]
        elif column["kind"] == "date":
            micros = cells.astype("datetime64[us]")
            rows[name] = np.where(cells.isna(), np.nan, micros.astype("int64") / 1e6)
        else:
            rows[name] = [np.nan if cell is None else float(cell) for cell in gaps(cells)]
    return rows, alive


def in_onnxruntime(document, features):
    """The runtime of ONNX, which starts from the features."""
    import onnxruntime

    content = to_onnx(document)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    start = perf_counter()
    found = dict(zip(names, session.run(None, {"features": features}), strict=True))
    seconds = perf_counter() - start
    decisions, accepted = WORDS[found["decision"]].tolist(), None
    if "accepted" in found:
        labels = np.array([*map(str, document["classes"]["labels"]), None])
        accepted = labels[found["accepted"]].tolist()
    p = found["probability" if accepted is None else "probabilities"]
    return Scored(p, decisions, accepted, seconds, len(content))
