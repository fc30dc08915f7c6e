"""Cells of cases for which every option is worth nearly the same."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["summarise"]

# Directions with less than this share of the largest variance are rounding.
ROUNDING = 1e-20


def summarise(
    values: NDArray[np.float64], counts: NDArray[np.int64], n_cells: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Divide rows into cells of equal size, and return what each cell stands for.

    Cells are halved at the median of the direction in which they are widest. How options
    differ matters as much as what they are worth, but varies much less: hence directions are
    principal components, all of one variance.

    Parameters
    ----------
    values : ndarray of shape (n_options, n_rows)
        What each option is worth.
    counts : ndarray of int of shape (n_rows,)
        Cases of each row.
    n_cells : int
        Number of cells, a power of two and at most the number of rows.

    Returns
    -------
    means : ndarray of shape (n_options, n_cells)
        Mean of the cases in each cell.
    totals : ndarray of shape (n_cells,)
        Number of cases in each cell.
    """
    centred = values - values.mean(axis=1, keepdims=True)
    sizes, axes = np.linalg.eigh(centred @ centred.T)
    kept = sizes > ROUNDING * sizes[-1]
    points = (axes[:, kept] / np.sqrt(sizes[kept])).T @ centred
    cells = [(np.arange(len(counts)), points)]
    while len(cells) < n_cells:
        cells = [half for cell in cells for half in _halves(*cell)]
    order = np.concatenate([rows for rows, _ in cells])
    starts = np.cumsum([0, *(len(rows) for rows, _ in cells[:-1])])
    totals = np.add.reduceat(counts[order], starts).astype(np.float64)
    sums = np.add.reduceat(counts[order] * values[:, order], starts, axis=1)
    return sums / totals, totals


def _halves(rows: NDArray[np.intp], points: NDArray[np.float64]) -> list[tuple[NDArray, NDArray]]:
    widest = np.argmax(np.ptp(points, axis=1))
    middle = len(rows) // 2
    order = np.argpartition(points[widest], middle)
    return [(rows[half], points[:, half]) for half in (order[:middle], order[middle:])]
