"""The archive's datasets are the ones that the published counts describe."""

import numpy as np
import pytest

from trisect_experiments.datasets import load_dataset
from trisect_experiments.datasets.uci import RECIPES


@pytest.mark.parametrize("name", RECIPES)
def test_size_and_labels_are_checked_on_loading(name, data_dir):
    data = load_dataset(name, data_dir)
    assert data.X.dtype == np.float64 and data.y.dtype == np.int64
    assert np.isnan(data.X).sum() == (9_888 if name == "PCB" else 0)


def test_a_selection_names_what_it_is_selected_from(data_dir):
    whole, part = load_dataset("PCB", data_dir), load_dataset("PCB-complete", data_dir)
    assert part.subset_of == "PCB" and whole.subset_of == ""
    np.testing.assert_array_equal(part.X, whole.X[~np.isnan(whole.X).any(axis=1)])


def test_the_last_column_of_egss_gives_the_label_away_and_the_notes_say_so(data_dir):
    data = load_dataset("EGSS", data_dir)
    assert np.array_equal(data.y, data.X[:, 12] > 0)
    assert "f12" in data.notes


@pytest.mark.parametrize(
    ("name", "column", "counts"),
    [
        ("BM", 17, {1: 2_632, 7: 13_769}),  # apr, may
        ("BM", 19, {1: 4_252, 2: 35_563, 3: 1_373}),  # failure, nonexistent, success
        ("EOL", 8, {1: 53, 2: 242, 3: 1_765, 4: 51}),  # Always, Frequently, Sometimes, no
        ("OSP", 15, {1: 1_694, 2: 85, 3: 10_551}),  # New, Other, Returning visitor
        ("OSP", 16, {1: 9_462, 2: 2_868}),  # weekend: false, true
    ],
)
def test_categories_are_numbered_in_alphabetical_order(name, column, counts, data_dir):
    values = load_dataset(name, data_dir).X[:, column]
    assert {code: int((values == code).sum()) for code in counts} == counts


def test_the_environment_names_the_folder(data_dir, monkeypatch):
    monkeypatch.setenv("TRISECT_DATA", str(data_dir))
    assert load_dataset("EOL").source == "EOL.parquet"
