"""Data and figures that tests of several folders share."""

import pytest
from hypothesis import settings
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler

# No test is about time: a busy machine may take as long as it likes.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture(scope="session")
def cancer():
    """Standardised features and classes of scikit-learn's breast-cancer data."""
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X), y


@pytest.fixture
def pyplot():
    """Matplotlib without a screen, all figures closed afterwards."""
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    yield plt
    plt.close("all")
