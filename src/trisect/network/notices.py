"""What is said once, through the logger of the package."""

import logging
from functools import cache

__all__ = ["log_once"]


@cache
def log_once(message: str) -> None:
    """Log a warning, the first time that it is given in a process."""
    logging.getLogger("trisect").warning(message)
