"""``trisect demo``."""

from __future__ import annotations

from pathlib import Path


def demo(folder: Path = Path("trisect-demo")) -> int:
    """Watch a network grow and decide, on data that ships with scikit-learn.

    Parameters
    ----------
    folder
        Where the pictures go.
    """
    from trisect.demo import run

    return run(folder)
