"""What one fit is called and what it leaves behind."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

NAN = float("nan")


def canonical(configuration: Mapping[str, Any]) -> str:
    """One text per configuration, whatever the order of its entries.

    Examples
    --------
    >>> canonical({"b": 1, "a": "tanh"})
    '{"a":"tanh","b":1}'
    """
    return json.dumps(dict(configuration), sort_keys=True, separators=(",", ":"), allow_nan=False)


class Key(NamedTuple):
    """What a result is known by; two fits with the same key are the same fit.

    `protocol` names how the rows were divided (``"10-fold"``), `configuration` is the `canonical`
    text of the hyperparameters, `seed` that of the folds and of the estimator, `data` the
    fingerprint of the rows, and `code` the version of what decides what is learned and scored.
    """

    dataset: str
    model: str
    protocol: str
    fold: int
    configuration: str
    seed: int
    data: str
    code: str

    @property
    def parameters(self) -> dict[str, Any]:
        """The configuration as a dictionary."""
        return dict(json.loads(self.configuration))


@dataclass(frozen=True)
class Result:
    """Everything that is kept of one fit.

    Scores lie between 0 and 1. `details` holds what figures need: ``"roc"``, the true-positive
    rate on the grid of `trisect_experiments.fitting.ROC_GRID`; of a model with probabilities what
    `trisect_experiments.calibration.calibration` returns; and, of a growing network,
    ``"levels"``, one dictionary per level, ``"decision_cost"`` and ``"walked_share"``, see
    `trisect_experiments.models.network.decision_measures`. A failed fit has an `error` and no
    scores.
    """

    key: Key
    accuracy: float = NAN
    weighted_f1: float = NAN
    auc: float = NAN
    validation_accuracy: float = NAN
    validation_auc: float = NAN
    train_seconds: float = NAN
    test_seconds: float = NAN
    nodes: float = NAN
    n_train: int = 0
    details: Mapping[str, Any] = field(default_factory=dict)
    error: str | None = None

    @property
    def failed(self) -> bool:
        """Whether the fit ended in an error."""
        return self.error is not None

    @property
    def seconds(self) -> float:
        """Training and test time; NaN when the fit failed."""
        return self.train_seconds + self.test_seconds

    @property
    def n_levels(self) -> float:
        """Levels of a growing network; NaN for other models."""
        return float(len(self.details["levels"])) if "levels" in self.details else NAN

    @property
    def decision_cost(self) -> float:
        """Cost of three-way decisions on 1,000 test instances; NaN where nothing decides."""
        return float(self.details.get("decision_cost", NAN))

    @property
    def walked_share(self) -> float:
        """Share of the nodes that a walk evaluates; NaN where nothing walks."""
        return float(self.details.get("walked_share", NAN))

    @property
    def failure(self) -> str:
        """Which fit failed and why, in one line."""
        reason = (self.error or "").partition("\n")[0]
        return f"{self.key.dataset}, {self.key.model}, fold {self.key.fold}: {reason}"


SCORES = tuple(part.name for part in fields(Result) if part.default is NAN)
"""The numbers of a result that a failed fit does not have."""

COLUMNS = (*Key._fields, *SCORES, "n_train", "details", "error")
"""What a result consists of, in the order of `as_row`."""


def as_row(result: Result) -> list[Any]:
    """A result as plain values in the order of `COLUMNS`; None for what is not a number."""
    scores = (float(getattr(result, score)) for score in SCORES)
    shown = (None if score != score else score for score in scores)
    return [*result.key, *shown, result.n_train, dict(result.details), result.error]


def from_row(row: Iterable[Any]) -> Result:
    """The result that `as_row` has made plain values of."""
    values: dict[str, Any] = dict(zip(COLUMNS, row, strict=True))
    key = Key(*(values.pop(name) for name in Key._fields))
    values |= {score: NAN for score in SCORES if values[score] is None}
    return Result(key, **values)
