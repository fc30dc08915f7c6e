"""The compiler: loaded late, and announced once before it makes anybody wait."""

import os
import subprocess
import sys
from pathlib import Path

import trisect


def _run(script, cache):
    source = str(Path(trisect.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": source, "NUMBA_CACHE_DIR": str(cache)}
    return subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )


ANNOUNCE = """
from trisect.network.compilation import announce_compilation
announce_compilation("train_epoch")
announce_compilation("train_epoch")
announce_compilation("forward")
"""


def test_compilation_is_announced_once(tmp_path):
    assert _run(ANNOUNCE, tmp_path).stderr.count("Compiling the kernels") == 1


def test_nothing_is_announced_when_the_kernels_are_compiled(tmp_path):
    pretend = """
from pathlib import Path
from trisect.network.kernels import train_epoch
folder = Path(train_epoch.stats.cache_path)
folder.mkdir(parents=True, exist_ok=True)
(folder / "kernels.train_epoch-1.py3.nbi").touch()
(folder / "kernels.forward-1.py3.nbi").touch()
"""
    assert _run(pretend + ANNOUNCE, tmp_path).stderr == ""


def test_imports_leave_the_compiler_alone(tmp_path):
    script = """
import sys
import trisect.network, trisect.growth
from trisect import STWDSFNNClassifier
STWDSFNNClassifier()
print("numba" in sys.modules)
"""
    assert _run(script, tmp_path).stdout.strip() == "False"
