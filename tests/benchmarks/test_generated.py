"""The generated problems: what is drawn is what they say, and nothing beats the best rule."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from lightgbm import LGBMClassifier

_FILE = Path(__file__).parents[2] / "benchmarks" / "generated.py"
_SPEC = importlib.util.spec_from_file_location("generated", _FILE)
generated = importlib.util.module_from_spec(_SPEC)
sys.modules["generated"] = generated
_SPEC.loader.exec_module(generated)

SMALL = [name for name, (_, n_train) in generated.PROBLEMS.items() if n_train <= 10_000]
KNOWN = [name for name in SMALL if not name.startswith("clusters")]


@pytest.mark.parametrize("name", SMALL)
def test_a_seed_fixes_a_draw_and_another_one_changes_it(name):
    make = dict(generated.problems())[name]
    first, again, other = make(seed=0), make(seed=0), make(seed=1)
    for one, two in zip(first[:4], again[:4], strict=True):
        assert np.array_equal(one, two)
    assert not np.array_equal(first.X_train, other.X_train)
    assert np.isfinite(first.X_train).all() and len(first.X_test) == generated.N_TEST


@pytest.mark.parametrize("name", SMALL)
def test_every_class_is_there_to_be_learned(name):
    _, y, _, y_test, _ = generated.drawn(name, 0)
    share = np.bincount(y) / len(y)
    assert share.min() > 0.01 and np.array_equal(np.unique(y_test), np.arange(len(share)))


@pytest.mark.parametrize("name", KNOWN)
def test_the_best_rule_is_better_than_one_answer_for_all(name):
    *_, y_test, best = generated.drawn(name, 0)
    assert np.bincount(y_test).max() / len(y_test) + 0.1 < best <= 1


@pytest.mark.parametrize("name", ["curves", "clouds", "tree", "ratios, 4 classes", "counts"])
def test_nothing_is_more_accurate_than_the_best_rule(name):
    X, y, X_test, y_test, best = generated.drawn(name, 0)
    model = LGBMClassifier(n_jobs=1, verbosity=-1).fit(X, y)
    p = model.booster_.predict(X_test)
    labels = p > 0.5 if p.ndim == 1 else p.argmax(axis=1)
    accuracy = np.mean(labels == y_test)
    # Both are measured on the same 10,000 rows.
    assert 0.5 < accuracy < best + 0.005


def test_labels_are_drawn_from_the_probabilities():
    rng = np.random.default_rng(0)
    p = np.tile([0.5, 0.3, 0.2], (200_000, 1))
    share = np.bincount(generated.drawn_labels(rng, p)) / len(p)
    np.testing.assert_allclose(share, p[0], atol=0.005)


def test_labels_are_as_sharp_as_wanted():
    rng = np.random.default_rng(0)
    _, y, p = generated.labelled(rng, None, rng.standard_normal((50_000, 4)), 0.8)
    assert p.max(axis=1).mean() == pytest.approx(0.8, abs=1e-6)
    assert np.mean(p.argmax(axis=1) == y) == pytest.approx(0.8, abs=0.01)
