"""The version of the code that a stored result depends on.

A result is known by what decides what is learned and nothing else. For models of other packages
that is the version of the package. For ours it is a digest of the rooms of trisect that take part
in a fit, without what cannot change one: comments, docstrings and formatting are not hashed, and
neither are plots, metrics, reports and the command line.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path

import trisect

LEARNING = ("decisions", "network", "scaling", "growth", "estimators")
"""Rooms of trisect whose code decides what a network learns and predicts."""


def package_code(name: str) -> str:
    """Version of an installed package, such as ``"scikit-learn 1.9.1"``."""
    return f"{name} {version(name)}"


@cache
def trisect_code() -> str:
    """Version of trisect, with a digest of the sources in `LEARNING`."""
    root = Path(trisect.__file__).parent
    files = (file for room in LEARNING for file in (root / room).rglob("*.py"))
    return f"trisect {trisect.__version__} {source_digest(files, root)}"


def source_digest(files: Iterable[Path], root: Path) -> str:
    """Ten hexadecimal digits that change with the code of some files or their place in `root`."""
    digest = hashlib.sha256()
    for file in sorted(files):
        name = file.relative_to(root).as_posix()
        digest.update(f"{name}\0{code_without_prose(file.read_text('utf-8'))}\0".encode())
    return digest.hexdigest()[:10]


def code_without_prose(source: str) -> str:
    """The syntax tree of a module as text, without comments, docstrings and layout."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            # A string that stands alone does nothing: it documents what is above or below it.
            node.body = [part for part in body if not _is_string(part)]  # type: ignore[attr-defined]
    return ast.dump(tree)


def _is_string(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
