"""Caps on what thresholds may do: how much they defer, how often they err, what they cost."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

_AMONG = ("decided", "accepted", "rejected")


class Caps(NamedTuple):
    """Upper limits of shares and of the mean cost; None where there is none.

    Parameters
    ----------
    deferred : float, optional
        Share of the instances that are deferred.
    decided, accepted, rejected : float, optional
        Share of mistakes among the decided, the accepted and the rejected.
    cost : float, optional
        Mean cost of an instance, in the user's unit.
    """

    deferred: float | None = None
    decided: float | None = None
    accepted: float | None = None
    rejected: float | None = None
    cost: float | None = None

    @classmethod
    def given(cls, max_deferred: Any, max_error: Any, max_cost: Any) -> "Caps":
        """Check caps as users give them, see `learn_thresholds`."""
        errors = max_error if isinstance(max_error, Mapping) else {"decided": max_error}
        unknown = set(errors) - set(_AMONG)
        if unknown:
            raise ValueError(
                f"max_error as a dict caps the error among {', '.join(_AMONG)}, "
                f"not among {sorted(map(str, unknown))}."
            )
        shares = {"max_deferred": max_deferred}
        shares |= {f"max_error (among the {name})": cap for name, cap in errors.items()}
        for name, cap in shares.items():
            if cap is not None and not 0 <= cap <= 1:
                raise ValueError(f"{name} must lie between 0 and 1, got {cap!r}.")
        if max_cost is not None and not np.isfinite(max_cost):
            raise ValueError(f"max_cost must be a finite number, got {max_cost!r}.")
        caps = {name: errors.get(name) for name in _AMONG}
        return cls(deferred=max_deferred, cost=max_cost, **caps)

    def __bool__(self) -> bool:
        return any(cap is not None for cap in self)

    def __str__(self) -> str:
        parts = [] if self.deferred is None else [f"at most {self.deferred:.4g} deferred"]
        parts += [
            f"at most {cap:.4g} of the {name} wrong"
            for name, cap in zip(_AMONG, self[1:4], strict=True)
            if cap is not None
        ]
        parts += [] if self.cost is None else [f"a mean cost of at most {self.cost:.4g}"]
        return ", ".join(parts) if parts else "no caps"
