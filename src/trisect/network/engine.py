"""The choice of an engine: compiled loops where there is a compiler, else plain NumPy."""

import sys
from functools import cache
from typing import cast

from trisect.network import reference
from trisect.network.contract import Engine
from trisect.network.notices import log_once

__all__ = ["engine_for", "get_engine"]

# Cells (rows times inputs) from which compiled code evaluates. If the compiler is loaded:
# NumPy takes 0.02 to 0.07 s for a million cells, compiled code a quarter of that. If it is
# not: loading it takes about as long as NumPy takes for 16 million cells, a second. To load the
# code of one task takes milliseconds, which a fit has back at once: it scales rows ten times.
MANY_CELLS = {"scale": 1 << 15, "probabilities": 1 << 20, "walk": 1 << 20}
MANY_CELLS_TO_LOAD = 1 << 24


def get_engine() -> Engine:
    """Return the engine for a fit.

    Returns
    -------
    Engine
        The fast one; the reference where numba is missing or cannot compile, which is
        logged once.
    """
    return _fast_or_reference("train")


def engine_for(task: str, n_cells: int) -> Engine:
    """Return the engine for a task whose results are the same in every bit on both.

    Parameters
    ----------
    task : {"scale", "probabilities", "walk"}
        What it has to do.
    n_cells : int
        Number of rows times number of inputs.

    Returns
    -------
    Engine
        The reference for few cells, which neither loads nor compiles anything; the fast one
        for many, if it works.
    """
    loaded = "trisect.network.fast" in sys.modules
    if n_cells < (MANY_CELLS[task] if loaded else MANY_CELLS_TO_LOAD):
        return cast(Engine, reference)
    return _fast_or_reference(task)


@cache
def _fast_or_reference(task: str) -> Engine:
    try:
        from trisect.network import fast

        fast.prepare(task)
    except Exception as error:  # whatever keeps the compiler from working
        log_once(f"Without compiled code, which is slower: {type(error).__name__}: {error}")
        return cast(Engine, reference)
    return cast(Engine, fast)
