"""What decisions cost once the truth is known."""

import numpy as np
import pytest

from trisect.decisions import CostMatrix, bootstrap_interval, charge

COSTS = CostMatrix.from_review(
    false_accept=5, false_reject=10, review=(1, 2), true_accept=0.5, true_reject=0.25
)


def test_charges_equal_a_ledger_made_by_hand():
    ledger = [
        (True, 1, 0.5),
        (True, 0, 1),
        (True, -1, 10),
        (False, 1, 5),
        (False, 0, 2),
        (False, -1, 0.25),
    ]
    positive, regions, amounts = zip(*ledger, strict=True)
    assert charge(positive, regions, COSTS).tolist() == list(amounts)


@pytest.mark.parametrize(
    ("positive", "regions", "message"),
    [
        ([True], [1, 1], "equally long"),
        ([True], [2], "regions must be"),
        ([[True]], [[1]], "one-dimensional"),
    ],
)
def test_wrong_books_are_refused(positive, regions, message):
    with pytest.raises(ValueError, match=message):
        charge(positive, regions, COSTS)


@pytest.mark.parametrize("kinds", [3, 500])
def test_the_interval_is_seeded_and_near_the_normal_one(kinds):
    charges = np.random.default_rng(3).integers(kinds, size=4000).astype(float)
    interval = bootstrap_interval(charges, random_state=7)
    assert interval == bootstrap_interval(charges, random_state=7)
    half = 1.96 * charges.std() / np.sqrt(len(charges))
    assert interval.low == pytest.approx(charges.mean() - half, abs=half / 5)
    assert interval.high == pytest.approx(charges.mean() + half, abs=half / 5)


@pytest.mark.parametrize("charges", [[], [np.nan], [[1.0]]])
def test_impossible_charges_are_refused(charges):
    with pytest.raises(ValueError, match="charges"):
        bootstrap_interval(charges)
    with pytest.raises(ValueError, match="confidence"):
        bootstrap_interval([1.0], confidence=1.0)
