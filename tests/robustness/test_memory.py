"""How much memory a fit and a prediction add to the data."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import trisect

# What the process needs besides anything that grows with the data.
CONSTANT_MB = 60

SCRIPT = """
import resource
import numpy as np
from trisect import STWDSFNNClassifier

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

def data(n):
    rng = np.random.default_rng(0)
    X = np.empty((n, 20), np.float32)
    for start in range(0, n, 10_000):
        X[start : start + 10_000] = rng.standard_normal((min(10_000, n - start), 20), np.float32)
    return X, (X[:, 0] + X[:, 1] > 0).astype(np.int8)

model = STWDSFNNClassifier(
    max_levels=2, node_updates=10, joint_updates=20, polish_updates=20, random_state=0
)
# A first fit loads everything that is loaded once, and touches what is bounded in size.
model.fit(*data(300_000)).predict_proba(data(300_000)[0])
X, y = data({n})
before = peak()
model.fit(X, y)
fitted = peak()
model.predict_proba(X)
print(X.nbytes / 2**20, fitted - before, peak() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read in kilobytes")
def test_a_fit_adds_at_most_one_and_a_half_times_the_data():
    environment = os.environ | {"PYTHONPATH": str(Path(trisect.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(n=1_500_000)],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    size, fit, both = map(float, done.stdout.split())
    assert fit <= 1.5 * size + CONSTANT_MB
    assert both <= 1.5 * size + CONSTANT_MB
