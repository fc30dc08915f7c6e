"""What counts as truth: flags, and no labels."""

import numpy as np
import pytest

from trisect.decisions import CostMatrix, as_truth, learn_thresholds

COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)


@pytest.mark.parametrize(
    "flags",
    [
        [True, False],
        [1, 0],
        [1.0, 0.0],
        np.array([1, 0], dtype=np.uint8),
        np.array([True, False], dtype=object),
    ],
)
def test_flags_are_taken(flags):
    assert as_truth(flags).tolist() == [True, False]
    assert as_truth(flags).dtype == bool
    assert as_truth([]).tolist() == []


@pytest.mark.parametrize(
    ("labels", "shown"),
    [
        (["approve", "decline"], "'approve', 'decline'"),
        (["False", ""], "'False', ''"),
        ([-1, 1], "-1, 1"),
        ([1, 2], "1, 2"),
        ([0.0, np.nan], "0.0, nan"),
        (np.array([True, None], dtype=object), "True, None"),
    ],
)
def test_labels_are_no_truth(labels, shown):
    message = f"True and False .* got {shown}. Compare labels with the positive class"
    with pytest.raises(ValueError, match=message):
        as_truth(labels)
    with pytest.raises(ValueError, match=message):
        learn_thresholds([0.2, 0.8], labels, COSTS)
    with pytest.raises(ValueError, match=message):
        COSTS.charge(labels, [1, -1])
