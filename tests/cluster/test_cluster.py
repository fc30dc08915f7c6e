"""Learning from Dask data frames and deciding on them, on a cluster whose workers may die."""

import os

import numpy as np
import pandas as pd
import pytest
from partitions import N_PARTITIONS, partition

from trisect import STWDSFNNClassifier, TableClassifier, load_model, save_model
from trisect.cluster import decide_frame, sample_frame
from trisect.files import sample_table

dd = pytest.importorskip("dask.dataframe")


def frame_of(mark=""):
    return dd.from_map(
        partition, range(N_PARTITIONS), deadly_mark=str(mark), meta=partition(0).iloc[:0]
    )


@pytest.fixture(scope="module")
def whole():
    return pd.concat([partition(i) for i in range(N_PARTITIONS)], ignore_index=True)


@pytest.fixture(scope="module")
def model(whole):
    network = STWDSFNNClassifier(max_levels=2)
    fitted = TableClassifier(network, pos_label="pays", random_state=0)
    return fitted.fit(whole.drop(columns="outcome"), whole["outcome"])


def written(sample, path):
    """The model that a sample gives, as the bytes of its file."""
    network = STWDSFNNClassifier(max_levels=2)
    fitted = TableClassifier(network, pos_label="pays", random_state=0)
    save_model(fitted.fit(sample.columns, sample.y), path)
    return path.read_bytes()


def same(a, b):
    """Whether two samples have the same rows and counts."""
    alike = [
        np.array_equal(x.codes, y.codes) and x.values == y.values
        if hasattr(x, "codes")
        else np.array_equal(x, y, equal_nan=True)
        for x, y in zip(a.columns.values(), b.columns.values(), strict=True)
    ]
    return all(alike) and np.array_equal(a.y, b.y) and a[2:] == b[2:]


def test_a_sample_is_that_of_a_file(whole, tmp_path):
    whole.to_parquet(tmp_path / "whole.parquet")
    from_file = sample_table(tmp_path / "whole.parquet", "outcome", 1000, seed=3)
    drawn = sample_frame(frame_of(), "outcome", 1000, seed=3)
    assert same(drawn, from_file) and len(drawn.y) == 1000 and drawn.of_rows == len(whole)
    other = sample_frame(frame_of().repartition(npartitions=3), "outcome", 1000, seed=3)
    assert same(other, drawn)
    assert not same(sample_frame(frame_of(), "outcome", 1000, seed=4), drawn)


def test_decisions_are_those_of_the_model(whole, model, tmp_path):
    save_model(model, tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    expected = pd.DataFrame(loaded.decision_table(whole))
    for one in (model, loaded):
        found = decide_frame(one, frame_of()).compute().reset_index(drop=True)
        pd.testing.assert_frame_equal(found, expected, check_dtype=False)
    assert set(expected["decision"]) == {"accept", "defer", "reject"}


def test_rows_without_a_class(whole):
    whole = whole.copy()
    whole.loc[[2500, 3000], "outcome"] = None
    frame = dd.from_pandas(whole, npartitions=4)
    with pytest.raises(ValueError, match=r"2 rows without a class in 'outcome'.* is row 2,501:"):
        sample_frame(frame, "outcome")
    drawn = sample_frame(frame, "outcome", on_error="skip")
    assert len(drawn.y) == drawn.of_rows == len(whole) - 2
    with pytest.raises(ValueError, match="no column 'result'; the columns are 'age', 'job'"):
        sample_frame(frame, "result")


@pytest.mark.slow
def test_a_killed_worker_changes_nothing(client, model, tmp_path):
    quiet = sample_frame(frame_of(), "outcome", 1500)
    expected = decide_frame(model, frame_of()).compute()
    mark = tmp_path / "deadly"
    mark.touch()
    before = set(client.run(os.getpid).values())
    drawn = sample_frame(frame_of(mark), "outcome", 1500)
    assert not mark.exists() and set(client.run(os.getpid).values()) != before
    assert written(drawn, tmp_path / "a.json") == written(quiet, tmp_path / "b.json")
    mark.touch()
    found = decide_frame(model, frame_of(mark)).compute()
    assert not mark.exists()
    pd.testing.assert_frame_equal(found, expected, check_exact=True)
