"""The list of datasets, and fetching one."""

from trisect_experiments.cli.datasets import listing
from trisect_experiments.datasets import dataset_names


def test_every_name_is_listed(command):
    code, output, _ = command("datasets")
    assert code == 0
    assert tuple(row[0] for row in listing()) == dataset_names()
    assert all(name in output for name in dataset_names())
    assert (
        "UCI 544" in output and "2,111" in output and "scikit-learn" in output and "569" in output
    )


def test_what_needs_no_download_is_checked_all_the_same(command):
    code, output, _ = command("datasets", "fetch", "XOR", "ring")
    assert code == 0 and "xor: 5,000 rows, 2 features, as expected." in output
    assert "ring: 5,000 rows" in output and "Kept in" not in output
