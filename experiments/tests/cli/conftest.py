"""Run the command in this process, or in one of its own."""

import os
import signal
import subprocess
import sys
from functools import partial

import pytest

from trisect.cli import main


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    """Call the command in an empty folder; returns code, output and errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TRISECT_DATA", raising=False)
    monkeypatch.setenv("COLUMNS", "100")

    def call(*arguments):
        code = main(list(arguments))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def process(tmp_path):
    """Start the command as a process of its own, in an empty folder."""
    environment = {k: v for k, v in os.environ.items() if k != "TRISECT_DATA"}
    environment |= {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "OMP_NUM_THREADS": "1",
        "COLUMNS": "100",
    }
    started = []

    def start(*arguments):
        child = subprocess.Popen(
            [sys.executable, "-u", "-m", "trisect.cli", *arguments],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            # A test run in the background ignores Ctrl-C, and its children would inherit that.
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        )
        started.append(child)
        return child

    yield start
    for child in started:
        if child.poll() is None:
            child.kill()
        child.communicate()
