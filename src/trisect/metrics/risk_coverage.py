"""The trade-off between deciding many instances and deciding them well."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions import as_probabilities
from trisect.metrics._truth import positive_mask


class RiskCoverage(NamedTuple):
    """Share of mistakes at each coverage, deciding the most confident instances first."""

    coverage: NDArray[np.float64]
    risk: NDArray[np.float64]
    confidence: NDArray[np.float64]


def risk_coverage_curve(
    y_true: ArrayLike,
    probabilities: ArrayLike,
    *,
    pos_label: Any = None,
    labels: ArrayLike | None = None,
) -> RiskCoverage:
    """Compute the share of mistakes if only the most confident instances are decided.

    Parameters
    ----------
    y_true : array-like of shape (n_instances,)
        True labels.
    probabilities : array-like of shape (n_instances,) or (n_instances, n_classes)
        Probability of the positive class, or of all classes.
    pos_label : label, optional
        The positive class; by default the larger label.
    labels : array-like of shape (n_classes,), optional
        Labels of the columns of `probabilities`; by default the sorted labels.

    Returns
    -------
    RiskCoverage
        ``coverage`` (increasing to 1), ``risk`` and ``confidence``, one entry for each
        distinct confidence: the share decided, the share of mistakes among these, and
        the confidence (the largest class probability) from which they are decided.

    Examples
    --------
    >>> from trisect.metrics import risk_coverage_curve
    >>> curve = risk_coverage_curve([1, 0, 1, 0], [0.9, 0.2, 0.4, 0.3])
    >>> curve.coverage.tolist(), curve.risk.round(2).tolist()
    ([0.25, 0.5, 0.75, 1.0], [0.0, 0.0, 0.0, 0.25])
    """
    truth, p = np.asarray(y_true), as_probabilities(probabilities)
    if len(truth) != len(p):
        raise ValueError(f"{len(p)} probabilities were given for {len(truth)} labels.")
    if p.ndim == 1:
        confidence = np.maximum(p, 1 - p)
        wrong = (p >= 0.5) != positive_mask(truth, pos_label)
    else:
        known = np.unique(truth) if labels is None else np.asarray(labels)
        if p.ndim != 2 or p.shape[1] != len(known):
            raise ValueError(
                f"Probabilities of shape {p.shape} were given for the classes {known.tolist()}."
            )
        confidence = p.max(axis=1)
        wrong = known[p.argmax(axis=1)] != truth
    values, counts = np.unique(-confidence, return_counts=True)
    ends = np.cumsum(counts)
    errors = np.cumsum(wrong[np.argsort(-confidence, kind="stable")])[ends - 1]
    return RiskCoverage(ends / len(truth), errors / ends, -values)


def risk_coverage_area(curve: RiskCoverage) -> float:
    """Compute the area under a risk-coverage curve: the mean risk over all coverages.

    Parameters
    ----------
    curve : RiskCoverage
        As `risk_coverage_curve` returns it.

    Returns
    -------
    float
        0 is perfect; a random order gives the error rate.

    Examples
    --------
    >>> from trisect.metrics import risk_coverage_area, risk_coverage_curve
    >>> risk_coverage_area(risk_coverage_curve([1, 0, 1, 0], [0.9, 0.2, 0.4, 0.3]))
    0.0625
    """
    return float(np.diff(curve.coverage, prepend=0.0) @ curve.risk)
