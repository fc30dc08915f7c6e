"""Models: what the harness needs to know about one, how ours and others are built."""

from trisect_experiments.models.code import package_code, trisect_code
from trisect_experiments.models.model import Configuration, Fixed, Model

__all__ = ["Configuration", "Fixed", "Model", "package_code", "trisect_code"]
