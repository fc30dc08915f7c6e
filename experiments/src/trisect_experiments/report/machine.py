"""The machine that a report was made on."""

from __future__ import annotations

import os
import platform
import shlex
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

import trisect

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "pandas", "lightgbm")


def cpu_name() -> str:
    """Name of the processor as the operating system gives it."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    for line in text.splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine() or "unknown"


def machine() -> dict[str, str]:
    """Processor, cores, system, and versions of Python and of the packages used."""
    return {
        "CPU": cpu_name(),
        "Cores": str(os.cpu_count()),
        "System": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        "trisect": trisect.__version__,
        **{package: version(package) for package in PACKAGES},
    }


def command_text(arguments: Iterable[str]) -> str:
    """A command line without the folders of the machine that it ran on.

    Examples
    --------
    >>> command_text(["reproduce", "--data-dir", "/srv/tables", "--store=/tmp/a b.sqlite"])
    "trisect reproduce --data-dir tables '--store=a b.sqlite'"
    """

    def short(argument: str) -> str:
        name, equals, value = argument.rpartition("=")
        if name and not name.startswith("-"):
            name, equals, value = "", "", argument
        return name + equals + (Path(value).name if Path(value).is_absolute() else value)

    return shlex.join(["trisect", *map(short, arguments)])
