"""Say once that the kernels are being compiled, instead of seeming to hang."""

import logging
from functools import cache
from pathlib import Path

__all__ = ["announce_compilation"]


@cache
def announce_compilation() -> None:
    """Log a line if the kernels are not in the compiler's cache yet."""
    from trisect.network import kernels

    folder = Path(kernels.train_epoch.stats.cache_path)
    written = Path(kernels.__file__).stat().st_mtime
    compiled = folder.glob("kernels.train_epoch-*.nbi")
    if not any(index.stat().st_mtime >= written for index in compiled):
        logging.getLogger("trisect").warning(
            "Compiling the training kernels; this happens once and takes some seconds."
        )
