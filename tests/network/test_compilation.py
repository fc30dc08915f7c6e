"""The compiler: loaded late, and announced once before it makes anybody wait."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import trisect


def _run(script, cache):
    source = str(Path(trisect.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": source, "NUMBA_CACHE_DIR": str(cache)}
    return subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )


ANNOUNCE = """
from trisect.network.compilation import announce_compilation
from trisect.network.curve_training import train_curves
from trisect.network.kernels import train_epoch
announce_compilation(train_epoch)
announce_compilation(train_epoch)
announce_compilation(train_curves)
"""


def test_compilation_is_announced_once(tmp_path):
    assert _run(ANNOUNCE, tmp_path).stderr.count("Compiling the kernels") == 1


def test_nothing_is_announced_when_the_kernels_are_compiled(tmp_path):
    pretend = """
from pathlib import Path
from trisect.network.kernels import train_epoch
folder = Path(train_epoch.stats.cache_path)
folder.mkdir(parents=True, exist_ok=True)
(folder / "kernels.train_epoch-1.py3.nbi").touch()
"""
    assert "Compiling" in _run(pretend + ANNOUNCE, tmp_path / "half").stderr
    pretend += '(folder / "curve_training.train_curves-1.py3.nbi").touch()'
    assert _run(pretend + ANNOUNCE, tmp_path / "whole").stderr == ""


def test_imports_leave_the_compiler_alone(tmp_path):
    script = """
import sys
import trisect.network, trisect.growth
from trisect import STWDSFNNClassifier
STWDSFNNClassifier()
print("numba" in sys.modules)
"""
    assert _run(script, tmp_path).stdout.strip() == "False"


LEARN = """
import hashlib
import numpy as np
from trisect.network import ACTIVATIONS, Examples, Training, initial_network, train
from trisect.scaling import fit_scaling

rng = np.random.default_rng(0)
X = rng.normal(size=(700, 16)).astype(np.float32)
weight = rng.uniform(0.5, 2, size=700).astype(np.float32)
for n_classes in (2, 3):
    y = rng.integers(n_classes, size=700).astype(np.int32)
    examples = Examples(X, y, weight, n_classes)
    for activation in ACTIVATIONS:
        start = initial_network(16, 3, n_classes, activation, "normal", np.random.default_rng(1))
        for theta in (0.0, 1.5, 2.0):
            training = Training(40, 1e-2, theta=theta)
            (network,), losses = train(
                [start], examples, training, np.random.default_rng(2), l2=0.1, validation=examples
            )
            learnt = network.W1.tobytes() + network.W2.tobytes() + losses.tobytes()
            print(n_classes, activation, theta, hashlib.sha256(learnt).hexdigest())
learned = fit_scaling(X, "learned", rng, X[:, 0] * X[:, 1] > 0, weight)
print(hashlib.sha256(learned.values.tobytes()).hexdigest())
"""


@pytest.mark.slow
def test_compiling_and_loading_the_kernels_round_alike(tmp_path):
    compiling, loading = (_run(LEARN, tmp_path) for _ in range(2))
    assert "Compiling" in compiling.stderr and "Compiling" not in loading.stderr
    assert len(set(compiling.stdout.splitlines())) == 37
    assert compiling.stdout == loading.stdout
