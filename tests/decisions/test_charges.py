"""Intervals around measured costs."""

import numpy as np
import pytest

from trisect.decisions import bootstrap_interval


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
