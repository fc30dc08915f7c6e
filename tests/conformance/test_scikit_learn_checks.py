"""Every check that scikit-learn has for an estimator, with no exceptions."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from trisect import STWDSFNNClassifier


@parametrize_with_checks(
    [
        STWDSFNNClassifier(),
        STWDSFNNClassifier("paper"),
        STWDSFNNClassifier("paper", granules="rows"),
    ]
)
def test_check(estimator, check):
    check(estimator)
