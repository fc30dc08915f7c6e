"""The command that judges a model by a file whose classes are known."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from trisect.cli.options import DataPath, FileOptions, JsonFlag, opened
from trisect.cli.predict import decided_blocks
from trisect.cli.saying import counted, print_json, stderr

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trisect.files import Refused
    from trisect.runtime import Model

__all__ = ["evaluate"]

AS_FOUND = FileOptions()


def evaluate(
    model: Path,
    data: DataPath,
    *,
    target: str | None = None,
    reading: FileOptions = AS_FOUND,
    json: JsonFlag = False,
) -> int:
    """Judge a model by rows whose classes are known, and which it has not seen.

    Shows accuracy, weighted F1 and AUC of the most probable classes, what was accepted, deferred
    and rejected, and what the decisions cost next to always deciding. For example:

    trisect evaluate model.json held_out.csv

    Parameters
    ----------
    model
        The model file.
    data
        The file with the rows, a folder of parquet files, or - for standard input.
    target
        Name of the column that holds the classes; by default that of the training data.
    json
        Whether to print the figures as JSON instead of words.
    """
    import numpy as np

    from trisect.cli.labels import class_numbers
    from trisect.files import RefusedRows, refused_path
    from trisect.runtime import load_model

    loaded = load_model(model, compiled=True)
    name = target or loaded.document["training"]["target"]
    if name is None:
        raise ValueError("The model does not know the name of the target: say --target.")
    truths, ps, regions = [], [], []
    first = 1
    with opened(data, reading) as file, RefusedRows(refused_path("-")) as refused:
        if name not in file.names:
            raise ValueError(
                f"{data} has no column {name!r} with the classes to judge by: if it has another "
                "name, say --target."
            )
        missing = [n for n in loaded.column_names if n not in file.names]
        if missing:
            raise ValueError(f"The file lacks columns: {', '.join(map(repr, missing))}.")
        for block in decided_blocks(loaded, file, reading.on_error, [name], explain=False):
            truth, others = class_numbers(block.columns[name], loaded.classes_.tolist())
            known = truth >= 0
            if not known.all() and reading.on_error == "stop":
                what = f"such as {others[0]!r}" if others else "because it is empty"
                raise ValueError(
                    f"{counted(int((~known).sum()), 'row')} with no class of the model in "
                    f"{name!r}, {what}: leave them out with --on-error skip."
                )
            refused.add([*block.refused, *_of_no_class(block.columns, name, ~known, first)])
            first += len(truth)
            truths.append(truth[known])
            ps.append(block.decided.probabilities[known])
            regions.append(block.decided.regions[known])
        if not sum(map(len, truths)):
            raise ValueError(f"{data} holds no row to judge by.")
    arrays = (np.concatenate(part) for part in (truths, ps, regions))
    figures = _figures(loaded, *arrays) | {"left_out": refused.count}
    if json:
        print_json(figures)
    else:
        _show(loaded, data, figures)
        if refused.count:
            said = f"{counted(refused.count, 'row')} could not be used: see {refused.path}"
            stderr().print(said, markup=False)
    return 0


def _of_no_class(
    columns: dict[str, Any], target: str, rows: NDArray[Any], first: int
) -> list[Refused]:
    """Refuse rows whose class is none of the model's."""
    import numpy as np

    from trisect.files import Refused
    from trisect.files.gathering import written_rows

    places = np.flatnonzero(rows)
    lines = written_rows([cells[places] for cells in columns.values()])
    reason = f"has no class of the model in {target!r}"
    # Line 1 of a csv file has the names of the columns.
    return [
        Refused(int(first + place + 1), reason, line)
        for place, line in zip(places, lines, strict=True)
    ]


def _figures(
    model: Model, truth: NDArray[Any], p: NDArray[Any], regions: NDArray[Any]
) -> dict[str, Any]:
    from sklearn.metrics import accuracy_score, f1_score

    best = p.argmax(axis=1)
    figures: dict[str, Any] = {
        "rows": len(truth),
        "accuracy": float(accuracy_score(truth, best)),
        "weighted_f1": float(f1_score(truth, best, average="weighted")),
        "auc": _auc(truth, p),
        "deferred": float((regions == 0).mean()),
        "accuracy_of_decided": None,
    }
    positive = None if model.pos_label_ is None else model.classes_.tolist().index(model.pos_label_)
    return figures | _decisions(model, truth, p, regions, positive)


def _auc(truth: NDArray[Any], p: NDArray[Any]) -> float | None:
    import numpy as np
    from sklearn.metrics import roc_auc_score

    if len(np.unique(truth)) < p.shape[1]:
        return None  # a class is not there
    if p.shape[1] == 2:
        return float(roc_auc_score(truth, p[:, 1]))
    return float(roc_auc_score(truth, p, multi_class="ovr"))


def _decisions(
    model: Model, truth: NDArray[Any], p: NDArray[Any], regions: NDArray[Any], positive: int | None
) -> dict[str, Any]:
    """Return the three-way confusion, and what decisions cost."""
    import numpy as np

    from trisect.decisions import ClassCosts, two_way_regions

    costs = model.costs_
    if isinstance(costs, ClassCosts) or positive is None:
        assert isinstance(costs, ClassCosts)
        chosen = costs.decide(p)
        always = costs.expected(p)[:, :-1].argmin(axis=1)
        right, decided = chosen == truth, chosen >= 0
        charges = {"three_way": costs.charge(truth, chosen), "always": costs.charge(truth, always)}
        nothing = costs.charge(truth, np.full(len(truth), -1))
        groups = {
            str(label): [
                int(((truth == i) & right).sum()),
                int(((truth == i) & ~decided).sum()),
                int(((truth == i) & decided & ~right).sum()),
            ]
            for i, label in enumerate(model.classes_)
        }
        columns = ["right", "deferred", "wrong"]
    else:
        thresholds: Any = model.document["thresholds"]
        is_positive = truth == positive
        right, decided = (regions == 1) == is_positive, regions != 0
        two_way = two_way_regions(p[:, positive], thresholds["gamma"])
        charges = {
            "three_way": costs.charge(is_positive, regions),
            "always": costs.charge(is_positive, two_way),
        }
        nothing = costs.charge(is_positive, np.zeros(len(truth), dtype=np.int8))
        groups = {
            str(label): [int(((truth == i) & (regions == r)).sum()) for r in (1, 0, -1)]
            for i, label in enumerate(model.classes_)
        }
        columns = ["accepted", "deferred", "rejected"]
    return {
        "accuracy_of_decided": float(right[decided].mean()) if decided.any() else None,
        "confusion": {"columns": columns, "rows": groups},
        "unit": costs.unit,
        "cost_per_row": {
            "three_way": _interval(charges["three_way"]),
            "always_deciding": _interval(charges["always"]),
            "reviewing_all": _interval(nothing),
            "saved_by_deferring": _interval(charges["always"] - charges["three_way"]),
        },
    }


def _interval(charges: NDArray[Any]) -> dict[str, float]:
    from trisect.decisions import bootstrap_interval

    low, high = bootstrap_interval(charges)
    return {"mean": float(charges.mean()), "low": float(low), "high": float(high)}


def _show(model: Model, data: Path, figures: dict[str, Any]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    say = lambda text: console.print(text, markup=False)  # noqa: E731
    left_out = figures["left_out"]
    more = f", {counted(left_out, 'row')} left out" if left_out else ""
    say(f"{data}: {counted(figures['rows'], 'row')}{more}")
    auc = "not defined" if figures["auc"] is None else f"{figures['auc']:.4f}"
    say(
        f"accuracy {figures['accuracy']:.2%}, weighted F1 {figures['weighted_f1']:.4f}, AUC {auc}\n"
    )
    columns, rows = figures["confusion"]["columns"], figures["confusion"]["rows"]
    width = max(14, *(len(name) + 2 for name in rows))
    say(f"{'':{width}}" + "".join(f"{name:>11}" for name in columns))
    for name, counts in rows.items():
        say(f"{name:{width}}" + "".join(f"{count:>11,}" for count in counts))
    decided = figures["accuracy_of_decided"]
    right = "" if decided is None else f"; {decided:.2%} of the others are right"
    say(f"{figures['deferred']:.1%} are deferred{right}\n")
    unit = figures["unit"] and f", {figures['unit']}"
    say(f"{'cost per row' + unit:{max(width, 24)}}{'mean':>9}   95 % interval")
    for name, cost in figures["cost_per_row"].items():
        interval = f"{cost['low']:.4f} to {cost['high']:.4f}"
        say(f"{name.replace('_', ' '):{max(width, 24)}}{cost['mean']:>9.4f}   {interval}")
