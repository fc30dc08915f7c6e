"""What a model says about rows, as the columns that `trisect predict` writes."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trisect.tables.cells import Texts

if TYPE_CHECKING:
    from trisect.runtime.model import Model

__all__ = ["DECISIONS", "Decided", "decided_on", "plain_array"]

DECISIONS = ("defer", "accept", "reject")
"""Words for the regions 0, 1 and -1."""


class Decided(NamedTuple):
    """Decisions on rows.

    Parameters
    ----------
    columns : dict
        ``label``, ``probability``, ``decision``, ``level`` and ``reason`` of each row. Words
        are `Texts`, levels a masked array.
    probabilities : ndarray of shape (n_rows, n_classes)
        Probabilities of the classes.
    regions : ndarray of int8
        1 accepts, 0 defers, -1 rejects.
    """

    columns: dict[str, Any]
    probabilities: NDArray[np.float64]
    regions: NDArray[np.int8]


def decided_on(
    model: "Model",
    numbers: NDArray[Any],
    odd: dict[str, NDArray[np.bool_]] | None = None,
    *,
    explain: bool = True,
) -> Decided:
    """Decide on rows that are numbers already, and say why.

    Parameters
    ----------
    model : Model
        The model.
    numbers : ndarray of shape (n_rows, n_numbers)
        What `Model.encode` returns, all finite.
    odd : dict of str to ndarray of bool, optional
        By column, the rows whose cells count as missing because they are not understood.
    explain : bool, default=True
        Whether to look for the level that is sure of each decision.

    Returns
    -------
    Decided
    """
    p = model.probabilities_of(numbers)
    regions = model.regions_of(p)
    best = p.argmax(axis=1)
    thresholds = model.document["thresholds"]
    if thresholds is None:
        shown = p[np.arange(len(p)), best]
        reasons = ["deferring costs less", "least expected cost", ""]
    else:
        shown = p[:, model.classes_.tolist().index(model.pos_label_)]
        alpha, beta = f"{thresholds['alpha']:.6g}", f"{thresholds['beta']:.6g}"
        reasons = [
            f"probability between {beta} and {alpha}",
            f"probability at least {alpha}",
            f"probability at most {beta}",
        ]
    places = (regions % 3).astype(np.int32)  # 0 defers, 1 accepts, 2 rejects
    label: Any = model.classes_[best]
    if model.classes_.dtype == object:
        label = Texts(best.astype(np.int32), model.classes_.tolist())
    columns = {
        "label": label,
        "probability": np.ascontiguousarray(shown),
        "decision": Texts(places, list(DECISIONS)),
        "level": _levels(model, numbers, regions, explain),
        "reason": _with_odd(Texts(places, reasons), odd or {}),
    }
    return Decided(columns, p, regions)


def plain_array(column: Any) -> NDArray[Any]:
    """Write a column of decisions as an array: words as objects, levels as numbers or NaN."""
    if isinstance(column, Texts):
        return np.array(column.values, dtype=object)[column.codes]
    if isinstance(column, np.ma.MaskedArray):
        return np.where(column.mask, np.nan, column.data)
    return column


def _levels(
    model: "Model", numbers: NDArray[Any], regions: NDArray[np.int8], explain: bool
) -> np.ma.MaskedArray:
    """Find the first level that is sure of each decision; there is none where that is to defer."""
    if not explain or model.document["read_outs"] is None:
        return np.ma.masked_all(len(regions), dtype=np.int64)
    walk = model.walk_of(numbers)
    # Where an early level would decide otherwise, it is the last one that counts.
    levels = np.where(walk.regions == regions, walk.levels, walk.n_levels)
    return np.ma.masked_array(levels.astype(np.int64), regions == 0)


def _with_odd(reasons: Texts, odd: dict[str, NDArray[np.bool_]]) -> Texts:
    """Add to the reasons of rows which of their cells were not understood."""
    for name, rows in odd.items():
        more = [f"{reason}; {name} not understood, counts as missing" for reason in reasons.values]
        codes = reasons.codes + np.int32(len(more)) * rows
        used, codes = np.unique(codes, return_inverse=True)
        both = [*reasons.values, *more]
        reasons = Texts(codes.astype(np.int32), [both[i] for i in used])
    return reasons
