"""Small fitted models of every kind that a file can hold."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from small_models import MODELS, fitted


@pytest.fixture(scope="session", params=sorted(MODELS))
def saved(request):
    """A fitted model of each kind, with rows to decide on."""
    return fitted(request.param)


@pytest.fixture
def rng():
    return np.random.default_rng(0)
