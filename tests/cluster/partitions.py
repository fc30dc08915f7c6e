"""Partitions for the tests, in a module that worker processes can import."""

import os
import signal
from pathlib import Path

import numpy as np
import pandas as pd

N_PARTITIONS = 8
ROWS = 500


def partition(number, deadly_mark=""):
    """Make a partition; the worker that makes the fifth one is killed if the mark says so.

    The mark is a file, which is deleted on the way, so that a second worker survives.
    """
    if number == 4 and deadly_mark and Path(deadly_mark).exists():
        Path(deadly_mark).unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    rng = np.random.default_rng(number)
    n = ROWS + 10 * number
    job, age = rng.choice(["nurse", "clerk", "cook"], n), rng.integers(18, 90, n)
    pays = ((job == "nurse") ^ (age > 60)) ^ (rng.random(n) < 0.05)
    return pd.DataFrame({
        "age": np.where(rng.random(n) < 0.1, np.nan, age),
        "job": job,
        "noise": rng.normal(size=n),
        "outcome": np.where(pays, "pays", "owes"),
    })  # fmt: skip
