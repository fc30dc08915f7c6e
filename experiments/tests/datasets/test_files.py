"""Any csv or parquet file with a label column is a dataset."""

import numpy as np
import pandas as pd
import pytest

from trisect_experiments.datasets import Dataset, load_dataset

FRAME = pd.DataFrame(
    {"age": [1.5, 2.0, None], "town": ["Ulm", "Bonn", "Ulm"], "sick": ["yes", "no", "yes"]}
)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_file_in_place_of_a_name(suffix, tmp_path):
    path = tmp_path / f"clinic.{suffix}"
    FRAME.to_csv(path, index=False) if suffix == "csv" else FRAME.to_parquet(path)
    data = load_dataset(path, target="sick")
    assert data.name == "clinic" and data.feature_names == ("age", "town")
    assert data.y.tolist() == [1, 0, 1]
    np.testing.assert_array_equal(data.X, [[1.5, 2], [2, 1], [np.nan, 2]])


@pytest.mark.parametrize("labels", [[1, 2], [0, 7], [-1.0, 1.0], [False, True], ["no", "yes"]])
def test_the_larger_label_is_the_positive_class(tmp_path, labels):
    path = tmp_path / "t.csv"
    pd.DataFrame({"a": [1, 2, 3], "target": [*labels, labels[0]]}).to_csv(path, index=False)
    assert load_dataset(str(path)).y.tolist() == [0, 1, 0]


def test_mistakes_are_named(tmp_path):
    path = tmp_path / "clinic.csv"
    FRAME.to_csv(path, index=False)
    with pytest.raises(ValueError, match="no column 'target'; its columns are age, town, sick"):
        load_dataset(path)
    with pytest.raises(ValueError, match=r"neither a dataset nor a csv.*breast-cancer"):
        load_dataset("breast-canser")
    with pytest.raises(FileNotFoundError, match=r"nowhere\.csv"):
        load_dataset("nowhere.csv")
    FRAME.assign(target=[1, None, 2]).to_csv(path, index=False)
    with pytest.raises(ValueError, match="1 rows have no 'target'"):
        load_dataset(path)
    with pytest.raises(ValueError, match="two classes, but 'age' has 3 different values"):
        load_dataset(_written(tmp_path / "ages.csv", FRAME.fillna(7)), target="age")


def _written(path, frame):
    frame.to_csv(path, index=False)
    return path


def test_a_changed_cell_changes_the_fingerprint():
    a = load_dataset("xor", n_samples=10)
    b = Dataset("copy", a.X.copy(), a.y.copy(), a.feature_names)
    assert a.fingerprint == b.fingerprint
    b.X[9, 1] += 1e-12
    assert Dataset("copy", b.X, a.y, a.feature_names).fingerprint != a.fingerprint


def test_shapes_and_labels_are_checked():
    with pytest.raises(ValueError, match="same rows"):
        Dataset("x", np.zeros((2, 1)), np.array([1]), ("a",))
    with pytest.raises(ValueError, match="2 feature names for 1 columns"):
        Dataset("x", np.zeros((2, 1)), np.array([0, 1]), ("a", "b"))
    with pytest.raises(ValueError, match="labels must be 0 and 1"):
        Dataset("x", np.zeros((2, 1)), np.array([1, 2]), ("a",))
