"""``trisect demo``, where the package has one."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec


def demo_available() -> bool:
    """Whether the package has a demonstration."""
    return find_spec("trisect.demo") is not None


def run_demo() -> int:
    """Watch a network grow and decide, on data that ships with scikit-learn."""
    outcome = import_module("trisect.demo").main()
    return outcome if isinstance(outcome, int) else 0
