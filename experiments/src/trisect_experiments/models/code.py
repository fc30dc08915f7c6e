"""The version of the code that a stored result depends on.

A result is known by what decides what is learned and nothing else. For models of other packages
that is the version of the package. For ours it is a digest of the files of trisect that the
estimator imports, directly or through others, without what cannot change a fit: comments,
docstrings and formatting are not hashed. So work on one growth leaves the results of the other as
they are, and work on plots, files or the command line those of both.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import sys
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import trisect


def package_code(name: str) -> str:
    """Version of an installed package, such as ``"scikit-learn 1.9.1"``."""
    return f"{name} {version(name)}"


@cache
def trisect_code(estimator: type, *unused: type) -> str:
    """Version of trisect for one of its estimators: a digest of the files that take part in a fit.

    Parameters
    ----------
    estimator : type
    *unused : type
        Classes that it imports and does not use, such as the other growth. What only their files
        import does not count either.
    """
    root = Path(trisect.__file__).parent
    own, *others = (Path(inspect.getfile(part)) for part in (estimator, *unused))
    return f"trisect {source_digest(imported_files(own, root, others), root)}"


def imported_files(start: Path, root: Path, without: Collection[Path] = ()) -> set[Path]:
    """A file of the package in `root`, and those that it imports, directly or through others.

    A name that a package passes on leads to the file that it comes from; the ``__init__.py`` in
    between does not count. Files in `without` are not followed.
    """
    found: set[Path] = set()
    left = [start]
    while left:
        file = left.pop()
        if file not in found and file not in without:
            found.add(file)
            left += _imports(file, root)
    return found


def source_digest(files: Iterable[Path], root: Path) -> str:
    """Ten hexadecimal digits that change with the code of some files or their place in `root`."""
    digest = hashlib.sha256()
    for file in sorted(files):
        name = file.relative_to(root).as_posix()
        digest.update(f"{name}\0{code_without_prose(file.read_text('utf-8'))}\0".encode())
    return digest.hexdigest()[:10]


@cache
def code_without_prose(source: str) -> str:
    """The syntax tree of a module as text, without comments, docstrings and layout.

    It is the same in every version of Python that parses the module.
    """
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            # A string that stands alone does nothing: it documents what is above or below it.
            node.body = [part for part in body if not _is_string(part)]  # type: ignore[attr-defined]
        if getattr(node, "type_params", None) == []:
            del node.type_params  # type: ignore[attr-defined]  # Python 3.11 has none.
    # Python 3.13 leaves empty fields out unless told otherwise.
    options: dict[str, Any] = {"show_empty": True} if sys.version_info >= (3, 13) else {}
    return ast.dump(tree, **options)


def _imports(file: Path, root: Path) -> Iterator[Path]:
    for node in _imports_from(file.read_text("utf-8")):
        for alias in node.names:
            home = _home(node.module or "", alias.name, root)
            if home is not None:
                yield home


@cache
def _imports_from(source: str) -> list[ast.ImportFrom]:
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]


def _home(module: str, name: str, root: Path) -> Path | None:
    """The file that a name of a module comes from; None outside the package in `root`."""
    package, *parts = module.split(".")
    if package != root.name:
        return None
    folder = root.joinpath(*parts)
    if not folder.is_dir():
        return folder.with_suffix(".py")
    init = folder / "__init__.py"
    for node in _imports_from(init.read_text("utf-8")):
        for alias in node.names:
            # A package may import from itself what is a file of its own.
            if name == (alias.asname or alias.name) and node.module != module:
                return _home(node.module or "", alias.name, root)
    inside = (folder / f"{name}.py", folder / name / "__init__.py")
    return next((file for file in inside if file.exists()), init)


def _is_string(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
