"""A Dask cluster gives the local results, also when a worker is killed."""

import os
import signal
import sys

import distributed
import pytest
from entrants import BAYES, SLOW, TREE

from trisect_experiments.datasets import load_dataset
from trisect_experiments.plan import make_plan
from trisect_experiments.records import TIMES
from trisect_experiments.runner import Silent, run
from trisect_experiments.store import ResultStore

# distributed warns about the death that is caused here
pytestmark = pytest.mark.filterwarnings("ignore")


def test_results_are_the_local_ones_although_a_worker_dies(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    plan = make_plan([load_dataset("breast-cancer")], [SLOW, TREE, BAYES], folds=range(8))
    killed = []

    class Killer(Silent):
        def finished(self, result):
            if not killed and len(cluster_store) >= 5:
                victim = sorted(client.run(os.getpid).values())[0]
                os.kill(victim, signal.SIGKILL)
                killed.append(victim)

    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
        ResultStore(tmp_path / "cluster.sqlite") as cluster_store,
        ResultStore(tmp_path / "local.sqlite") as local_store,
    ):
        summary = run(plan, cluster_store, dask=cluster.scheduler_address, listener=Killer())
        assert killed and (summary.computed, summary.failed) == (plan.n_fits, 0)
        run(plan, local_store)
        frames = [s.frame().drop(columns=list(TIMES)) for s in (cluster_store, local_store)]
        assert frames[0].equals(frames[1])
        details = [[r.details for r in s] for s in (cluster_store, local_store)]
        assert details[0] == details[1]
