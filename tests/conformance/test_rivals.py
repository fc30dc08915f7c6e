"""Every check that scikit-learn has for an estimator, for the rival networks too."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from trisect import (
    GridSFNNClassifier,
    SFNNClassifier,
    SwarmSFNNClassifier,
    TWDSFNNClassifier,
)


@parametrize_with_checks(
    [
        SFNNClassifier(),
        GridSFNNClassifier(),
        SwarmSFNNClassifier(),
        TWDSFNNClassifier(),
        TWDSFNNClassifier("paper"),
    ]
)
def test_check(estimator, check):
    check(estimator)
