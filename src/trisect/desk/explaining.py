"""Why a case is deferred: its probability, what pushes it, and what would decide it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils import check_random_state, resample

from trisect._sklearn import num_samples, safe_indexing
from trisect.decisions import InstanceCosts, as_cost_matrix
from trisect.desk.case_table import CaseTable
from trisect.desk.explanation import Change, Explanation, Push
from trisect.estimators.deciding import unwrap
from trisect.estimators.decision_rule import DecisionRule, class_probabilities, decision_rule

__all__ = ["bootstrap_committee", "explain"]

# Values of each column that are tried.
GRID = 33
# The interval holds this share of the committee.
COVERED = 0.9
# Probabilities are kept so far from 0 and 1 when odds are compared.
EDGE = 1e-6
WORDS = {1: "accept", 0: "defer", -1: "reject"}


def explain(
    estimator: Any,
    x: Any,
    reference: Any,
    costs: Any = None,
    *,
    committee: Sequence[Any] = (),
    n_columns: int = 3,
) -> Explanation:
    """Say why a case is deferred, or decided.

    All figures are the classifier's own answers to variations of the case: what it says if
    one column has its typical value, and the nearest value of one column with which it would
    decide otherwise, of up to 33 values that occur in the reference. They are exact for what
    they say, with any classifier, but columns act together: the pushes of all columns do not
    add up, and a change of two columns may be the more sensible one. None of it is about
    causes.

    Parameters
    ----------
    estimator : estimator
        Fitted classifier with probabilities, or a pipeline that ends in one.
    x : array-like of shape (n_features,), or a data frame of one row
        The case.
    reference : array-like of shape (n_rows, n_features) or data frame
        Typical cases, such as the training data.
    costs : CostMatrix, InstanceCosts of one case, ClassCosts or array-like, optional
        What decisions cost; by default what the estimator says, or its learned thresholds.
    committee : sequence of estimators, default=()
        Fitted variants of the estimator, for an interval around the probability, see
        `bootstrap_committee`.
    n_columns : int, default=3
        Number of columns to name in each direction.

    Returns
    -------
    Explanation

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from trisect.desk import explain
    >>> X = np.array([[0, 5], [1, 3], [2, 9], [3, 1], [4, 4], [5, 2.0]])
    >>> model = LogisticRegression().fit(X, [0, 0, 0, 1, 1, 1])
    >>> print(explain(model, [3, 4], X, costs=[[0, 1, 10], [5, 1, 0]]))
    Decision: defer.
    The probability of class 1 is 60.8 %; from 80.0 % on accept, up to 10.0 % reject.
    Pushed up by
      column 0 = 3, which multiplies the odds by 2.7 compared with 2
    Pushed down by
      column 1 = 4, which multiplies the odds by 0.61 compared with 3
    One change would decide otherwise:
      accept if column 0 were 4 instead of 3 (p = 80.5 %)
      reject if column 0 were 0 instead of 3 (p = 7.6 %)
    """
    model, _ = unwrap(estimator, reference)
    rule = decision_rule(model, costs)
    if isinstance(rule.costs, InstanceCosts):
        rule = rule._replace(costs=as_cost_matrix(rule.costs[0] if len(rule.costs) == 1 else costs))
    names = getattr(estimator, "feature_names_in_", None)
    table = CaseTable(x, reference, None if names is None else names.tolist())
    cells: list[tuple[int, Any]] = [(0, table.row[0])]
    cells += [(j, column.typical) for j, column in enumerate(table.columns) if column.values]
    n_typical = len(cells)
    cells += [(j, v) for j, column in enumerate(table.columns) for v in column.grid(GRID)]
    answers = class_probabilities(estimator, table.varied(cells))
    focus = int(answers[0].argmax()) if rule.positive is None else rule.positive
    p, odds = answers[:, focus], _log_odds(answers[:, focus])
    decisions = _in_words(rule, answers)
    pushes = [
        Push(table.columns[j].name, table.row[j], value, float(odds[0] - odds[k]))
        for k, (j, value) in enumerate(cells[1:n_typical], start=1)
    ]
    own = [class_probabilities(member, table.varied(cells[:1]))[0, focus] for member in committee]
    tail = (1 - COVERED) / 2
    low, high = np.quantile(own, [tail, 1 - tail]).tolist() if own else (None, None)
    return Explanation(
        decision=decisions[0],
        label=model.classes_.tolist()[focus],
        p=float(p[0]),
        low=low,
        high=high,
        thresholds=rule.thresholds,
        pushes=_strongest(pushes, n_columns),
        changes=_nearest(
            table, cells[n_typical:], decisions[n_typical:], p[n_typical:], decisions[0]
        ),
    )


def bootstrap_committee(
    estimator: Any, X: Any, y: ArrayLike, *, n_members: int = 20, random_state: Any = 0
) -> list[Any]:
    """Fit an estimator to bootstrap samples, for intervals around its probabilities.

    Parameters
    ----------
    estimator : estimator
        Classifier or pipeline, as it was fitted.
    X, y : array-like
        The training data.
    n_members : int, default=20
        Number of samples, each drawn with replacement within the classes.
    random_state : int, RandomState instance or None, default=0
        Seed of the samples.

    Returns
    -------
    list of estimators

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from trisect.desk import bootstrap_committee
    >>> X, y = np.arange(10.0).reshape(-1, 1), [0, 1, 0, 0, 0, 1, 1, 0, 1, 1]
    >>> members = bootstrap_committee(LogisticRegression(), X, y, n_members=5)
    >>> len(members)
    5
    """
    if n_members < 2:
        raise ValueError(f"A committee needs at least two members, got n_members={n_members!r}.")
    labels, rng, members = np.asarray(y), check_random_state(random_state), []
    for _ in range(n_members):
        rows = resample(np.arange(num_samples(X)), stratify=labels, random_state=rng)
        members.append(clone(estimator).fit(safe_indexing(X, rows), labels[rows]))
    return members


def _in_words(rule: DecisionRule, probabilities: NDArray[np.float64]) -> list[str]:
    if rule.positive is not None:
        return [WORDS[region] for region in rule.regions(probabilities).tolist()]
    chosen = rule.labels(probabilities)
    return ["defer" if label is None else f"accept {label}" for label in chosen]


def _log_odds(p: NDArray[np.float64]) -> NDArray[np.float64]:
    inside = p.clip(EDGE, 1 - EDGE)
    return np.log(inside / (1 - inside))


def _strongest(pushes: list[Push], n: int) -> tuple[Push, ...]:
    """Return the n strongest pushes upwards and as many downwards, the strongest first."""
    ranked = sorted(pushes, key=lambda push: -abs(push.change))
    up, down = ([push for push in ranked if sign * push.change > 0][:n] for sign in (1, -1))
    return tuple(sorted(up + down, key=lambda push: -abs(push.change)))


def _nearest(
    table: CaseTable, cells: list[tuple[int, Any]], decisions: list[str], p: Any, now: str
) -> tuple[Change, ...]:
    """Return the nearest change of one column for each decision that is not the present one."""
    best: dict[str, tuple[float, Change]] = {}
    for (j, value), decision, chance in zip(cells, decisions, p.tolist(), strict=True):
        if decision == now:
            continue
        column, own = table.columns[j], table.row[j]
        distance = column.distance(own, value)
        if decision not in best or distance < best[decision][0]:
            best[decision] = distance, Change(decision, column.name, own, value, chance)
    return tuple(change for _, change in sorted(best.values(), key=lambda item: item[0]))
