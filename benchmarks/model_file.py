"""The model file: its size, what loading does with damaged files, and how fast a service starts.

Default fits of the fifteen datasets (all rows, seed 0), and fits without curves
(scale="standard"); PCB's missing cells get the median. Fitted models are kept in a folder, so
that a run that is stopped goes on where it was.

    python benchmarks/model_file.py --page docs/results/model-file.md
"""

import argparse
import gzip
import lzma
import platform
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from importlib.metadata import version
from pathlib import Path
from time import perf_counter

import numpy as np
import pyarrow.parquet as pq
from common import DATASETS, data_folder, replace_section

import trisect
from trisect import STWDSFNNClassifier, TableClassifier, load_model, save_model
from trisect.model_file import ModelFileError, parse_document, read_document
from trisect.runtime import Model
from trisect.sample_data import credit_csv

ROOT = Path(__file__).parents[1]
SOURCE = Path(trisect.__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "model_file"))
KINDS = {"default": "auto", "no curves": "standard"}
TURNS = 10


def fitted(name, kind, folder):
    """The file of a fitted model, which is made if it is not there."""
    path = folder / f"{name}-{KINDS[kind]}.json"
    if path.exists():
        return path
    table = pq.read_table(data_folder() / f"{name}.parquet").to_pandas()
    y = table.pop("target").to_numpy()
    started = perf_counter()
    model = STWDSFNNClassifier(scale=KINDS[kind], random_state=0)
    model.fit(table.fillna(table.median()).astype(float), y)
    save_model(model, path)
    rows = table.fillna(table.median()).astype(float)[:5000]
    same = np.array_equal(load_model(path).predict_proba(rows), model.predict_proba(rows))
    if not same:
        sys.exit(f"{name}, {kind}: a loaded model does not predict the same bits.")
    print(f"{name}, {kind}: {perf_counter() - started:.1f} s", file=sys.stderr, flush=True)
    return path


def sizes(names, folder):
    """A row of figures for each dataset and kind."""
    rows = [["dataset", "model", "columns", "nodes", "curves", "bytes", "gzip", "xz"]]
    for name in names:
        for kind in KINDS:
            content = fitted(name, kind, folder).read_bytes()
            document = parse_document(content)
            shape = [len(document["columns"]), len(document["network"]["biases"])]
            packed = [gzip.compress(content, mtime=0), lzma.compress(content)]
            figures = [*shape, len(document["inputs"]["positions"]), len(content)]
            rows.append([name, kind, *(f"{n:,}" for n in [*figures, *map(len, packed)])])
    return rows


def credit_model(folder):
    """A small model of a raw table."""
    path = folder / "credit.json"
    if not path.exists():
        from io import BytesIO

        import pandas as pd

        table = pd.read_csv(BytesIO(credit_csv()))
        y = table.pop("next_month")
        save_model(TableClassifier(random_state=0).fit(table, y), path)
    return path


def fuzz(paths, n_documents):
    """Load mutated documents; returns what became of them."""
    from mutations import mutated

    outcomes, slowest, started = {}, 0.0, perf_counter()
    rng = np.random.default_rng(0)
    contents = [path.read_bytes() for path in paths]
    for i in range(n_documents):
        content, kind = mutated(contents[i % len(contents)], rng)
        before = perf_counter()
        try:
            Model(parse_document(content))
            outcome = "loaded"
        except ModelFileError:
            outcome = "refused"
        slowest = max(slowest, perf_counter() - before)
        counts = outcomes.setdefault(kind, {"refused": 0, "loaded": 0})
        counts[outcome] += 1
    return outcomes, slowest, perf_counter() - started


SERVICE = """
import time
begun = time.perf_counter(), time.process_time()
import trisect.runtime
model = trisect.runtime.load_model({path!r})
model.decide([{row!r}])
import sys
heavy = [n for n in ("sklearn", "numba", "scipy", "pandas", "narwhals") if n in sys.modules]
spent = time.perf_counter() - begun[0], time.process_time() - begun[1]
[peak] = [line.split()[1] for line in open("/proc/self/status") if "VmHWM" in line]
print(*spent, int(peak) / 1024, ",".join(heavy) or "none")
"""
NUMPY = """
import time
begun = time.perf_counter(), time.process_time()
import numpy
spent = time.perf_counter() - begun[0], time.process_time() - begun[1]
[peak] = [line.split()[1] for line in open("/proc/self/status") if "VmHWM" in line]
print(*spent, int(peak) / 1024, "none")
"""
FULL = SERVICE.replace("import trisect.runtime\n", "import trisect.runtime, trisect\ntrisect.STWDSFNNClassifier\n")  # fmt: skip  # noqa: E501


@cache
def at_once():
    """What runs a program before all others, if that is allowed."""
    words = ["chrt", "-f", "1"]
    if shutil.which("chrt") is None:
        return []
    allowed = subprocess.run([*words, "true"], capture_output=True, check=False)
    return words if allowed.returncode == 0 else []


def start_up(path):
    """Best of several turns: seconds, processor seconds, megabytes, heavy packages."""
    columns = [c for c in read_document(path)["columns"] if c["kind"] != "left out"]
    row = {c["name"]: None for c in columns}
    programs = {
        "import numpy": NUMPY,
        "import trisect.runtime, load, decide on a raw row": SERVICE,
        "the same with the estimators imported": FULL,
    }
    rows = [["process", "seconds", "processor seconds", "MB", "heavy packages"]]
    turns = {name: [] for name in programs}
    for _ in range(TURNS):
        for name, program in programs.items():
            code = program.format(path=str(path), row=row) if "{path" in program else program
            done = subprocess.run(
                [*at_once(), sys.executable, "-c", code],
                capture_output=True, text=True, check=True,
                env={"PYTHONPATH": str(SOURCE), "OPENBLAS_NUM_THREADS": "1"},
            )  # fmt: skip
            turns[name].append(done.stdout.split())
    for name, found in turns.items():
        best = [min(float(turn[i]) for turn in found) for i in range(3)]
        rows.append([name, f"{best[0]:.3f}", f"{best[1]:.3f}", f"{best[2]:.0f}", found[0][3]])
    return rows


def markdown(rows):
    """A table in Markdown, as a list of lines."""
    head, *rest = rows
    lines = [head, ["---"] * 2 + ["---:"] * (len(head) - 2), *rest]
    return [f"| {' | '.join(map(str, line))} |" for line in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", nargs="*", default=list(DATASETS), metavar="NAME")
    parser.add_argument("--models", type=Path, metavar="FOLDER", help="keep fitted models here")
    parser.add_argument("--documents", type=int, default=100_000, help="mutated documents")
    parser.add_argument("--only", nargs="*", choices=list(SECTIONS), default=list(SECTIONS))
    parser.add_argument("--page", type=Path, metavar="FILE", help="a page with these sections")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.models or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name in options.only:
            lines = SECTIONS[name](options, folder)
            print("\n".join(lines), flush=True)
            if options.page:
                replace_section(options.page, name, lines)


def made():
    """Say what the figures were made with."""
    return (
        f"Python {platform.python_version()}, NumPy {version('numpy')} on {platform.machine()}, "
        "while others used the machine"
    )


def size_section(options, folder):
    """Bytes of default models, and of those without curves."""
    return [f"With {made()}.", "", *markdown(sizes(options.datasets, folder)), ""]


def start_section(options, folder):
    """What it takes to start a service."""
    clock = "at real-time priority, so that other work does not count" if at_once() else ""
    words = f"Best of {TURNS} turns each, {clock or 'beside other work'}. With {made()}."
    return [words, "", *markdown(start_up(credit_model(folder))), ""]


def damaged_section(options, folder):
    """What became of damaged documents."""
    released = sorted((ROOT / "tests/model_file/released").glob("*/*.model.json"))
    outcomes, slowest, seconds = fuzz(released, options.documents)
    total = [sum(counts[key] for counts in outcomes.values()) for key in ("refused", "loaded")]
    rows = [["mutation", "documents", "refused", "loaded, and still a model"]]
    for kind, counts in sorted(outcomes.items()):
        rows.append([kind, *(f"{n:,}" for n in (sum(counts.values()), *counts.values()))])
    rows.append(["all", *(f"{n:,}" for n in (sum(total), *total))])
    words = f"No other error occurred, slowest {1000 * slowest:.0f} ms, all {seconds:.0f} s."
    return [words, "", *markdown(rows), ""]


SECTIONS = {"size": size_section, "start": start_section, "damaged": damaged_section}


if __name__ == "__main__":
    main()
