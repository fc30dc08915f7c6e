"""The command on a real Dask cluster of two workers."""

import os
import sys
from dataclasses import replace

import pytest

from trisect_experiments.records import TIMES
from trisect_experiments.store import ResultStore

distributed = pytest.importorskip("distributed")

# distributed warns about its own threads when a cluster goes down
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

RUN = ("reproduce", "static", "--quick", "--models", "STWD-SFNN", "m2-SFNN-R", "--datasets", "xor")


@pytest.fixture
def address(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**options, silence_logs=50) as cluster:
        yield cluster.scheduler_address


def test_networks_are_the_local_ones(address, command, tmp_path):
    code, output, errors = command(*RUN, "--dask", address, "--store", "cluster.sqlite")
    assert code == 0, errors
    assert f"Dask at {address}, 2 cores" in output.replace("\n", " ")
    code, _, errors = command(*RUN, "--store", "local.sqlite", "--out", "local")
    assert code == 0, errors
    kept = []
    for name in ("cluster.sqlite", "local.sqlite"):
        with ResultStore(tmp_path / name) as store:
            results = [replace(r, **dict.fromkeys(TIMES, 0.0)) for r in store.results()]
            kept.append(sorted(map(str, results)))
    assert len(kept[0]) == 4 and kept[0] == kept[1]


def test_a_report_needs_no_cluster(command):
    command(*RUN)
    code, _, errors = command(*RUN, "--report-only", "--dask", "tcp://127.0.0.1:9")
    assert code == 0, errors
