"""Every check that scikit-learn has for an estimator, with one exception.

A fit draws the rows to hold back and their order. An instance of weight two is drawn as one
row and an instance given twice as two, so that the two fits agree in distribution and not bit
for bit: scikit-learn says the same of its HistGradientBoosting. What does hold of weights is
in `tests/robustness/test_weights.py`.
"""

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from trisect import (
    SFNNClassifier,
    STWDSFNNClassifier,
    TableClassifier,
    TableEncoder,
    TWDSFNNClassifier,
)

EXPECTED_FAILURES = {
    "check_sample_weight_equivalence_on_dense_data": (
        "which rows are held back, and their order, is drawn by row and not by weight"
    ),
}


def _expected(estimator):
    return EXPECTED_FAILURES


@parametrize_with_checks([STWDSFNNClassifier(), SFNNClassifier()], expected_failed_checks=_expected)
def test_check(estimator, check):
    check(estimator)


@parametrize_with_checks(
    [TableEncoder(), TableClassifier(LogisticRegression(solver="newton-cholesky"))]
)
def test_check_of_tables(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks(
    [
        STWDSFNNClassifier("paper"),
        STWDSFNNClassifier("paper", granules="rows"),
        SFNNClassifier("grid"),
        SFNNClassifier("swarm"),
        TWDSFNNClassifier(),
        TWDSFNNClassifier("paper"),
    ],
    expected_failed_checks=_expected,
)
def test_check_of_variants(estimator, check):
    check(estimator)
