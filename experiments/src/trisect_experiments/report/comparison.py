"""One model against some rivals over datasets: the numbers behind an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from trisect_experiments.records import Result
from trisect_experiments.statistics import LEVEL, Duel, duels, score_matrix
from trisect_experiments.study import Contest, Outcomes, Question, Study

METRICS = {"accuracy": "accuracy", "weighted_f1": "weighted F1", "auc": "AUC"}
MEASURES = ("nodes", "train_seconds", "n_levels", "decision_cost", "walked_share")


@dataclass(frozen=True)
class Comparison:
    """A model against rivals in one metric, on the datasets where all of them have results.

    `means` are in per cent; `n_best` counts the datasets on which no rival has a higher mean.
    """

    metric: str
    datasets: tuple[str, ...]
    means: Mapping[str, float]
    n_best: int
    duels: tuple[Duel, ...]

    @property
    def n_datasets(self) -> int:
        """Number of datasets that count."""
        return len(self.datasets)

    @property
    def best_rival(self) -> str:
        """The rival with the highest mean."""
        return max((duel.rival for duel in self.duels), key=self.means.__getitem__)

    @property
    def can_be_significant(self) -> bool:
        """Whether any outcome at all could pass the test, given how few datasets there are."""
        return len(self.duels) * 2.0 ** (1 - self.n_datasets) < LEVEL

    def rivals(self, verdict: str) -> tuple[str, ...]:
        """Rivals with a verdict."""
        return tuple(duel.rival for duel in self.duels if duel.verdict == verdict)


def compare(
    outcome: Sequence[Result], metric: str, rivals: Sequence[str], model: str
) -> Comparison | None:
    """Compare a model with rivals; None when there are no common datasets.

    Rivals without any result are left out.
    """
    chosen = [r for r in outcome if r.key.model == model or r.key.model in rivals]
    matrix = score_matrix(chosen, metric)
    present = [name for name in rivals if name in matrix.columns]
    if matrix.empty or model not in matrix.columns or not present:
        return None
    return Comparison(
        metric,
        tuple(matrix.index),
        (100 * matrix.mean()).to_dict(),
        int((matrix[model] >= matrix.max(axis=1) - 1e-12).sum()),
        duels(matrix, model, present),
    )


@dataclass(frozen=True)
class ContestAnswer:
    """How a contest ended; without `comparisons` where nothing could be compared.

    `measures` are means over the datasets that count, by field and model. `published` counts
    pairs of dataset and rival in the published figures: with the subject ahead, and all.
    """

    subject: str
    lead: str
    rivals: tuple[str, ...]
    comparisons: tuple[Comparison, ...]
    measures: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    published: tuple[int, int] = (0, 0)

    @property
    def verdicts(self) -> dict[tuple[tuple[str, tuple[str, ...]], ...], list[str]]:
        """Names of metrics by what they say: each verdict with its rivals."""
        agreeing: dict[tuple[tuple[str, tuple[str, ...]], ...], list[str]] = {}
        for comparison in self.comparisons:
            pairs = [(word, comparison.rivals(word)) for word in ("better", "worse", "unclear")]
            said = tuple((word, names) for word, names in pairs if names)
            agreeing.setdefault(said, []).append(METRICS[comparison.metric])
        return agreeing

    @property
    def missing(self) -> tuple[str, ...]:
        """Rivals without results."""
        return tuple(name for name in self.rivals if name not in self.comparisons[0].means)

    @property
    def wins(self) -> int:
        """Pairs of dataset and rival in which the subject is the more accurate one."""
        return sum(duel.wins for duel in self.comparisons[0].duels)

    @property
    def pairs(self) -> int:
        """Pairs of dataset and rival."""
        return self.comparisons[0].n_datasets * len(self.comparisons[0].duels)


class Answer(NamedTuple):
    """A question with the contests that this run has results for."""

    question: Question
    contests: tuple[ContestAnswer, ...]


def answer(study: Study, question: Question, outcomes: Outcomes) -> Answer:
    """Answer a question from what the tables of a run report."""
    held = [contest for contest in question.contests if contest.table in outcomes]
    return Answer(question, tuple(_settle(study, c, outcomes[c.table]) for c in held))


def _settle(study: Study, contest: Contest, outcome: Sequence[Result]) -> ContestAnswer:
    subject = contest.subject or study.subject
    others = [m.name for m in study.table(contest.table).models if m.name != subject]
    rivals = contest.rivals or tuple(others)
    found = [compare(outcome, metric, rivals, subject) for metric in METRICS]
    comparisons = tuple(c for c in found if c is not None)
    if not comparisons:
        return ContestAnswer(subject, contest.lead, rivals, ())
    accuracy = comparisons[0]
    kept = [
        r for r in outcome if r.key.dataset in accuracy.datasets and r.key.model in accuracy.means
    ]
    measures = {name: score_matrix(kept, name).mean().to_dict() for name in MEASURES}
    leads = []
    for dataset in accuracy.datasets:
        ours = study.published(contest.table, dataset, subject)
        theirs = [study.published(contest.table, dataset, duel.rival) for duel in accuracy.duels]
        leads += [ours["accuracy"].mean > t["accuracy"].mean for t in theirs if ours and t]
    published = (sum(leads), len(leads))
    return ContestAnswer(subject, contest.lead, rivals, comparisons, measures, published)
