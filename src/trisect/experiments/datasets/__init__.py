"""Datasets by name: the paper's fifteen, three offline tables and seeded generators.

>>> from trisect.experiments.datasets import load_dataset
>>> load_dataset("breast-cancer").X.shape
(569, 30)
"""

from trisect.experiments.datasets.archive import DatasetUnavailableError
from trisect.experiments.datasets.dataset import Dataset
from trisect.experiments.datasets.loading import dataset_names, load_dataset

__all__ = ["Dataset", "DatasetUnavailableError", "dataset_names", "load_dataset"]
