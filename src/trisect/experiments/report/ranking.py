"""Average ranks and tests over all datasets, for each group of models that are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from trisect.experiments.naming import counted
from trisect.experiments.records import Result
from trisect.experiments.report.comparison import METRICS, compare
from trisect.experiments.report.questions import MODEL
from trisect.experiments.report.wording import counted_twice, p_text, pipe_table
from trisect.experiments.statistics import (
    average_ranks,
    critical_difference,
    friedman,
    nemenyi,
    score_matrix,
)


class Group(NamedTuple):
    """Models that are ranked together, and what each of their cells reports."""

    name: str
    title: str
    outcome: Sequence[Result]


def groups(outcomes: Mapping[str, Sequence[Result]]) -> list[Group]:
    """The tables themselves, the paper's networks, and all models of ten folds."""
    titles = {
        "static": "Static models",
        "dynamic": "Dynamic models",
        "classic": "Other classifiers",
        "modern": "Models that the paper lacks",
        "ablation": "Variants of STWD-SFNN",
    }
    found = [Group(n, t, outcomes[n]) for n, t in titles.items() if n in outcomes]
    ten = [name for name in ("static", "dynamic", "classic", "modern") if name in outcomes]
    networks = [name for name in ("static", "dynamic") if name in outcomes]
    for name, title, parts in (
        ("networks", "Network models of the paper", networks),
        ("all", "All models", ten),
    ):
        if len(parts) > 1:
            found.append(Group(name, title, _joined([outcomes[part] for part in parts])))
    return found


def _joined(parts: Sequence[Sequence[Result]]) -> list[Result]:
    return list({result.key: result for part in parts for result in part}.values())


def rankable(matrix: pd.DataFrame) -> bool:
    """Whether the Friedman test and the diagram have enough to work with."""
    rows, columns = matrix.shape
    return rows >= 2 and columns >= 3 and bool((matrix.nunique(axis=1) > 1).any())


def statistics_text(found: Sequence[Group], model: str = MODEL) -> str:
    """All tests as Markdown."""
    names = {result.key.dataset for group in found for result in group.outcome}
    parts = ["# Statistics\n", f"{_FOREWORD} {counted_twice(names)}".rstrip() + "\n"]
    for group in found:
        baseline = "refined" if group.name == "ablation" else model
        parts.append(f"## {group.title}\n")
        parts += [_metric(group, metric, baseline) for metric in METRICS]
    return "\n".join(parts)


_FOREWORD = (
    "Ranks run from 1, the best; only datasets on which every model of the group has a result "
    "count. The Friedman test asks whether the models differ at all, Nemenyi's which pairs do: "
    "two average ranks differ when they are at least the critical difference apart. Wilcoxon's "
    "signed-rank test compares one model with each other one over the datasets; its p values are "
    "corrected by Holm's method."
)


def _metric(group: Group, metric: str, model: str) -> str:
    matrix = score_matrix(group.outcome, metric)
    heading = f"### {METRICS[metric][0].upper()}{METRICS[metric][1:]}\n\n"
    if matrix.empty or matrix.shape[1] < 2:
        return heading + "Fewer than two models have results on a common dataset.\n"
    ranks = average_ranks(matrix)
    lines = [_test(matrix)]
    comparison = compare(group.outcome, metric, [n for n in ranks.index if n != model], model)
    duels = {} if comparison is None else {duel.rival: duel for duel in comparison.duels}
    pairs = nemenyi(matrix) if rankable(matrix) and model in matrix else None
    rows = []
    for name in map(str, ranks.index):
        row = [name, f"{ranks[name]:.2f}", f"{100 * matrix[name].mean():.2f}"]
        duel = duels.get(name)
        if duel is None:
            row += ["", "", "", ""]
        else:
            row += [f"{duel.wins} / {duel.ties} / {duel.losses}", f"{duel.difference:+.2f}"]
            row.append(p_text(duel.p_holm))
            row.append("" if pairs is None else p_text(float(pairs.loc[model, name])))
        rows.append(row)
    header = ["Model", "Average rank", "Mean (%)", f"{model} ahead / level / behind", "Difference"]
    header += ["Wilcoxon-Holm p", "Nemenyi p"]
    return heading + "\n".join([*lines, "", pipe_table(header, rows)])


def _test(matrix: pd.DataFrame) -> str:
    size = counted(len(matrix), "dataset")
    if not rankable(matrix):
        return f"{size}: too few datasets, models or differences for the Friedman test."
    test = friedman(matrix)
    difference = critical_difference(test.n_models, test.n_datasets)
    return (
        f"{size}, {test.n_models} models: Friedman chi-square {test.statistic:.2f}, "
        f"p {_equals(test.p_value)}; Nemenyi's critical difference {difference:.2f}."
    )


def _equals(p: float) -> str:
    text = p_text(p)
    return text if text.startswith("<") else f"= {text}"


def network_ranks(outcomes: Mapping[str, Sequence[Result]], model: str = MODEL) -> str:
    """Markdown: the place of a model among the paper's networks, in every metric."""
    heading = "## The place of STWD-SFNN among the paper's network models\n\n"
    networks = next((group for group in groups(outcomes) if group.name == "networks"), None)
    if networks is None:
        return heading + "Not asked: it takes the static and the dynamic table.\n"
    lines = []
    for metric, word in METRICS.items():
        matrix = score_matrix(networks.outcome, metric)
        if model not in matrix.columns or matrix.shape[1] < 2:
            continue
        ranks = average_ranks(matrix)
        place = 1 + int((ranks < ranks[model] - 1e-9).sum())
        order = ", ".join(f"{name} {rank:.2f}" for name, rank in ranks.items())
        lines.append(
            f"- By {word}, over {counted(len(matrix), 'dataset')}, its average rank is place "
            f"{place} of {len(ranks)}: {order}."
        )
    return heading + ("\n".join(lines) or "No answer: no dataset has all of them.") + "\n"


def ranks_frame(found: Sequence[Group]) -> pd.DataFrame:
    """Average ranks in one long table, for a CSV file."""
    rows = []
    for group in found:
        for metric in METRICS:
            matrix = score_matrix(group.outcome, metric)
            for name, rank in average_ranks(matrix).items() if not matrix.empty else ():
                mean = 100 * matrix[name].mean()
                rows.append((group.name, metric, len(matrix), name, rank, mean))
    columns = ["group", "metric", "datasets", "model", "average_rank", "mean"]
    return pd.DataFrame(rows, columns=columns)
