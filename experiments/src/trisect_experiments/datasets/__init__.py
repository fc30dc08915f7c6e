"""Datasets by name: those of the UCI archive, breast cancer and seeded generators.

>>> from trisect_experiments.datasets import load_dataset
>>> load_dataset("breast-cancer").X.shape
(569, 30)
"""

from trisect_experiments.datasets.archive import DatasetUnavailableError
from trisect_experiments.datasets.dataset import Dataset
from trisect_experiments.datasets.loading import dataset_names, load_dataset

__all__ = ["Dataset", "DatasetUnavailableError", "dataset_names", "load_dataset"]
