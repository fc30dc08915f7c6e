"""How long each model took, searches included."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from trisect.experiments.estimate import seconds_text, spent
from trisect.experiments.records import Result
from trisect.experiments.report.wording import pipe_table


class ModelTime(NamedTuple):
    """Fits of a model, how many of them failed, and seconds of training and testing."""

    model: str
    fits: int
    failed: int
    seconds: float


def model_times(results: Iterable[Result]) -> list[ModelTime]:
    """Totals by model, in order of appearance."""
    totals: dict[str, ModelTime] = {}
    for result in results:
        name = result.key.model
        before = totals.get(name, ModelTime(name, 0, 0, 0.0))
        seconds = spent(result)
        totals[name] = ModelTime(
            name,
            before.fits + 1,
            before.failed + result.failed,
            before.seconds + (seconds if seconds == seconds else 0.0),
        )
    return list(totals.values())


def times_table(times: Iterable[ModelTime]) -> str:
    """Markdown with one line per model and their sum."""
    entries = list(times)
    total = ModelTime(
        "**all**",
        sum(t.fits for t in entries),
        sum(t.failed for t in entries),
        sum(t.seconds for t in entries),
    )
    rows = [
        [t.model, f"{t.fits:,}", f"{t.failed:,}", seconds_text(t.seconds)]
        for t in (*entries, total)
    ]
    return pipe_table(["Model", "Fits", "Failed", "Time"], rows)
