"""A small study that has nothing to do with the paper, and results that nobody computed."""

from dataclasses import replace

from entrants import BAYES, TREE, build_tree, version

from trisect_experiments.fitting import ROC_GRID
from trisect_experiments.models import Fixed, Model
from trisect_experiments.protocol import Interval
from trisect_experiments.records import Key, Result
from trisect_experiments.study import Contest, Question, Ranking, Study, Table

STUMP = Model("stump", build_tree, Fixed({"max_depth": 1}), version, note="one split")
NAN = float("nan")


def published(table, dataset, model):
    """One published model on two of the datasets."""
    if table == "trees" and dataset in ("a", "b") and model in ("tree", "stump"):
        return {"accuracy": Interval(83.66 if model == "tree" else 90.0, NAN)}
    return {}


STUDY = Study(
    title="Trees",
    subject="tree",
    tables=(
        Table("trees", "Trees and stumps", "Trees", (STUMP, BAYES, TREE)),
        Table("few", "A table of five folds", "Few folds", (BAYES, TREE), 5, n_configurations=1),
    ),
    datasets=("ring", "xor"),
    dataset_notes={"b": "Read with care."},
    questions=(
        Question("Is a tree better?", (Contest("trees"),), "Trees are trees."),
        Question(
            "Is it better than Bayes?",
            (Contest("trees", ("bayes",), "Ten folds"), Contest("few", lead="Five folds")),
        ),
    ),
    rankings=(Ranking("both", "Both tables", ("trees", "few")),),
    published=published,
)

DATASETS = tuple("abcdefghij")


def level(i, test_cost, delay_cost):
    return {
        "alpha": 0.9 - 0.05 * i,
        "beta": 0.1 + 0.05 * i,
        "gamma": 0.5,
        "test_cost": test_cost,
        "delay_cost": delay_cost,
        "accuracy": 0.8 + 0.01 * i,
    }


def levels(test_costs, delay_costs):
    costs = zip(test_costs, delay_costs, strict=True)
    return [level(i, test, delay) for i, (test, delay) in enumerate(costs)]


def scored(key, score, **more):
    """A result whose scores are all the same."""
    values = dict.fromkeys(("accuracy", "weighted_f1", "auc"), score)
    values |= {"validation_accuracy": score, "validation_auc": score}
    values |= {"train_seconds": 1.0, "test_seconds": 0.5, "nodes": 4.0}
    details = {"roc": [float(x) ** 0.2 for x in ROC_GRID]} | more.pop("details", {})
    return Result(key, **(values | more), details=details)


def without_times(result):
    """All that a fit must give again, as text."""
    return str(replace(result, train_seconds=0.0, test_seconds=0.0))


def outcome(scores, datasets=DATASETS, folds=2):
    """Results of some models; `scores` has the first dataset's, and they fall from one to the next.

    Differences between models have no ties: with ties scipy's test takes a thousand times as long.
    """
    return [
        scored(Key(data, model, "10-fold", fold, "{}", 0, "", ""), base * (1 - 0.01 * i))
        for i, data in enumerate(datasets)
        for model, base in scores.items()
        for fold in range(folds)
    ]
