"""The package as a whole: what importing it costs, and what it offers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import trisect


@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        ("trisect", {"numpy", "sklearn", "numba"}),
        ("trisect.cli.app", {"numpy", "sklearn", "numba"}),
        ("trisect.decisions", {"matplotlib", "numba", "pandas", "scipy", "sklearn"}),
        ("trisect.tables.kinds", {"narwhals", "numba", "pandas", "scipy", "sklearn"}),
        ("trisect.files.reading", {"numba", "pandas", "pyarrow", "scipy", "sklearn"}),
    ],
)
def test_imports_are_light(module, unwanted):
    code = f"import sys, {module}; print({unwanted} & set(sys.modules))"
    environment = os.environ | {"PYTHONPATH": str(Path(trisect.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("name", trisect.__all__)
def test_public_names_exist(name):
    assert getattr(trisect, name) is not None
    assert name in dir(trisect)


def test_unknown_names_are_refused():
    with pytest.raises(AttributeError, match="no attribute 'unknown'"):
        trisect.unknown  # noqa: B018
