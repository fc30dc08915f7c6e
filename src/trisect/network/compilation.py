"""Say once that the kernels are being compiled, instead of seeming to hang."""

import logging
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["announce_compilation"]


@cache
def announce_compilation(kernel: Any) -> None:
    """Log a line, the first time only, if a kernel is not in the compiler's cache yet."""
    source = Path(kernel.py_func.__code__.co_filename)
    compiled = Path(kernel.stats.cache_path).glob(f"{source.stem}.{kernel.__name__}-*.nbi")
    if not any(index.stat().st_mtime >= source.stat().st_mtime for index in compiled):
        _announce()


@cache
def _announce() -> None:
    logging.getLogger("trisect").warning(
        "Compiling the kernels; this happens once and takes some seconds."
    )
