"""What the tests share: helper modules, and the folder of development datasets."""

import os
import sys
from pathlib import Path

import pytest

# Worker processes import the test models by name.
sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """TRISECT_DATA, else ``shared/data`` beside the repository; skips without either."""
    named = os.environ.get("TRISECT_DATA")
    folder = Path(named) if named else Path(__file__).resolve().parents[3] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("no folder of parquet files: set TRISECT_DATA")
    return folder


@pytest.fixture(scope="module")
def cluster():
    """The address of a Dask cluster of two workers."""
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        with distributed.LocalCluster(**options, silence_logs=50) as started:
            yield started.scheduler_address


@pytest.fixture
def no_data_dir(monkeypatch):
    """Make sure that nothing is read from a data folder."""
    monkeypatch.delenv("TRISECT_DATA", raising=False)
