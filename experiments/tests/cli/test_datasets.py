"""The list of datasets, and fetching one."""

import pytest

from trisect_experiments.cli.datasets import listing
from trisect_experiments.datasets import load_dataset
from trisect_experiments.datasets.loading import dataset_names


def test_every_name_is_listed(command):
    code, output, _ = command("datasets")
    assert code == 0
    names = dataset_names()
    assert [row[0] for row in listing()] == [*names["paper"], *names["embedded"]]
    assert all(name in output for name in (*names["paper"], *names["embedded"]))
    assert "UCI 544" in output and "2,111" in output and "scikit-learn" in output


@pytest.mark.parametrize("name", dataset_names()["embedded"])
def test_embedded_sizes_are_true(name):
    row = next(row for row in listing() if row[0] == name)
    data = load_dataset(name)
    assert row[1:3] == (f"{data.n_rows:,}", f"{data.n_features:,}")


def test_fetching_passes_the_data_folder_by(command, monkeypatch):
    asked = []

    def load(name, folder, cache_dir):
        asked.append((name, folder, str(cache_dir)))
        return load_dataset("example")

    monkeypatch.setattr("trisect_experiments.cli.datasets.load_dataset", load)
    code, output, _ = command("datasets", "fetch", "eol", "--cache-dir", "kept")
    assert code == 0 and asked == [("EOL", "", "kept")]
    assert "EOL: 10 rows, 4 features, as expected." in output and "Kept in kept." in output
