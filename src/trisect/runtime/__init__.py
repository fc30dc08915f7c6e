"""Predict and decide from a model file, with NumPy alone.

A service that imports this package loads neither scikit-learn nor numba nor SciPy.

Examples
--------
>>> import trisect.runtime
>>> model = trisect.runtime.load_model("model.json")  # doctest: +SKIP
>>> model.decide([{"age": 31, "job": "nurse"}])  # doctest: +SKIP
array([1], dtype=int8)
"""

from trisect.model_file.schema_check import ModelFileError
from trisect.runtime.model import Model, load_model

__all__ = ["Model", "ModelFileError", "load_model"]
