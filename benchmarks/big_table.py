"""A table of any size whose best possible accuracy is known, in parquet files.

Twenty columns of numbers (bell-shaped, with heavy tails, counts, two with gaps) and three of
words (six jobs, 500 towns, yes or no). The target is drawn from a probability that twelve bent
combinations of the numbers, two steps and the words make up. Rows come in blocks of 500,000, each
with a seed of its own, so that a longer table begins as a shorter one does.
"""

from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

BLOCK = 500_000
GROUP = 1_000_000
"""Rows of a row group, about what pyarrow writes by default."""
TARGET = "outcome"
NUMBERS = [f"n{i}" for i in range(20)]
JOBS = ["clerk", "cook", "driver", "nurse", "teacher", "welder"]
TOWNS = [f"town {i}" for i in range(500)]

_shape = np.random.default_rng(2024)
BENDS = _shape.normal(size=(12, 16)) * (_shape.random((12, 16)) < 0.3)
WAVES = _shape.uniform(0.6, 1.4, 12)
HEIGHTS = _shape.normal(size=12)
OF_JOB = _shape.normal(scale=0.7, size=len(JOBS))
OF_TOWN = _shape.normal(scale=0.6, size=len(TOWNS))


def block(number, n_rows=BLOCK):
    """Return the columns of a block, and the probability of each row."""
    rng = np.random.default_rng([7, number])
    Z = rng.standard_normal((n_rows, 20), dtype=np.float32)
    gaps = {f"n{i}": rng.random(n_rows) < 0.1 for i in (5, 18)}
    columns = {f"n{i}": Z[:, i] for i in range(20)}
    columns |= {f"n{i}": np.exp(Z[:, i]).round(3).astype(float) + 0.001 for i in range(8, 12)}
    columns |= {f"n{i}": np.floor(20 + 8 * Z[:, i]).astype(np.int32) for i in range(12, 16)}
    # The probability is one of what the table shows.
    Z[gaps["n5"], 5] = 0
    for i in range(8, 16):
        x = columns[f"n{i}"]
        Z[:, i] = np.log(x) if i < 12 else (x - 19.5) / 8
    columns = {name: pa.array(v, mask=gaps.get(name)) for name, v in columns.items()}
    job, town = rng.integers(len(JOBS), size=n_rows), rng.integers(len(TOWNS), size=n_rows)
    member = rng.random(n_rows) < 0.3
    score = np.sin(Z[:, :16] @ (BENDS * WAVES[:, None]).T.astype(np.float32)) @ HEIGHTS
    score += 1.2 * ((Z[:, 0] > 0.5) ^ (Z[:, 3] > -0.2)) + 0.8 * (Z[:, 7] * Z[:, 8] > 0)
    score += OF_JOB[job] + OF_TOWN[town] + np.where(member, 0.8 * Z[:, 1], -0.3)
    p = 1 / (1 + np.exp(-2.5 * (score - 0.9)))
    words = {"job": (job, JOBS), "town": (town, TOWNS), "member": (member, ["no", "yes"])}
    for name, (codes, values) in words.items():
        columns[name] = pa.array(values).take(pa.array(codes.astype(np.int32)))
    y = (rng.random(n_rows) < p).astype(np.int8)
    return pa.table(columns | {TARGET: pa.array(["stays", "leaves"]).take(pa.array(y))}), p, y


def best_accuracy(number=10_000):
    """The accuracy of the best rule, on a block."""
    _, p, y = block(number)
    return float(np.mean((p > 0.5) == y)), float(np.mean(np.maximum(p, 1 - p)))


def write(path, first, n_blocks):
    """Write blocks to a file, unless it is there."""
    path = Path(path)
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    schema = block(first, 10)[0].schema
    with parquet.ParquetWriter(part, schema) as writer:
        for number in range(first, first + n_blocks, GROUP // BLOCK):
            numbers = range(number, min(number + GROUP // BLOCK, first + n_blocks))
            writer.write_table(pa.concat_tables([block(i)[0] for i in numbers]), GROUP)
    return part.rename(path)
