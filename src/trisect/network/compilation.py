"""Say once that the kernels are being compiled, instead of seeming to hang."""

import logging
from functools import cache
from pathlib import Path

__all__ = ["announce_compilation"]


@cache
def announce_compilation(kernel: str) -> None:
    """Log a line, the first time only, if a kernel is not in the compiler's cache yet."""
    from trisect.network import kernels

    folder = Path(getattr(kernels, kernel).stats.cache_path)
    written = Path(kernels.__file__).stat().st_mtime
    compiled = folder.glob(f"kernels.{kernel}-*.nbi")
    if not any(index.stat().st_mtime >= written for index in compiled):
        _announce()


@cache
def _announce() -> None:
    logging.getLogger("trisect").warning(
        "Compiling the kernels; this happens once and takes some seconds."
    )
