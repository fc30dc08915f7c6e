import os
import sys
from pathlib import Path

import pytest

# Worker processes import the partitions by name.
sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="module")
def client():
    """A client of a Dask cluster of two worker processes."""
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        with (
            distributed.LocalCluster(**options, silence_logs=50) as started,
            distributed.Client(started) as connected,
        ):
            yield connected
