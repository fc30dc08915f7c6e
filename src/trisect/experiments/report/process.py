"""Research question 6: how the process costs go with the number of nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from trisect.experiments.naming import counted, listed
from trisect.experiments.records import Result
from trisect.experiments.report.questions import MODEL
from trisect.experiments.report.wording import pipe_table

TEXT = "How are the process costs of STWD-SFNN related to the topology of its network?"


@dataclass(frozen=True)
class Steps:
    """What a cost does from one level to the next, counted over the folds of a dataset."""

    first: float
    last: float
    grew: int
    stayed: int
    fell: int

    @classmethod
    def of(cls, runs: Sequence[Sequence[float]]) -> Steps:
        """Count the steps of several runs; `first` and `last` are means over them.

        Examples
        --------
        >>> Steps.of([[3.0, 7.0, 7.0]])
        Steps(first=3.0, last=7.0, grew=1, stayed=1, fell=0)
        """
        steps = [after - before for run in runs for before, after in pairwise(run)]
        return cls(
            fmean(run[0] for run in runs),
            fmean(run[-1] for run in runs),
            sum(step > 0 for step in steps),
            sum(step == 0 for step in steps),
            sum(step < 0 for step in steps),
        )

    @property
    def total(self) -> int:
        """Number of steps."""
        return self.grew + self.stayed + self.fell


@dataclass(frozen=True)
class ProcessCosts:
    """Test and delay cost of one dataset over the levels of its folds."""

    dataset: str
    n_folds: int
    levels: float
    test: Steps
    delay: Steps


def process_costs(outcome: Iterable[Result], model: str = MODEL) -> list[ProcessCosts]:
    """Process costs by dataset, from the levels that results keep."""
    runs: dict[str, list[list[dict[str, float]]]] = {}
    for result in outcome:
        levels = result.details.get("levels")
        if result.key.model == model and levels and "test_cost" in levels[0]:
            runs.setdefault(result.key.dataset, []).append(levels)
    return [
        ProcessCosts(
            dataset,
            len(folds),
            fmean(map(len, folds)),
            Steps.of([[level["test_cost"] for level in levels] for levels in folds]),
            Steps.of([[level["delay_cost"] for level in levels] for levels in folds]),
        )
        for dataset, folds in runs.items()
    ]


def process_answer(outcome: Iterable[Result], model: str = MODEL) -> str:
    """Markdown that answers research question 6."""
    heading = f"## RQ 6. {TEXT}\n\n"
    costs = process_costs(outcome, model)
    if not costs:
        return heading + f"No answer: this run has no levels of {model}.\n"
    return heading + " ".join([_test(costs), _delay(costs)]) + "\n\n" + _table(costs)


def _test(costs: Sequence[ProcessCosts]) -> str:
    moving = [c for c in costs if c.test.total]
    if not moving:
        return "Every network stopped at its first level, so there are no steps to compare."
    always = [c for c in moving if c.test.grew == c.test.total]
    text = f"The test cost grows with every level on {len(always)} of {_datasets(moving)}"
    others = [f"{c.dataset} ({c.test.grew} of {c.test.total} steps)" for c in moving
              if c not in always]  # fmt: skip
    text += f"; elsewhere it grows in part of the steps: {listed(others)}." if others else "."
    flat = sum(c.test.stayed for c in moving)
    if flat:
        text += f" It stays as it is in {counted(flat, 'step')}: a level without a mistake is free."
    fell = [c.dataset for c in moving if c.test.fell]
    return text + (f" It falls on {listed(fell)}, which a sum of costs should not." if fell else "")


def _delay(costs: Sequence[ProcessCosts]) -> str:
    moving = [c for c in costs if c.delay.total]
    if not moving:
        return ""
    fell = [c.dataset for c in moving if c.delay.fell]
    constant = [c.dataset for c in moving if c.delay.stayed == c.delay.total]
    growing = [c.dataset for c in moving if c.delay.grew == c.delay.total]
    both = [c.dataset for c in moving if c.delay.grew and c.delay.stayed and not c.delay.fell]
    kinds = (
        ("is constant on", constant),
        ("grows with every level on", growing),
        ("grows at some levels and is constant at others on", both),
        ("falls, which a maximum should not, on", fell),
    )
    parts = [f"{words} {listed(names)}" for words, names in kinds if names]
    lead = "The delay cost never falls: it " if not fell else "The delay cost "
    return f"{lead}{'; it '.join(parts)}."


def _datasets(costs: Sequence[ProcessCosts]) -> str:
    return counted(len(costs), "dataset")


def _table(costs: Sequence[ProcessCosts]) -> str:
    header = [
        "Dataset", "Folds", "Levels", "Test cost, first", "last", "grew / stayed / fell",
        "Delay cost, first", "last", "grew / stayed / fell",
    ]  # fmt: skip
    rows = []
    for c in costs:
        cells = [c.dataset, str(c.n_folds), f"{c.levels:.1f}"]
        for steps in (c.test, c.delay):
            cells += [f"{steps.first:,.0f}", f"{steps.last:,.0f}"]
            cells.append(f"{steps.grew} / {steps.stayed} / {steps.fell}")
        rows.append(cells)
    return pipe_table(header, rows) + (
        "\nCosts are means over folds at the first and the last level that was grown; steps are "
        "counted over all folds.\n"
    )
