"""Watching decisions as they are made: shares, probabilities, mistakes and costs."""

import json
from dataclasses import replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trisect.decisions import ClassCosts, CostMatrix, as_cost_matrix
from trisect.desk.monitor_report import MonitorReport
from trisect.desk.tally import Rule, Tally
from trisect.desk.watch import Watch, watches
from trisect.estimators.deciding import unwrap
from trisect.estimators.decision_rule import class_probabilities, decision_rule, positive_index
from trisect.metrics._truth import positive_mask

__all__ = ["DecisionMonitor"]

# Cuts of the probabilities at tenths of the reference.
N_CUTS = 9
FORMAT = 1


class DecisionMonitor:
    """Watches decisions, and says when the model should be calibrated or fitted anew.

    A monitor keeps counts, no cases: of decisions and of probabilities, and, as labels
    arrive, of outcomes. It compares the share accepted, deferred and rejected, the
    distribution of p, the mistakes among the decided and the mean cost with those of
    reference data. It may be asked after every case: the probability that a stream which is
    like the reference ever raises an alarm, of whatever kind, is at most ``1 - confidence``.

    Parameters
    ----------
    p : array-like of shape (n_cases,) or (n_cases, n_classes)
        Probabilities of the positive class for reference data that the model was not fitted
        on; with `ClassCosts` those of all classes.
    costs : CostMatrix, array-like of shape (2, 3), dict or ClassCosts
        What decisions cost, the same for all cases.
    y : array-like of shape (n_cases,), optional
        Classes of the reference. Without them mistakes and costs have no reference.
    thresholds : pair of float, optional
        Alpha and beta, if cases are decided by others than those of the costs.
    pos_label : label, optional
        The positive of two classes; by default the one that the costs name, or the larger
        label, with a warning if the labels are texts.
    labels : array-like of shape (n_classes,), optional
        With `ClassCosts`, the classes in the order of the costs; by default those that the
        costs name, or their indices.
    confidence : float, default=0.95
        One minus the probability of a false alarm, ever.

    Notes
    -----
    Periods (days, say) are the moments at which the stream may change: evidence is collected
    from each of them on, so that a change after a year is found as quickly as one after a
    week, or nearly. The evidence is a mixture likelihood ratio, see
    `trisect.desk.always_valid`; shares of the reference have exact intervals, and an alarm
    means that the whole interval of the reference is refuted. The guarantee takes cases to be
    independent, and labels to arrive for cases of all kinds alike: if only accepted cases
    ever get one, give labels of such cases for the reference too.

    Examples
    --------
    >>> import numpy as np
    >>> from trisect import CostMatrix
    >>> from trisect.desk import DecisionMonitor
    >>> rng = np.random.default_rng(0)
    >>> costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
    >>> monitor = DecisionMonitor(rng.beta(1, 3, 5000), costs)
    >>> for day in range(5):
    ...     monitor = monitor.update(rng.beta(1, 3, 300), period=day)
    >>> monitor.report().recalibrate
    False
    >>> for day in range(5, 10):
    ...     monitor = monitor.update(rng.beta(1, 2, 300), period=day)
    >>> monitor.report().recalibrate
    True
    """

    def __init__(
        self,
        p: ArrayLike,
        costs: Any,
        y: ArrayLike | None = None,
        *,
        thresholds: tuple[float, float] | None = None,
        pos_label: Any = None,
        labels: ArrayLike | None = None,
        confidence: float = 0.95,
    ) -> None:
        checked = costs if isinstance(costs, ClassCosts) else as_cost_matrix(costs)
        if not 0 < confidence < 1:
            raise ValueError(f"confidence must lie between 0 and 1, got {confidence!r}.")
        if thresholds is not None and isinstance(checked, ClassCosts):
            raise ValueError("thresholds are for two classes, not for ClassCosts.")
        rule = Rule(checked, thresholds, np.empty(0))
        scores = rule.scores(p)
        if not len(scores):
            raise ValueError("A monitor needs reference probabilities, got none.")
        marks = np.linspace(0, 1, N_CUTS + 2)[1:-1]
        cuts = np.unique(np.quantile(scores, marks, method="inverted_cdf"))
        self._rule = Rule(checked, thresholds, cuts[cuts < scores.max()])
        self._labels = _labels(checked, y, pos_label, labels)
        self._confidence = confidence
        self._estimator: Any = None
        self._periods: dict[Any, Tally] = {}
        self._reference = Tally.of_cases(self._rule, p)
        if y is not None:
            self._reference += Tally.of_labels(self._rule, p, self._truth(y))

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike | None = None,
        costs: Any = None,
        *,
        confidence: float = 0.95,
    ) -> Self:
        """Build a monitor for a fitted classifier, which then takes cases as they are.

        Parameters
        ----------
        estimator : estimator
            Fitted classifier with probabilities, or a pipeline that ends in one.
        X : array-like of shape (n_cases, n_features)
            Reference data that it was not fitted on.
        y : array-like of shape (n_cases,), optional
            Their classes.
        costs : CostMatrix, array-like of shape (2, 3), or ClassCosts, optional
            What decisions cost; by default what the estimator says, and its learned
            thresholds, if it has any.
        confidence : float, default=0.95
            One minus the probability of a false alarm, ever.
        """
        model, inner = unwrap(estimator, X)
        rule = decision_rule(model, costs)
        monitor = cls(
            rule.scores(class_probabilities(model, inner)),
            rule.costs,
            y,
            thresholds=None if rule.learned is None else rule.thresholds,
            pos_label=rule.pos_label,
            labels=rule.classes if rule.positive is None else None,
            confidence=confidence,
        )
        monitor._estimator = estimator
        return monitor

    @property
    def periods(self) -> list[Any]:
        """The periods so far, in order."""
        return sorted(self._periods)

    def update(
        self, cases: Any, y: ArrayLike | None = None, *, period: int | str | None = None
    ) -> Self:
        """Count cases, and their classes if they are known already.

        Parameters
        ----------
        cases : array-like
            Probabilities, as in the reference; or instances, if the monitor was made from an
            estimator.
        y : array-like of shape (n_cases,), optional
            Their classes.
        period : int or str, optional
            Period that the cases belong to. Periods are sorted: numbers, or dates such as
            "2025-03-14". By default each call is a period of its own, with the next number.

        Returns
        -------
        DecisionMonitor
            This monitor.
        """
        p = self._scored(cases)
        found = Tally.of_cases(self._rule, p)
        if y is not None:
            found += Tally.of_labels(self._rule, p, self._truth(y))
        return self._add(found, period)

    def add_labels(self, cases: Any, y: ArrayLike, *, period: int | str | None = None) -> Self:
        """Count the classes of cases that were counted without them.

        Parameters
        ----------
        cases : array-like
            Probabilities or instances, as for `update`.
        y : array-like of shape (n_cases,)
            Their classes.
        period : int or str, optional
            Period that the cases belong to, or that the labels arrived in; by default a new
            one.

        Returns
        -------
        DecisionMonitor
            This monitor.
        """
        return self._add(Tally.of_labels(self._rule, self._scored(cases), self._truth(y)), period)

    def merge(self, other: "DecisionMonitor") -> "DecisionMonitor":
        """Return a monitor with the cases of two, of one stream each.

        Parameters
        ----------
        other : DecisionMonitor
            A monitor with the same reference. What it counted in a period of the same name
            belongs to that period.
        """
        mine, others = ({**m._state(), "periods": None} for m in (self, other))
        if mine != others:
            differ = ", ".join(name for name in mine if mine[name] != others[name])
            raise ValueError(f"Monitors of different {differ} cannot be merged.")
        merged = type(self).from_json(self.to_json(), self._estimator)
        for period, found in other._periods.items():
            merged._add(found, period)
        return merged

    def report(self) -> MonitorReport:
        """Compare the stream with the reference, at the end of the last period.

        Returns
        -------
        MonitorReport
            What is watched, and whether it is time to recalibrate.
        """
        if not self._periods:
            raise ValueError("There is nothing to report yet: update the monitor first.")
        tallies = [self._periods[period] for period in self.periods]
        total = sum(tallies, Tally.empty(self._rule))
        return MonitorReport(
            tuple(watch.report(tallies, self.periods) for watch in self._watches),
            int(total.actions.sum()),
            int(total.outcomes.sum()),
            self.periods[-1],
            self._rule.costs.unit,
        )

    def evidence(self) -> dict[str, NDArray[np.float64]]:
        """Return the evidence of a change at the end of each period.

        Returns
        -------
        dict of str to ndarray of shape (n_periods,)
            For each number that is watched, the logarithm of the evidence over that which
            raises an alarm: there is an alarm from zero upwards.
        """
        tallies = [self._periods[period] for period in self.periods]
        return {watch.name: watch.evidence(tallies) for watch in self._watches}

    def shares(self) -> dict[str, NDArray[np.float64]]:
        """Return the share of each decision in each period.

        Returns
        -------
        dict of str to ndarray of shape (n_periods,)
            NaN for a period without cases.
        """
        counts = np.array([self._periods[period].actions for period in self.periods], dtype=float)
        counts[counts.sum(axis=1) == 0] = np.nan
        return dict(zip(self._names(), (counts / counts.sum(axis=1, keepdims=True)).T, strict=True))

    def to_json(self) -> str:
        """Return reference and counts as a JSON document; cases are not part of it."""
        return json.dumps(self._state(), allow_nan=False)

    @classmethod
    def from_json(cls, text: str, estimator: Any = None) -> Self:
        """Return the monitor that `to_json` has written.

        Parameters
        ----------
        text : str
            The document.
        estimator : estimator, optional
            The classifier, if the monitor is to take instances.
        """
        state = json.loads(text)
        if not isinstance(state, dict) or state.get("format") != FORMAT:
            raise ValueError("This is not a document that DecisionMonitor.to_json has written.")
        monitor = cls.__new__(cls)
        given = state["costs"]
        costs = (
            ClassCosts(given["confusion"], given["defer"], given["unit"])
            if "confusion" in given
            else replace(
                CostMatrix.from_array(given["amounts"], given["unit"]),
                accept=given.get("accept"),
                reject=given.get("reject"),
            )
        )
        thresholds = None if state["thresholds"] is None else tuple(state["thresholds"])
        monitor._rule = Rule(costs, thresholds, np.array(state["cuts"], dtype=np.float64))
        monitor._labels, monitor._confidence = state["labels"], state["confidence"]
        monitor._estimator = estimator
        monitor._reference = Tally.from_dict(state["reference"])
        monitor._periods = {name: Tally.from_dict(counts) for name, counts in state["periods"]}
        return monitor

    def _state(self) -> dict[str, Any]:
        costs = self._rule.costs
        given: dict[str, Any] = {"unit": costs.unit}
        if isinstance(costs, ClassCosts):
            given |= {"confusion": costs.confusion.tolist(), "defer": costs.defer}
        else:
            given |= {"amounts": costs.amounts.tolist()}
            given |= {"accept": _plain(costs.accept), "reject": _plain(costs.reject)}
        return {
            "format": FORMAT,
            "costs": given,
            "thresholds": None if self._rule.thresholds is None else list(self._rule.thresholds),
            "cuts": self._rule.cuts.tolist(),
            "labels": self._labels,
            "confidence": self._confidence,
            "reference": self._reference.to_dict(),
            "periods": [[period, self._periods[period].to_dict()] for period in self.periods],
        }

    def _names(self) -> list[str]:
        if isinstance(self._rule.costs, ClassCosts):
            return [*(f"accepted as {label}" for label in self._labels), "deferred"]
        return ["accepted", "deferred", "rejected"]

    @cached_property
    def _watches(self) -> list[Watch]:
        several = isinstance(self._rule.costs, ClassCosts)
        classes = [f"class {label}" for label in self._labels] if several else ["positive"]
        alpha = 1 - self._confidence
        return watches(self._rule, self._reference, self._names(), classes, alpha)

    def _scored(self, cases: Any) -> Any:
        """Return probabilities of cases, which may be given as such."""
        several = isinstance(self._rule.costs, ClassCosts)
        if self._estimator is None or (not several and np.ndim(cases) == 1):
            return cases
        model, inner = unwrap(self._estimator, cases)
        p = class_probabilities(model, inner)
        return p if several else p[:, positive_index(model, self._labels)]

    def _truth(self, y: ArrayLike) -> NDArray[np.intp]:
        """Return the row of the costs that holds for each label."""
        if not isinstance(self._rule.costs, ClassCosts):
            return np.where(positive_mask(y, self._labels, self._rule.costs), 0, 1)
        known = {label: row for row, label in enumerate(self._labels)}
        given = np.asarray(y).tolist()
        unknown = sorted({repr(label) for label in given if label not in known})
        if unknown:
            raise ValueError(f"y has labels that are not among {self._labels}: {unknown}.")
        return np.array([known[label] for label in given], dtype=np.intp)

    def _add(self, found: Tally, period: int | str | None) -> Self:
        kinds = {type(name) for name in self._periods}
        if period is None:
            if str in kinds:
                raise ValueError("The periods of this monitor have names: say which one it is.")
            period = max(self._periods, default=0) + 1
        elif isinstance(period, np.integer):
            period = int(period)
        if type(period) not in (int, str) or kinds - {type(period)}:
            raise ValueError(
                f"Periods are numbers, or names that sort as dates do, not both; got {period!r} "
                f"after {self.periods[-3:]}."
            )
        before = self._periods.get(period)
        self._periods[period] = found if before is None else before + found
        return self


def _labels(costs: CostMatrix | ClassCosts, y: Any, pos_label: Any, labels: Any) -> Any:
    """Return the positive label of two classes, or the labels in the order of the costs."""
    if isinstance(costs, ClassCosts):
        named = range(costs.n_classes) if costs.classes is None else costs.classes
        found = list(named) if labels is None else np.asarray(labels).tolist()
        if len(found) != costs.n_classes:
            raise ValueError(f"{len(found)} labels were given for {costs.n_classes} classes.")
        if costs.classes is not None and found != list(costs.classes):
            raise ValueError(f"labels are {found}, but the costs name {list(costs.classes)}.")
        return found
    if pos_label is None and y is not None:
        positive = np.asarray(y)[positive_mask(y, None, costs)]
        pos_label = positive[0] if len(positive) else None
    return _plain(costs.accept if pos_label is None else pos_label)


def _plain(label: Any) -> Any:
    """Return a label as JSON can hold it."""
    return label.item() if isinstance(label, np.generic) else label
