"""scikit-learn's checks of the classifiers that decide with others."""

from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from trisect import SequentialThreeWayClassifier, ThreeWayClassifier

COSTS = [[0, 1, 10], [5, 1, 0]]


@parametrize_with_checks(
    [
        ThreeWayClassifier(LogisticRegression()),
        ThreeWayClassifier(LogisticRegression(), COSTS, thresholds="learned", cv=3),
        ThreeWayClassifier(LinearSVC(random_state=0), calibration="sigmoid", cv=3),
        SequentialThreeWayClassifier(
            [
                ("cheap", DecisionTreeClassifier(max_depth=2, random_state=0)),
                ("expensive", LogisticRegression()),
            ],
            COSTS,
            final="defer",
        ),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
