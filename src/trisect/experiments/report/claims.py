"""Our STWD-SFNN beside the published one, dataset by dataset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from trisect.experiments.datasets.dataset import Dataset
from trisect.experiments.naming import counted, listed
from trisect.experiments.published import OTHER_PROBLEMS, TABLES, published
from trisect.experiments.records import Result
from trisect.experiments.report.comparison import METRICS
from trisect.experiments.report.questions import MODEL
from trisect.experiments.report.wording import pipe_table
from trisect.experiments.statistics import score_matrix

MAJORITY_MARGIN = 0.5
"""A published accuracy this close to the majority rate, in points, says nothing."""

SLACK = 0.1
"""Where the published accuracy is the majority rate, ours may be this far below the rate."""


class Claim(NamedTuple):
    """One dataset: ours and theirs by metric in per cent, and the majority rate.

    ``highest`` has, by metric, the highest score of all models of the run and whose it is.
    """

    dataset: str
    majority: float
    ours: Mapping[str, float]
    theirs: Mapping[str, float]
    highest: Mapping[str, tuple[float, str]]

    @property
    def theirs_is_majority(self) -> bool:
        """Whether the published accuracy is that of always giving the commonest label."""
        return abs(self.theirs["accuracy"] - self.majority) <= MAJORITY_MARGIN

    @property
    def missed(self) -> list[str]:
        """Metrics in which ours is not higher, to the paper's two decimals.

        Where theirs is a majority rate: not high enough.
        """
        behind = [name for name in METRICS if not round(self.ours[name], 2) > self.theirs[name]]
        if self.theirs_is_majority:
            behind = [name for name in behind if name != "accuracy"]
            if self.ours["accuracy"] < self.majority - SLACK:
                behind.insert(0, "accuracy")
        return behind

    def shortfall(self, metric: str) -> str:
        """In words: ours, what it should have been, and whether any model of the run has that."""
        goal = self.theirs[metric]
        text = f"{METRICS[metric]} {self.ours[metric]:.2f} against {goal:.2f}"
        if metric == "accuracy" and self.theirs_is_majority:
            goal = self.majority - SLACK
            return f"{METRICS[metric]} {self.ours[metric]:.2f}, below {goal:.2f}"
        score, model = self.highest[metric]
        if score > goal:
            return f"{text}, which {model} surpasses with {score:.2f}"
        return f"{text}, which no model of this run surpasses: the highest is {score:.2f}, {model}"


def claims(outcomes: Mapping[str, Sequence[Result]], datasets: Iterable[Dataset]) -> list[Claim]:
    """Ours against the published figures, from the first of the paper's tables at hand.

    Problems that the paper did not have are left out.
    """
    table = next((name for name in TABLES if name in outcomes), None)
    if table is None:
        return []
    own = [r for r in outcomes[table] if r.key.model == MODEL]
    scores = {metric: 100 * score_matrix(own, metric) for metric in METRICS}
    # A model with a cap on its rows names it after the folds.
    folds = {result.key.protocol for result in own}
    comparable = [
        result
        for result in chain.from_iterable(outcomes.values())
        if result.key.protocol.partition(",")[0] in folds and not result.failed
    ]
    found = []
    for data in datasets:
        figures = published(table, data.name, MODEL)
        if figures and data.name not in OTHER_PROBLEMS and data.name in scores["accuracy"].index:
            ours = {m: float(scores[m].loc[data.name, MODEL]) for m in METRICS}
            theirs = {m: figures[m].mean for m in METRICS}
            rivals = [result for result in comparable if result.key.dataset == data.name]
            highest = {metric: _highest(rivals, metric) for metric in METRICS}
            found.append(Claim(data.name, 100 * data.majority_rate, ours, theirs, highest))
    return found


def _highest(results: Iterable[Result], metric: str) -> tuple[float, str]:
    """The highest mean over folds, in per cent, and the model that has it."""
    means = 100 * score_matrix(results, metric).iloc[0]
    return float(means.max()), str(means.idxmax())


def claims_text(found: Sequence[Claim]) -> str:
    """Markdown: the count, the exceptions, and every number."""
    heading = "## The published figures of STWD-SFNN, and ours\n\n"
    if not found:
        return heading + "No dataset of this run has figures in the paper's tables.\n"
    short = [claim for claim in found if claim.missed]
    n = len(found)
    text = f"Ours is ahead wherever it should be on {n - len(short)} of {counted(n, 'dataset')}"
    if short:
        names = [f"{c.dataset} ({'; '.join(map(c.shortfall, c.missed))})" for c in short]
        text += f"; not on {listed(names)}"
    text += ". It should be ahead in accuracy, weighted F1 and AUC"
    flat = [claim.dataset for claim in found if claim.theirs_is_majority]
    if flat:
        text += (
            f"; where the published accuracy is within {MAJORITY_MARGIN} points of the majority "
            f"rate ({listed(flat)}), its accuracy should reach that rate less {SLACK} points"
        )
    below = [c.dataset for c in found if c.theirs["accuracy"] < c.majority]
    text += "."
    if below:
        text += f" The published accuracy is below the majority rate on {listed(below)}."
    header = ["Dataset", "Majority (%)"]
    header += [f"{name} ours" for name in METRICS.values()]
    header += [f"{name} paper" for name in METRICS.values()]
    rows = [
        [c.dataset, f"{c.majority:.2f}"]
        + [f"{c.ours[m]:.2f}" for m in METRICS]
        + [f"{c.theirs[m]:.2f}" for m in METRICS]
        for c in found
    ]
    return heading + text + "\n\n" + pipe_table(header, rows)
