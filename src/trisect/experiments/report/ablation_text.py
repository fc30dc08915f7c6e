"""What the ablation says, in words."""

from __future__ import annotations

from collections.abc import Sequence

from trisect.experiments.ablation import BASELINE, VARIANTS
from trisect.experiments.naming import counted
from trisect.experiments.records import Result
from trisect.experiments.report.comparison import METRICS, compare, sentences
from trisect.experiments.report.wording import p_text, pipe_table
from trisect.experiments.statistics import score_matrix

_GRANULES = (
    "\nIn refined growth granules count and price the decisions of a level, and the network does "
    "not depend on them; where `granules-rows` and `granules-bins` differ from the first row, it "
    "is because k-means draws random numbers and they do not. In the paper's growth granules "
    "decide what the next node learns (`paper`, `paper-rows`, `paper-bins`).\n"
)


def ablation_text(outcome: Sequence[Result]) -> str:
    """Markdown: what each part is worth, as the change when it is taken away."""
    heading = "# Ablation\n\n"
    others = [name for name in VARIANTS if name != BASELINE]
    found = {metric: compare(outcome, metric, others, BASELINE) for metric in METRICS}
    accuracy = found["accuracy"]
    if accuracy is None:
        return heading + f"No answer: {BASELINE} and its variants have no dataset in common.\n"
    said = sentences([c for c in found.values() if c is not None])
    kept = [r for r in outcome if r.key.dataset in accuracy.matrix.index]
    nodes, times = (score_matrix(kept, f).mean() for f in ("nodes", "train_seconds"))
    scores = {metric: 100 * c.matrix.mean() for metric, c in found.items() if c is not None}
    duels = {duel.rival: duel for duel in accuracy.duels}
    rows = []
    for name in (n for n in VARIANTS if n in accuracy.matrix.columns):
        row = [name, VARIANTS[name][0]]
        row += [f"{scores[m][name]:.2f}" if m in scores else "-" for m in METRICS]
        row += [f"{nodes[name]:.1f}", f"{times[name]:.2f}"]
        duel = duels.get(name)
        row += (
            ["", "", ""]
            if duel is None
            else [
                f"{-duel.difference:+.2f}",
                f"{duel.wins} / {duel.ties} / {duel.losses}",
                p_text(duel.p_holm),
            ]
        )
        rows.append(row)
    header = ["Variant", "What it is", *(f"Mean {name} (%)" for name in METRICS.values())]
    header += ["Nodes", "Training (s)", "Change of accuracy"]
    header += [f"{BASELINE} ahead / level / behind", "p (Holm)"]
    size = counted(accuracy.n_datasets, "dataset")
    foot = f"\nMeans over {size}; one configuration, the estimator's defaults, for every variant.\n"
    if {"granules-rows", "granules-bins"} & {*accuracy.matrix.columns}:
        foot += _GRANULES
    return heading + " ".join(said) + "\n\n" + pipe_table(header, rows, 2) + foot
