"""Proper scores and reliability: closed forms, and a draw from the probabilities themselves."""

import numpy as np
import pytest

from trisect_experiments.calibration import (
    N_BINS,
    calibration,
    calibration_error,
    reliability_table,
)


@pytest.fixture(scope="module")
def drawn():
    rng = np.random.default_rng(0)
    p = rng.random(200_000)
    return (rng.random(p.size) < p).astype(int), p


def test_scores_of_one_probability_are_its_entropy_and_variance():
    y = np.repeat([0, 1], [75, 25])
    found = calibration(y, np.full(100, 0.25))
    assert found["log_loss"] == pytest.approx(-0.75 * np.log(0.75) - 0.25 * np.log(0.25))
    assert found["brier"] == pytest.approx(0.75 * 0.25)
    assert calibration_error(found["reliability"]) == 0


def test_every_row_is_in_one_bin_and_certainty_in_the_outer_ones():
    found = calibration([0, 1, 1, 0], [0.0, 1.0, 0.1, 0.999])["reliability"]
    assert [count for count, _, _ in found] == [1, 1, 0, 0, 0, 0, 0, 0, 0, 2]


def test_true_probabilities_are_reliable_and_squared_ones_are_not(drawn):
    y, p = drawn
    assert calibration_error(calibration(y, p)["reliability"]) < 0.005
    # Said p squared where p happens: the mean distance is 1/2 - 1/3.
    off = calibration_error(calibration(y, p**2)["reliability"])
    assert off == pytest.approx(1 / 6, abs=0.005)


def test_a_reliability_table_shows_what_was_said_and_what_happened(drawn):
    y, p = drawn
    table = reliability_table([calibration(y, p)["reliability"]])
    assert len(table) == N_BINS and sum(row.share for row in table) == pytest.approx(1)
    for row in table:
        assert row.low <= row.predicted <= row.high
        assert row.observed == pytest.approx(row.predicted, abs=0.02)


def test_an_empty_bin_has_no_rates():
    table = reliability_table([calibration([0, 1], [0.0, 1.0])["reliability"]])
    assert np.isnan([table[4].predicted, table[4].observed]).all() and table[4].share == 0
