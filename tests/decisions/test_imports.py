"""The theory stands on NumPy alone."""

import subprocess
import sys

import trisect


def test_the_theory_imports_numpy_only():
    code = (
        f"import sys; sys.path.insert(0, {trisect.__path__[0]!r} + '/..')\n"
        "import trisect.decisions\n"
        "print(sorted({'matplotlib', 'numba', 'pandas', 'scipy', 'sklearn'} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout.strip() == "[]", result.stderr
