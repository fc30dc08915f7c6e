"""What a monitor says: each number beside its reference, and whether to recalibrate."""

from dataclasses import asdict, dataclass
from typing import Any

from trisect.desk.watch import COST, CUT, Watched

__all__ = ["MonitorReport"]


@dataclass(frozen=True)
class MonitorReport:
    """The stream beside the reference, at the end of a period.

    Parameters
    ----------
    watched : tuple of Watched
        Decisions, probabilities, mistakes and costs.
    n, n_labelled : int
        Cases so far, and cases so far whose class is known.
    period : label
        The last period.
    unit : str
        Unit of the costs.
    """

    watched: tuple[Watched, ...]
    n: int
    n_labelled: int
    period: Any
    unit: str = ""

    @property
    def changes(self) -> list[Watched]:
        """What has changed."""
        return [each for each in self.watched if each.changed]

    @property
    def recalibrate(self) -> bool:
        """Whether anything has changed, so that the model should be calibrated anew."""
        return bool(self.changes)

    def __getitem__(self, name: str) -> Watched:
        """Return what is known about one number, by its name."""
        for each in self.watched:
            if each.name == name:
                return each
        raise KeyError(f"{name!r} is not watched; these are: {[w.name for w in self.watched]}.")

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {**asdict(self), "recalibrate": self.recalibrate}

    def __str__(self) -> str:
        known = f"the class of {self.n_labelled:,} is known"
        lines = [f"{self.n:,} cases up to period {self.period}; {known}"]
        rows = [("", "now", "interval", "reference", "")]
        told = [each for each in self.watched if each.n or each.reference is not None]
        rows += [self._row(each) for each in told if not _is_cut(each)]
        cuts = [each for each in self.changes if _is_cut(each)]
        rows += [self._row(each) for each in sorted(cuts, key=_distance)[-1:]]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for name, *cells in rows:
            row = "".join(f"  {c:>{w}}" for c, w in zip(cells, widths[1:], strict=True))
            lines.append(f"{name:<{widths[0]}}{row}".rstrip())
        names = [each.name for each in self.changes if not _is_cut(each)]
        names += ["the distribution of p"] if cuts else []
        verdict = f"recalibrate: there is a change in {', '.join(names)}"
        lines.append(verdict if names else "no sign of a change")
        return "\n".join(lines)

    def _row(self, each: Watched) -> tuple[str, str, str, str, str]:
        percent = each.name != COST

        def show(*numbers: float) -> str:
            if percent:
                return " to ".join(f"{100 * x:.1f}" for x in numbers) + " %"
            return " to ".join(f"{x:.3g}" for x in numbers) + (f" {self.unit}" if self.unit else "")

        now = show(each.value) if each.n else "-"
        interval = show(each.low, each.high) if each.n else "-"
        reference = "-"
        if each.reference_low is not None and each.reference_high is not None:
            reference = show(each.reference_low, each.reference_high)
        note = f"changed since {each.since}" if each.changed else ""
        return each.name, now, interval, reference, note


def _is_cut(each: Watched) -> bool:
    return each.name.startswith(CUT)


def _distance(each: Watched) -> float:
    return abs(each.value - (each.reference or 0.0))
