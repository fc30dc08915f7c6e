"""Metrics by groups, such as those of a sensitive column, with intervals."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions import BND, NEG, POS, ClassCosts, as_costs
from trisect.metrics._truth import accepted_classes, is_deferred, positive_mask
from trisect.metrics.coverage import coverage, decided_accuracy, decided_error, deferral_rate
from trisect.metrics.exact_interval import exact_interval

__all__ = ["GroupTable", "by_group", "decision_metric"]

# Metrics that are shares, of all cases or of the decided ones: their intervals are exact.
SHARES = (coverage, deferral_rate, decided_accuracy, decided_error)
# Options with an entry for each case.
PER_CASE = ("sample_weight", "y_pred")
ALL = "all"


@dataclass(frozen=True, eq=False)
class GroupTable:
    """Metrics of each group and of all cases, with intervals.

    Parameters
    ----------
    groups : list
        The groups in order, and "all" at the end.
    n : ndarray of int of shape (n_groups + 1,)
        Number of cases.
    values, low, high : dict of str to ndarray of shape (n_groups + 1, ...)
        For each metric its values and their intervals; NaN where a metric says nothing.
    """

    groups: list[Any]
    n: NDArray[np.int64]
    values: dict[str, NDArray[np.float64]]
    low: dict[str, NDArray[np.float64]]
    high: dict[str, NDArray[np.float64]]

    def to_frame(self) -> Any:
        """Return a pandas data frame with a row for each group."""
        import pandas as pd

        columns: dict[str, Any] = {"n": self.n}
        for name, values in self.values.items():
            columns |= {
                name: values,
                f"{name}_low": self.low[name],
                f"{name}_high": self.high[name],
            }
        rows = {
            name: column if column.ndim == 1 else list(column) for name, column in columns.items()
        }
        return pd.DataFrame(rows, index=pd.Index(self.groups, name="group"))

    def __str__(self) -> str:
        rows = [("group", "n", *self.values)]
        rows += [
            (str(group), f"{self.n[k]:,}", *(self._cell(name, k) for name in self.values))
            for k, group in enumerate(self.groups)
        ]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            f"{row[0]:<{widths[0]}}"
            + "".join(f"  {cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True))
            for row in rows
        )

    def _cell(self, name: str, k: int) -> str:
        value, low, high = (table[name][k] for table in (self.values, self.low, self.high))
        if np.ndim(value):
            return " ".join(f"{v:g}" for v in np.ravel(value))
        return "-" if np.isnan(value) else f"{value:.3g} ({low:.3g} to {high:.3g})"


def by_group(
    metrics: Callable[..., Any] | Mapping[str, Callable[..., Any]],
    y_true: ArrayLike,
    decisions: ArrayLike,
    groups: ArrayLike,
    *,
    confidence: float = 0.95,
    n_resamples: int = 1000,
    random_state: Any = 0,
    **options: Any,
) -> GroupTable:
    """Compute metrics of decisions for each group of cases.

    Parameters
    ----------
    metrics : callable or dict of str to callable
        One or several metrics of this package, or functions of labels and decisions.
    y_true : array-like of shape (n_cases,)
        True labels.
    decisions : array-like of shape (n_cases,)
        What the metrics take: regions as ``decide`` returns them or, with more than two
        classes, what ``decide_classes`` returns.
    groups : array-like of shape (n_cases,)
        Group of each case, such as a sensitive column, or bins of one.
    confidence : float, default=0.95
        Confidence of each interval. Shares, such as `deferral_rate` and `decided_error`, have
        the exact interval of Clopper and Pearson, which is honest about groups without a
        mistake; other metrics a bootstrap interval, which needs groups of some size.
    n_resamples : int, default=1000
        Number of bootstrap samples.
    random_state : int, Generator or None, default=0
        Seed of the samples.
    **options : dict
        Passed to those metrics that take them, such as ``costs``. Costs per instance,
        ``sample_weight`` and ``y_pred`` are divided among the groups. The positive class is
        the same in all groups.

    Returns
    -------
    GroupTable

    See Also
    --------
    decision_metric : The same metrics for fairlearn's ``MetricFrame``.

    Examples
    --------
    >>> from trisect.metrics import by_group, decided_error, deferral_rate
    >>> y, regions = [1, 1, 0, 0, 1, 0], [1, 0, -1, 1, 0, 0]
    >>> sexes = ["f", "f", "f", "m", "m", "m"]
    >>> print(by_group({"deferred": deferral_rate, "error": decided_error}, y, regions, sexes))
    group  n                 deferred                    error
    f      3  0.333 (0.0084 to 0.906)           0 (0 to 0.842)
    m      3  0.667 (0.0943 to 0.992)           1 (0.025 to 1)
    all    6     0.5 (0.118 to 0.882)  0.333 (0.0084 to 0.906)
    """
    truth, taken, names = np.asarray(y_true), np.asarray(decisions), np.asarray(groups)
    if names.shape != truth.shape or len(taken) != len(truth) or truth.ndim != 1 or not len(truth):
        raise ValueError(
            "Labels, decisions and groups must have one entry for each case, got shapes "
            f"{truth.shape}, {taken.shape} and {names.shape}."
        )
    if taken.dtype.kind in "iu" and np.isin(taken, (POS, BND, NEG)).all() and (taken == NEG).any():
        # A group may lack rejected cases, so that its regions alone could be taken for labels.
        taken = taken.astype(np.int8)
    if not (0 < confidence < 1 and n_resamples >= 1):
        raise ValueError("confidence must lie between 0 and 1, and n_resamples be at least 1.")
    chosen = dict(metrics) if isinstance(metrics, Mapping) else {_core(metrics).__name__: metrics}
    known = {name for each in chosen.values() for name in inspect.signature(each).parameters}
    for name in options:
        if name not in known:
            raise TypeError(f"None of the metrics takes {name}.")
    options = _for_all_groups(options, known, truth, taken)
    rows = [*_members(names), np.arange(len(truth))]
    rng, found = np.random.default_rng(random_state), {}
    for name, metric in chosen.items():
        measure = _Measure(metric, truth, taken, options)
        found[name] = [measure.interval(cases, 1 - confidence, n_resamples, rng) for cases in rows]
    parts = {
        name: [np.array(part) for part in zip(*each, strict=True)] for name, each in found.items()
    }
    return GroupTable(
        [*(names[cases[0]].item() for cases in rows[:-1]), ALL],
        np.array([len(cases) for cases in rows]),
        *({name: part[k] for name, part in parts.items()} for k in range(3)),
    )


def decision_metric(metric: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """Turn a metric of decisions into a function of labels and decisions.

    Some metrics need no labels. fairlearn's ``MetricFrame`` calls all of them with both, and
    takes the decisions for predictions: regions, as ``decide`` returns them. It makes texts of
    the None in what ``decide_classes`` returns, so use `by_group` with more than two classes.

    Parameters
    ----------
    metric : callable
        A metric of this package, such as `deferral_rate` or `three_way_cost`.
    **options : dict
        Passed to the metric, such as ``costs``. Name ``pos_label`` if the labels are not 0
        and 1: a group may have labels of one class only.

    Returns
    -------
    callable
        Takes ``y_true``, ``y_pred`` (the decisions) and perhaps ``sample_weight``.

    Examples
    --------
    >>> from trisect.metrics import decision_metric, deferral_rate
    >>> decision_metric(deferral_rate)([1, 0, 1, 0], [1, 0, -1, -1])
    0.25
    """
    needs_truth = next(iter(inspect.signature(metric).parameters), "") not in (
        "regions",
        "decisions",
    )

    def measure(y_true: Any, y_pred: Any, /, **per_case: Any) -> Any:
        given = (y_true, y_pred) if needs_truth else (y_pred,)
        return metric(*given, **options, **per_case)

    measure.__name__ = getattr(_core(metric), "__name__", "metric")
    return measure


class _Measure:
    """A metric of some of the cases, with an interval."""

    def __init__(
        self, metric: Callable[..., Any], truth: NDArray, taken: NDArray, options: dict[str, Any]
    ) -> None:
        known = inspect.signature(metric).parameters
        self._options = {name: value for name, value in options.items() if name in known}
        self._core, self._truth, self._taken = _core(metric), truth, taken
        self._metric = decision_metric(metric)

    def __call__(self, cases: NDArray[np.intp]) -> Any:
        options = dict(self._options)
        for name, value in self._options.items():
            if name in PER_CASE and value is not None:
                options[name] = np.asarray(value)[cases]
            elif name == "costs" and hasattr(value, "take"):
                options[name] = value.take(cases)
        return self._metric(self._truth[cases], self._taken[cases], **options)

    def interval(
        self, cases: NDArray[np.intp], alpha: float, n_resamples: int, rng: np.random.Generator
    ) -> tuple[Any, Any, Any]:
        """Return the value of the metric, and the ends of an interval around it."""
        value = self(cases)
        if self._core in SHARES and self._options.get("sample_weight") is None:
            of_all = self._core in (coverage, deferral_rate)
            n = len(cases) if of_all else np.count_nonzero(~is_deferred(self._taken)[cases])
            return value, *_ends(value, int(n), alpha)
        if not _is_numeric(value):
            raise TypeError(
                f"{self._core.__name__} returns no number and no table of numbers, so that groups "
                f"cannot be compared by it; got {type(value).__name__}."
            )
        samples = np.array([self(rng.choice(cases, len(cases))) for _ in range(n_resamples)])
        low, high = np.quantile(samples, [alpha / 2, 1 - alpha / 2], axis=0)
        return value, low, high


def _core(metric: Any) -> Any:
    """Return the function inside a partial one."""
    return _core(metric.func) if isinstance(metric, partial) else metric


def _is_numeric(value: Any) -> bool:
    return not isinstance(value, tuple) and np.asarray(value).dtype.kind in "biuf"


def _for_all_groups(
    options: dict[str, Any], known: set[str], truth: NDArray[Any], taken: NDArray[Any]
) -> dict[str, Any]:
    """Settle what must not depend on the labels of a group: the positive class, the classes."""
    settled, costs = dict(options), options.get("costs")
    if isinstance(costs, ClassCosts):
        if settled.get("labels") is None:
            settled["labels"] = np.unique(truth)
        return settled
    if costs is not None:
        settled["costs"] = as_costs(costs, len(truth))
    of_regions = accepted_classes(taken) is None and settled.get("y_pred") is None
    if of_regions and "pos_label" in known and settled.get("pos_label") is None:
        positive = truth[positive_mask(truth, None, settled.get("costs"))]
        settled["pos_label"] = positive[0] if len(positive) else 1
    return settled


def _members(names: NDArray[Any]) -> list[NDArray[np.intp]]:
    """Return the cases of each group, in the order of their names."""
    members: dict[Any, list[int]] = {}
    for case, name in enumerate(names.tolist()):
        if name is None or name != name:
            raise ValueError(f"Case {case} has no group: give missing ones a name of their own.")
        members.setdefault(name, []).append(case)
    try:
        order = sorted(members)
    except TypeError:
        order = sorted(members, key=str)
    return [np.array(members[name]) for name in order]


def _ends(share: float, n: int, alpha: float) -> tuple[float, float]:
    if not n:
        return float("nan"), float("nan")
    low, high = exact_interval(round(share * n), n, alpha)
    return float(low), float(high)
