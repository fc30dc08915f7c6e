"""The package as a whole: what importing it costs, and what it offers."""

import subprocess
import sys

import pytest

import trisect


def test_import_is_light():
    code = "import sys, trisect; print({'numpy', 'sklearn', 'numba'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_theory_needs_numpy_only():
    code = "import sys, trisect.decisions; print({'scipy', 'sklearn', 'numba'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("name", trisect.__all__)
def test_public_names_exist(name):
    assert getattr(trisect, name) is not None
    assert name in dir(trisect)


def test_unknown_names_are_refused():
    with pytest.raises(AttributeError, match="no attribute 'unknown'"):
        trisect.unknown  # noqa: B018
