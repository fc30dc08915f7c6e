"""How much memory a fit and a prediction add to the data."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import trisect

N_ROWS = 5_000_000
# What a prediction needs besides its result.
CONSTANT_MB = 30

SCRIPT = """
import resource
import numpy as np
from trisect import STWDSFNNClassifier
from trisect.growth import RefinedGrowth

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

def data(n):
    rng = np.random.default_rng(0)
    X = np.empty((n, 20), np.float32)
    for start in range(0, n, 10_000):
        X[start : start + 10_000] = rng.standard_normal((min(10_000, n - start), 20), np.float32)
    return X, (X[:, 0] + X[:, 1] > 0).astype(np.int8)

growth = RefinedGrowth(node_updates=10, joint_updates=20, polish_updates=20)
model = STWDSFNNClassifier(growth, max_levels=2, random_state=0)
# A first fit loads everything that is loaded once, and touches what is bounded in size.
model.fit(*data(300_000)).predict_proba(data(300_000)[0])
X, y = data({n})
before = peak()
model.predict_proba(X)
predicted = peak()
model.fit(X, y)
print(X.nbytes / 2**20, predicted - before, peak() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read in kilobytes")
def test_five_million_rows():
    """A fit adds at most 1.5 times the data, a prediction no more than its result."""
    environment = os.environ | {"PYTHONPATH": str(Path(trisect.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(n=N_ROWS)],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    size, predicted, fitted = map(float, done.stdout.split())
    assert fitted <= 1.5 * size
    assert predicted <= N_ROWS * 2 * 8 / 2**20 + CONSTANT_MB
