"""Which configuration a fold reports: the best on its validation fold, never on its test fold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trisect.experiments.records import Result


def _rank(value: float) -> float:
    return value if value == value else float("-inf")


def best_on_validation(results: Iterable[Result]) -> Result | None:
    """The result with the highest validation accuracy; AUC, then order, break ties.

    Failed fits are passed over; None when nothing is left.

    Examples
    --------
    >>> from trisect.experiments.records import Key, Result
    >>> key = Key("d", "m", "10-fold", 0, "{}", 0, "", "")
    >>> good = Result(key, accuracy=0.5, validation_accuracy=0.9)
    >>> lucky = Result(key, accuracy=0.9, validation_accuracy=0.5)
    >>> best_on_validation([lucky, good]).accuracy
    0.5
    """
    fitted = [result for result in results if not result.failed]
    return max(
        fitted,
        key=lambda r: (_rank(r.validation_accuracy), _rank(r.validation_auc)),
        default=None,
    )


def select(groups: Iterable[Sequence[Result]]) -> list[Result]:
    """`best_on_validation` of every group that has a successful fit."""
    chosen = (best_on_validation(group) for group in groups)
    return [result for result in chosen if result is not None]
