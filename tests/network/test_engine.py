"""Which engine works, what is loaded for it, and what is said; each time in a new process."""

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import trisect
from trisect import STWDSFNNClassifier

SOURCE = Path(trisect.__file__).parents[1]


def _run(script, source=SOURCE, **environment):
    environment = os.environ | {"PYTHONPATH": str(source)} | environment
    return subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )


FIT = """
import numpy as np
from trisect import SFNNClassifier
X = np.random.default_rng(0).normal(size=(200, 3))
y = (X[:, 0] + X[:, 1] > 0).astype(int)
for seed in range(2):
    model = SFNNClassifier(3, max_updates=100, scale="quantile", random_state=seed).fit(X, y)
print(model.score(X, y))
"""


@pytest.fixture(scope="module")
def stored_model(tmp_path_factory):
    X = np.random.default_rng(0).normal(size=(300, 4))
    model = STWDSFNNClassifier(max_levels=3, random_state=0).fit(X, X[:, 0] + X[:, 1] > 0)
    path = tmp_path_factory.mktemp("model") / "model.pickle"
    path.write_bytes(pickle.dumps(model))
    return path


def test_imports_leave_the_compiler_alone():
    script = """
import sys
import trisect.network, trisect.growth
from trisect import STWDSFNNClassifier
STWDSFNNClassifier()
print("numba" in sys.modules)
"""
    assert _run(script).stdout.strip() == "False"


def test_some_thousand_rows_are_decided_without_the_compiler(stored_model, tmp_path):
    script = f"""
import pickle, sys
import numpy as np
model = pickle.load(open({str(stored_model)!r}, "rb"))
X = np.random.default_rng(1).normal(size=(5000, 4))
for rows in (X[:1], X):
    model.predict_proba(rows), model.decide(rows), model.decide_sequentially(rows)
print("numba" in sys.modules)
"""
    nowhere = tmp_path / "nowhere"
    found = _run(script, NUMBA_CACHE_DIR=str(nowhere))
    assert found.stdout.strip() == "False" and found.stderr == "" and not nowhere.exists()


def test_without_numba_a_fit_runs_on_the_reference_engine_and_says_so_once():
    found = _run("import sys; sys.modules['numba'] = None\n" + FIT)
    assert float(found.stdout) > 0.8
    assert found.stderr.count("Without compiled code") == 1


def test_a_compiler_that_is_switched_off_counts_as_missing():
    found = _run(FIT, NUMBA_DISABLE_JIT="1")
    assert float(found.stdout) > 0.8
    assert found.stderr.count("Without compiled code") == 1


def test_a_compiler_that_fails_counts_as_missing(tmp_path):
    fail = """
import numba.core.compiler as compiler
def fail(*args, **kwargs):
    raise RuntimeError("no code today")
compiler.compile_extra = fail
"""
    found = _run(fail + FIT, NUMBA_CACHE_DIR=str(tmp_path))
    assert float(found.stdout) > 0.8
    assert found.stderr.count("no code today") == 1


PREPARE = """
from trisect.network import fast
fast.prepare("scale")
fast.prepare("scale")
"""


def test_compiling_is_announced_when_it_happens_and_never_otherwise(tmp_path):
    first, second = (_run(PREPARE, NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2))
    assert first.stderr.count("Compiling") == 1
    assert second.stderr == ""


def test_without_a_folder_for_compiled_code_each_process_compiles(tmp_path):
    source = tmp_path / "src"
    shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("__pycache__"))
    # A file where the folder should be keeps even a superuser from writing there.
    (source / "trisect" / "network" / "fast" / "__pycache__").touch()
    for _ in range(2):
        found = _run(PREPARE, source, NUMBA_CACHE_DIR="", XDG_CACHE_HOME=os.devnull)
        assert found.stderr.count("No folder") == 1
        assert found.stderr.count("Compiling") == 1


def test_kernels_are_compiled_for_one_set_of_types():
    script = """
import numpy as np
from trisect import STWDSFNNClassifier, SFNNClassifier
from trisect.growth import RefinedGrowth
from trisect.network import fast
growth = RefinedGrowth(thin=False)  # so that rows have enough inputs to be worth compiling for
rng = np.random.default_rng(0)
X = rng.normal(size=(200, 60))
for data in (X, X.astype(np.float32), np.asfortranarray(X[:, :5]), X[::2]):
    y = (data[:, 0] > 0).astype(int)
    for scale in ("standard", "curves"):
        model = SFNNClassifier(2, scale=scale, max_updates=20).fit(data, y, y + 1.0)
    model = STWDSFNNClassifier(growth, max_levels=2, random_state=0).fit(data, y)
    many = np.resize(data, ((1 << 20) // data.shape[1] + 1, data.shape[1]))
    many.flags.writeable = False
    for rows in (many, np.asfortranarray(many)):
        model.predict_proba(rows), model.decide_sequentially(rows), model.scaling_.transform(rows)
SFNNClassifier(2, max_updates=20, theta=2.0).fit(X, rng.integers(3, size=200))
kernels = (fast.sweep, *(getattr(fast.evaluation, n) for n in ("scale", "probabilities", "walk")))
print([len(kernel.signatures) for kernel in kernels])
"""
    assert _run(script).stdout.strip() == "[1, 1, 1, 1]"


PROBABILITY = """
import numpy as np
from trisect.network import InputMap, Network, fast
none = np.empty((0, 2))
inputs = InputMap(np.zeros(1), np.ones(1), 9.0, np.empty(0, dtype=np.int64), none, none, none)
node = Network(np.ones((1, 1)), np.zeros(1), np.array([[0.0, 1.0]]), np.zeros(2), "relu")
out = np.empty((1, 2))
fast.probabilities(np.ones((1, 1)), inputs, node.nodes, (node.W2, node.b2), out)
print(out[0, 1])
"""


@pytest.mark.slow
def test_a_change_in_a_function_that_a_kernel_calls_outdates_the_code(tmp_path):
    source, cache = tmp_path / "src", tmp_path / "cache"
    shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("__pycache__"))
    before = float(_run(PROBABILITY, source, NUMBA_CACHE_DIR=str(cache)).stdout)
    changed = source / "trisect" / "network" / "fast" / "vector_math.py"
    text = changed.read_text()
    assert "tail * r * r + r + ONE)" in text
    changed.write_text(text.replace("tail * r * r + r + ONE)", "tail * r * r + r + ONE + ONE)"))
    after = float(_run(PROBABILITY, source, NUMBA_CACHE_DIR=str(cache)).stdout)
    assert before == pytest.approx(1 / (1 + np.exp(-1)))
    assert after != pytest.approx(before, abs=0.01)


LEARN = """
import hashlib
import numpy as np
from trisect.network import ACTIVATIONS, Part, Training, initial_network, train
from trisect.scaling import fit_scaling

rng = np.random.default_rng(0)
X = rng.normal(size=(700, 16)).astype(np.float32)
weight = rng.uniform(0.5, 2, size=700).astype(np.float32)
for n_classes in (2, 3):
    y = rng.integers(n_classes, size=700).astype(np.int32)
    examples = Part(X, y, weight, n_classes)
    for activation in ACTIVATIONS:
        start = initial_network(16, 3, n_classes, activation, "normal", np.random.default_rng(1))
        for theta in (0.0, 1.5, 2.0):
            training = Training(40, 1e-2, theta=theta)
            (network,), losses = train(
                [start], examples, training, np.random.default_rng(2), l2=0.1, validation=examples
            )
            learnt = network.W1.tobytes() + network.W2.tobytes() + losses.tobytes()
            print(n_classes, activation, theta, hashlib.sha256(learnt).hexdigest())
scaling = fit_scaling(X, "curves", rng)
examples = Part(scaling.transform(X), y, weight, 3, knots=scaling.positions)
start = initial_network(16, 3, 3, "tanh", "normal", np.random.default_rng(1), examples.knots)
(network,), _ = train([start], examples, Training(40, 1e-2), np.random.default_rng(2), l2=0.1)
print(hashlib.sha256(network.nodes.rises.tobytes()).hexdigest())
"""


@pytest.mark.slow
def test_compiling_and_loading_the_code_round_alike(tmp_path):
    compiling, loading = (_run(LEARN, NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2))
    assert "Compiling" in compiling.stderr and "Compiling" not in loading.stderr
    assert len(set(compiling.stdout.splitlines())) == 37
    assert compiling.stdout == loading.stdout
