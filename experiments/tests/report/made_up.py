"""Results that nobody computed, made to go one way or the other."""

from trisect_experiments.fitting import ROC_GRID
from trisect_experiments.records import Key, Result

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


def outcome(scores, datasets=DATASETS, folds=2):
    """Results of some models; `scores` gives each a base, and datasets differ a little."""
    return [
        scored(Key(data, model, "10-fold", fold, "{}", 0, "", ""), base - 0.01 * i)
        for i, data in enumerate(datasets)
        for model, base in scores.items()
        for fold in range(folds)
    ]
