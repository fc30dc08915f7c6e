"""The archive's datasets are the ones that the published counts describe."""

import numpy as np
import pytest

from trisect_experiments.datasets import DatasetUnavailableError, load_dataset
from trisect_experiments.datasets.uci import RECIPES

# rows, features, rows with label 0, rows with label 1
PUBLISHED = {
    "ONP": (36_606, 58, 34_564, 2_042),
    "QSAR": (8_992, 1_024, 8_251, 741),
    "OSP": (12_330, 17, 10_422, 1_908),
    "EGSS": (10_000, 13, 3_620, 6_380),
    "SE": (245_057, 3, 50_859, 194_198),
    "HTRU": (17_898, 8, 16_259, 1_639),
    "DCC": (30_000, 23, 23_364, 6_636),
    "ESR": (11_500, 178, 9_200, 2_300),
    "BM": (41_188, 20, 36_548, 4_640),
    "PCB": (10_503, 64, 10_008, 495),
    "PCB-complete": (4_885, 64, 4_778, 107),
    "SB": (6_321, 9, 5_646, 675),
    "EOL": (2_111, 16, 1_824, 287),
    "OD": (20_560, 5, 15_810, 4_750),
    "ROE": (10_129, 16, 8_228, 1_901),
    "SSMCR": (110_204, 3, 8_105, 102_099),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_counts(name, data_dir):
    data = load_dataset(name, data_dir)
    rows, features, *counts = PUBLISHED[name]
    assert (data.n_rows, data.n_features) == (rows, features)
    assert data.label_counts == tuple(counts)
    assert data.X.dtype == np.float64 and data.y.dtype == np.int64
    assert np.isnan(data.X).sum() == (9_888 if name == "PCB" else 0)


def test_every_dataset_is_counted():
    assert set(RECIPES) == set(PUBLISHED)


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


def test_a_folder_without_the_dataset_says_what_it_holds(tmp_path):
    with pytest.raises(DatasetUnavailableError, match=r"no SB\.parquet.*no parquet files"):
        load_dataset("SB", tmp_path)
