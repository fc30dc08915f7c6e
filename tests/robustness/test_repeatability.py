"""One seed fixes the fit bit for bit, wherever and beside whatever it runs."""

import hashlib
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import trisect
from trisect import STWDSFNNClassifier
from trisect.growth import PaperGrowth, RefinedGrowth

GROWTHS = {
    "refined": RefinedGrowth(node_updates=30, joint_updates=80, polish_updates=60),
    "paper": PaperGrowth(max_epochs=5),
}


def _data(n, n_features=5):
    X = np.random.default_rng(0).normal(size=(n, n_features))
    noise = np.random.default_rng(1).normal(size=n)
    return X, (np.square(X[:, 0]) + X[:, 1] + noise > 1).astype(int)


def _model(growth, seed=0):
    return STWDSFNNClassifier(GROWTHS[growth], max_levels=4, random_state=seed)


def _print_of(growth, n, n_features=5, seed=0):
    """A fingerprint of everything that a fit leaves behind."""
    X, y = _data(n, n_features)
    model = _model(growth, seed).fit(X, y)
    parts = [pickle.dumps(model.network_), *model.read_outs_, *model.settlement_]
    parts += [[level.result_cost, level.validation_score, level.n_bnd] for level in model.levels_]
    parts += [model.coefs_[0], model.predict_proba(X), [model.best_level_, model.l2_]]
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part if isinstance(part, bytes) else np.ascontiguousarray(part))
    return digest.hexdigest()


CASES = [("refined", 1500, 5), ("refined", 6000, 60), ("paper", 3000, 5)]


@pytest.mark.parametrize(("growth", "n", "n_features"), CASES)
def test_run_to_run(growth, n, n_features):
    first = _print_of(growth, n, n_features)
    assert _print_of(growth, n, n_features) == first
    assert _print_of(growth, n, n_features, seed=1) != first


def test_the_seed_of_numpy_does_not_matter():
    np.random.seed(0)  # noqa: NPY002
    first = _print_of("refined", 1000)
    np.random.seed(1)  # noqa: NPY002
    assert _print_of("refined", 1000) == first


def test_a_random_state_object_moves_on():
    X, y = _data(500)
    state = np.random.RandomState(0)
    first, second = (_model("refined", state).fit(X, y).predict_proba(X) for _ in range(2))
    assert not np.array_equal(first, second)
    again = _model("refined", np.random.RandomState(0)).fit(X, y).predict_proba(X)
    assert np.array_equal(first, again)


def test_fits_in_threads_equal_fits_one_after_another():
    cases = [(*case, seed) for case in CASES for seed in range(2)]
    expected = [_print_of(*case) for case in cases]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(lambda case: _print_of(*case), cases)) == expected


@pytest.mark.parametrize("threads", [pytest.param(1, marks=pytest.mark.slow), 3])
def test_another_process_with_another_number_of_threads(threads):
    source, here = Path(trisect.__file__).parents[1], Path(__file__).parent
    script = f"import {Path(__file__).stem} as t; print(*(t._print_of(*c) for c in t.CASES))"
    names = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"]
    environment = os.environ | dict.fromkeys(names, str(threads))
    environment["PYTHONPATH"] = os.pathsep.join([str(source), str(here)])
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [_print_of(*case) for case in CASES]
