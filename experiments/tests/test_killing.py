"""A run that is killed at any moment loses nothing that it acknowledged."""

import multiprocessing
import os
import random
import signal
import time

import pytest
from entrants import BAYES, CAPPED, TREE
from studies import without_times

from trisect_experiments.datasets import load_dataset
from trisect_experiments.plan import make_plan
from trisect_experiments.run import run
from trisect_experiments.store import ResultStore

KILLS = 25
FORK = multiprocessing.get_context("fork") if hasattr(os, "fork") else None

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(FORK is None, reason="needs fork and SIGKILL"),
]


def make_test_plan():
    return make_plan([load_dataset("breast-cancer")], [TREE, CAPPED, BAYES], n_splits=12)


def compute(path, pipe=None):
    """Run the plan in this process; say each key aloud once it is stored."""

    def acknowledge(result):
        if pipe is not None:
            pipe.send(result.key)

    with ResultStore(path) as store:
        run(make_test_plan(), store, on_result=acknowledge)
    if pipe is not None:
        pipe.send("done")


def heard(pipe):
    """Everything that arrived whole before the other end died."""
    try:
        while True:
            yield pipe.recv()
    except (EOFError, OSError):
        return


def table(path):
    with ResultStore(path) as store:
        results = store.results()
    return list(map(without_times, results)), [r.key for r in make_test_plan().outcome(results)]


def test_killed_at_random_moments(tmp_path):
    path, whole = tmp_path / "killed.sqlite", tmp_path / "whole.sqlite"
    rng = random.Random(0)
    acknowledged, interrupted, finished = set(), 0, False
    while not finished:
        here, there = FORK.Pipe(duplex=False)
        process = FORK.Process(target=compute, args=(path, there))
        process.start()
        there.close()
        messages = []
        if interrupted < KILLS:
            # Up to four results, then anywhere in the next fit, the next write, or the start.
            messages += [here.recv() for _ in range(rng.randrange(5))]
            time.sleep(rng.uniform(0.0, 0.02))
            os.kill(process.pid, signal.SIGKILL)
        messages += heard(here)
        process.join()
        finished = "done" in messages
        interrupted += not finished
        keys = {message for message in messages if message != "done"}
        assert acknowledged.isdisjoint(keys), "computed again although it was safe"
        acknowledged |= keys
        with ResultStore(path) as store:
            assert acknowledged <= store.keys(), "lost"
    assert interrupted >= 20
    assert process.exitcode == 0
    compute(whole)
    assert table(path) == table(whole)
    with ResultStore(path) as store:
        assert len(store) == make_test_plan().n_fits == len(store.keys())
        # A kill between the disk and the pipe may leave one result per kill unspoken.
        assert len(store) - KILLS <= len(acknowledged) <= len(store)


def test_two_processes_share_a_store(tmp_path):
    path, whole = tmp_path / "shared.sqlite", tmp_path / "whole.sqlite"
    both = [FORK.Process(target=compute, args=(path,)) for _ in range(2)]
    for process in both:
        process.start()
    for process in both:
        process.join()
    assert [process.exitcode for process in both] == [0, 0]
    compute(whole)
    assert table(path) == table(whole)
