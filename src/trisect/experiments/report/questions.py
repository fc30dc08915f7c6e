"""The paper's research questions 1 to 5: one model against groups of rivals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from trisect.experiments.naming import counted, listed
from trisect.experiments.published import OTHER_PROBLEMS, published
from trisect.experiments.records import Result
from trisect.experiments.report.comparison import METRICS, Comparison, compare, sentences
from trisect.experiments.report.wording import p_text, pipe_table
from trisect.experiments.statistics import score_matrix

MODEL = "STWD-SFNN"
Outcomes = Mapping[str, Sequence[Result]]


class Question(NamedTuple):
    """A research question: its number, its words, rivals by table, and what to bear in mind."""

    number: int
    text: str
    rivals: Mapping[str, tuple[str, ...]]
    remark: str = ""


_PLAIN_RIVALS = (
    "The rivals have standard scaling and one penalty, while STWD-SFNN settles both on validation "
    "data as part of its fit; some of the difference is due to that."
)

QUESTIONS = (
    Question(
        1,
        "How does STWD-SFNN perform compared with fixed topologies found without STWD?",
        {"static": ("m1-SFNN-R", "m2-SFNN-R", "m3-SFNN-R")},
        _PLAIN_RIVALS,
    ),
    Question(
        2,
        "How does STWD-SFNN perform compared with topologies tuned without STWD?",
        {"dynamic": ("GS-SFNN", "PSO-SFNN")},
        _PLAIN_RIVALS,
    ),
    Question(
        3,
        "How does STWD-SFNN perform compared with a topology found by TWD?",
        {"dynamic": ("TWD-SFNN-R",), "twd-5fold": ("TWD-SFNN-R",)},
        "Both are trained in the same way and settle scaling and penalty on validation data. The "
        "seed draws the cost matrices, so that folds of the same size share one draw.",
    ),
    Question(
        4,
        "How does STWD-SFNN perform compared with the model without k-means++ discretisation?",
        {"dynamic": ("STWD-SFNN-NK",)},
        "STWD-SFNN-NK grows as in the paper, so that granules and growth differ at once; "
        "`trisect ablate` exchanges the granules alone, under either growth.",
    ),
    Question(
        5,
        "How does STWD-SFNN perform compared with other classifiers?",
        {"classic": ("SVC", "RF", "KNN"), "modern": ("LightGBM", "HistGradientBoosting", "MLP")},
        "What limits a rival, such as a cap on its rows or on its epochs, is said under its table.",
    ),
)
WHERE = {"twd-5fold": "By five-fold cross-validation", "modern": "Beyond the paper's rivals"}


def answer(question: Question, outcomes: Outcomes) -> str:
    """Markdown that answers a question from what the sections of a study report."""
    parts = [f"## RQ {question.number}. {question.text}\n"]
    for table, rivals in question.rivals.items():
        if table in outcomes:
            parts.append(_paragraph(table, outcomes[table], rivals, len(question.rivals) > 1))
    if len(parts) > 1 and question.remark:
        parts.append(f"{question.remark}\n")
    if len(parts) == 1:
        parts.append("Not asked: the tables that it needs were not part of this run.\n")
    return "\n".join(parts)


def _paragraph(table: str, outcome: Sequence[Result], rivals: Sequence[str], several: bool) -> str:
    found = [compare(outcome, metric, rivals, MODEL) for metric in METRICS]
    comparisons = [c for c in found if c is not None]
    place = WHERE.get(table, "By ten-fold cross-validation") if several else ""
    if not comparisons:
        text = f"No answer: {MODEL} and {listed(rivals)} have no dataset in common."
        return f"{place}: {text[0].lower()}{text[1:]}\n" if place else f"{text}\n"
    accuracy = comparisons[0]
    said = sentences(comparisons)
    if place:
        said[0] = f"{place}: {said[0][0].lower()}{said[0][1:]}"
    said += [_scores(accuracy), _cost(outcome, accuracy, "nodes")]
    said += [_cost(outcome, accuracy, "train_seconds"), _paper(table, accuracy)]
    missing = [name for name in rivals if name not in accuracy.matrix.columns]
    if missing:
        said.append(f"Without results: {listed(missing)}.")
    return " ".join(text for text in said if text) + "\n\n" + _duels(comparisons)


def _scores(accuracy: Comparison) -> str:
    means = 100 * accuracy.matrix.mean()
    best = str(means.drop(MODEL).idxmax())
    among = ", the best of the others," if len(accuracy.duels) > 1 else ""
    return (
        f"The mean accuracy of {MODEL} is {means[MODEL]:.2f} % over "
        f"{counted(accuracy.n_datasets, 'dataset')}, that of {best}{among} {means[best]:.2f} %; "
        f"it is the most accurate, alone or level, on {accuracy.n_best} of them."
    )


def _cost(outcome: Sequence[Result], comparison: Comparison, field: str) -> str:
    kept = [r for r in outcome if r.key.dataset in comparison.matrix.index]
    means = score_matrix(kept, field).mean()
    if MODEL not in means:
        return ""
    others = [d.rival for d in comparison.duels if d.rival in means]
    verb, decimals, unit = ("has", 1, "nodes") if field == "nodes" else ("trains in", 2, "s")
    texts = [f"{name} {means[name]:.{decimals}f}" for name in others]
    rivals = f" ({listed(texts)})" if texts else ""
    return f"It {verb} {means[MODEL]:.{decimals}f} {unit} on average{rivals}."


def _paper(table: str, accuracy: Comparison) -> str:
    """What the paper's own figures say about the pairs that it has."""
    ahead, pairs = 0, 0
    for dataset in map(str, accuracy.matrix.index):
        if dataset in OTHER_PROBLEMS:
            continue
        ours = published(table, dataset, MODEL)
        for duel in accuracy.duels:
            theirs = published(table, dataset, duel.rival)
            if ours and theirs:
                pairs += 1
                ahead += ours["accuracy"].mean > theirs["accuracy"].mean
    if not pairs:
        return ""
    here = sum(duel.wins for duel in accuracy.duels)
    total = sum(duel.wins + duel.ties + duel.losses for duel in accuracy.duels)
    once = ", which have PCB once" if {*OTHER_PROBLEMS} & {*accuracy.matrix.index} else ""
    return (
        f"It is the more accurate one in {here} of {total} pairs of dataset and rival; in the "
        f"paper's figures{once}, in {ahead} of {pairs}."
    )


def _duels(comparisons: Sequence[Comparison]) -> str:
    header = ["Rival", "Metric", "Ahead / level / behind", "Mean difference", "p (Holm)"]
    rows = [
        [
            duel.rival,
            METRICS[comparison.metric],
            f"{duel.wins} / {duel.ties} / {duel.losses}",
            f"{duel.difference:+.2f}",
            p_text(duel.p_holm),
        ]
        for comparison in comparisons
        for duel in comparison.duels
    ]
    return pipe_table(header, rows, text_columns=2)
