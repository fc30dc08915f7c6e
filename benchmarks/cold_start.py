"""What a new process waits for: import, first prediction and first fit, in one run.

Each figure is the difference between a process that does the thing and one that only imports
scikit-learn, which take turns: processor seconds of the best turn of each, and peaks of memory.
"fresh" has an empty folder for compiled code, as after an installation; "warm" has the folder
that the fresh run left; "read-only" has no folder that can be written to, so that each process
compiles for itself. The last column is in units of importing scikit-learn in the same turns,
which a slow machine changes less.

    python benchmarks/cold_start.py
"""

import argparse
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from common import print_table, write_json

import trisect
from trisect import STWDSFNNClassifier

SOURCE = Path(trisect.__file__).parents[1]
TURNS = 3
SKLEARN = "import sklearn.base, sklearn.callback, sklearn.utils.validation"
DATA = """
import numpy as np
X = np.random.default_rng(0).normal(size=({rows}, {columns}))
y = (X[:, 0] * X[:, 1] + X[:, 2] > 0).astype(int)
"""
TASKS = {
    "import": "from trisect import STWDSFNNClassifier",
    "load a model, predict a row": """
import pickle
model = pickle.load(open({model!r}, "rb"))
model.predict_proba([[0.5] * 12])
""",
    "load a model, decide 5,000 rows": """
import pickle
import numpy as np
model = pickle.load(open({model!r}, "rb"))
rows = np.random.default_rng(0).normal(size=(5000, 12))
model.decide(rows), model.decide_sequentially(rows)
""",
    "first fit, 569 x 12": DATA.format(rows=569, columns=12)
    + """
from trisect import STWDSFNNClassifier
STWDSFNNClassifier(random_state=0).fit(X, y)
""",
    "first fit, 569 x 60": DATA.format(rows=569, columns=60)
    + """
from trisect import STWDSFNNClassifier
STWDSFNNClassifier(random_state=0).fit(X, y)
""",
    "fit, then predict 200,000 rows": DATA.format(rows=200_000, columns=12)
    + """
from trisect import STWDSFNNClassifier
model = STWDSFNNClassifier(random_state=0).fit(X[:569], y[:569])
model.predict_proba(X), model.decide_sequentially(X)
""",
}
# The peak in getrusage counts what the parent had when it forked; that in /proc does not.
MEASURE = """
import resource
used = resource.getrusage(resource.RUSAGE_SELF)
peak = used.ru_maxrss
try:
    peak = next(int(line.split()[1]) for line in open("/proc/self/status") if "VmHWM" in line)
except OSError:
    pass
print(used.ru_utime + used.ru_stime, peak / 1024)
"""


def run(script, environment):
    """Return the processor seconds and the megabytes of a new process; NaN if it fails."""
    done = subprocess.run(
        [sys.executable, "-c", f"{SKLEARN}\n{script}\n{MEASURE}"],
        env=os.environ | {"OMP_NUM_THREADS": "1"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return [float(word) for word in done.stdout.split()[-2:] or ("nan", "nan")]


def read_only_copy(folder):
    """Copy the package to where files stand in the place of folders for compiled code."""
    copy = folder / "read-only"
    shutil.copytree(SOURCE / "trisect", copy / "trisect", ignore=_compiled)
    for package in [path.parent for path in copy.rglob("__init__.py")]:
        (package / "__pycache__").touch()
    return {"PYTHONPATH": str(copy), "NUMBA_CACHE_DIR": "", "XDG_CACHE_HOME": os.devnull}


def _compiled(folder, names):
    return [name for name in names if name == "__pycache__"]


def measure(folder, turns):
    model = folder / "model.pickle"
    rng = np.random.default_rng(0)
    X = rng.normal(size=(569, 12))
    fitted = STWDSFNNClassifier(random_state=0).fit(X, (X[:, 0] * X[:, 1] > 0).astype(int))
    model.write_bytes(pickle.dumps(fitted))
    cache = folder / "cache"
    warm = {"PYTHONPATH": str(SOURCE), "NUMBA_CACHE_DIR": str(cache)}
    disks = {"fresh": warm, "warm": warm, "read-only": read_only_copy(folder)}
    run("", warm)
    rows = []
    for task, script in TASKS.items():
        script = script.replace("{model!r}", repr(str(model)))
        for disk, environment in disks.items():
            alone, found = [], []
            for _ in range(turns):
                if disk == "fresh":
                    shutil.rmtree(cache, ignore_errors=True)
                alone.append(run("", warm))
                found.append(run(script, environment))
            (seconds, megabytes), (base, base_megabytes) = np.min(found, 0), np.min(alone, 0)
            rows.append(
                {
                    "task": task,
                    "disk": disk,
                    "seconds": float(seconds - base),
                    "megabytes": float(megabytes - base_megabytes),
                    "ratio": float((seconds - base) / base),
                    "sklearn_seconds": float(base),
                }
            )
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(Path(folder), arguments.turns)
    head = ["beyond importing scikit-learn", "disk", "seconds", "MB", "times its import"]
    lines = [
        [
            r["task"], r["disk"], f"{r['seconds']:.2f}", f"{r['megabytes']:.0f}",
            f"{r['ratio']:.2f}",
        ]
        for r in rows
    ]  # fmt: skip
    alone = min(r["sklearn_seconds"] for r in rows)
    print_table(f"Cold start; scikit-learn alone takes {alone:.2f} s", [head, *lines])
    if arguments.json:
        write_json(arguments.json, rows)


if __name__ == "__main__":
    main()
