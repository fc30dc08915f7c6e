"""Where each instance was settled, in two bytes."""

import numpy as np
import pytest

from trisect.decisions import BND, NEG, POS
from trisect.growth import Settlement


def test_a_settlement_takes_two_bytes_per_row():
    settled = Settlement.none(1000, n_levels=10)
    assert settled.levels.dtype == np.uint8 and settled.codes.dtype == np.int8
    assert sum(part.nbytes for part in settled) == 2000


@pytest.mark.parametrize(("n_levels", "dtype"), [(255, np.uint8), (256, np.uint16)])
def test_the_number_of_every_level_fits(n_levels, dtype):
    assert Settlement.none(1, n_levels).levels.dtype == dtype


def test_what_is_deferred_stays_open_and_the_rest_says_who_settled_it():
    settled = Settlement.none(5, n_levels=3)
    by_granule = np.array([False, True, True, False])
    settled.settle(np.arange(1, 5), 1, np.array([POS, NEG, BND, BND], np.int8), by_granule)
    settled.settle(np.array([3, 4]), 2, np.array([POS, NEG], np.int8), np.array([True, False]))
    assert settled.levels.tolist() == [0, 1, 1, 2, 2]
    assert settled.codes.tolist() == [0, 1, -2, 2, -1]
    assert settled.regions.tolist() == [0, POS, NEG, POS, NEG]
    assert settled.by_granule.tolist() == [False, False, True, True, False]


def test_instances_go_back_to_the_rows_they_came_from():
    settled = Settlement(np.array([1, 2], np.uint8), np.array([2, -1], np.int8))
    back = settled.scattered(np.array([3, 0]), 4)
    assert back.levels.tolist() == [2, 0, 0, 1] and back.codes.tolist() == [-1, 0, 0, 2]
    assert (back.levels.dtype, back.codes.dtype) == (np.uint8, np.int8)
