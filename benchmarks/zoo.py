"""Generated problems, on which development happens: ours, LightGBM and MLPClassifier.

The problems (`generated.py`) are drawn anew for every seed. LightGBM has its defaults and one
thread; MLPClassifier has 100 nodes behind a StandardScaler, early stopping and as many epochs as
it wants. Finished fits are kept in a store, ours by settings and source code, so that rivals are
fitted once and a run that is stopped goes on where it was.

    python benchmarks/zoo.py
    python benchmarks/zoo.py --settings "" "max_levels=40" --problems clusters ring --seeds 2
"""

import argparse
import sys
import time
import warnings
from functools import cache, partial
from pathlib import Path

import numpy as np
from common import parse_settings, print_table, write_json
from generated import PROBLEMS, problems
from joblib import Parallel, delayed
from lightgbm import LGBMClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from trisect import STWDSFNNClassifier
from trisect.growth import RefinedGrowth
from trisect_experiments.datasets.dataset import Dataset
from trisect_experiments.models import package_code, trisect_code
from trisect_experiments.models.network import hidden_nodes
from trisect_experiments.records import Key, Result
from trisect_experiments.store import ResultStore

EPOCHS = 1_000
"""Early stopping ends every fit of MLPClassifier long before."""


def build_ours(settings, seed):
    model = STWDSFNNClassifier(RefinedGrowth(), random_state=seed)
    return model.set_params(**parse_settings(settings))


def build_lightgbm(settings, seed):
    return LGBMClassifier(n_jobs=1, random_state=seed, deterministic=True, verbosity=-1)


def build_mlp(settings, seed):
    mlp = MLPClassifier((100,), early_stopping=True, max_iter=EPOCHS, random_state=seed)
    return make_pipeline(StandardScaler(), mlp)


OURS, LIGHTGBM, MLP = "trisect", "LightGBM", "MLP"
MODELS = {
    OURS: (build_ours, trisect_code),
    LIGHTGBM: (build_lightgbm, partial(package_code, "lightgbm")),
    MLP: (build_mlp, partial(package_code, "scikit-learn")),
}


@cache
def drawn(name, seed):
    """A problem, and a digest of its rows: a changed problem is fitted anew."""
    data = dict(problems())[name](seed)
    rows = Dataset(
        name, data.X_train, np.zeros(len(data.X_train), int), ("",) * data.X_train.shape[1]
    )
    return data, rows.fingerprint


def fit(key):
    """Fit and score one model on one draw."""
    data, _ = drawn(key.dataset, key.seed)
    model = MODELS[key.model][0](key.configuration, key.seed)
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", "X does not have valid feature names")
        begin = time.perf_counter()
        model.fit(data.X_train, data.y_train)
        trained = time.perf_counter()
        p = np.asarray(model.predict_proba(data.X_test), dtype=float)
        tested = time.perf_counter()
    classes = model.classes_
    loss = log_loss(data.y_test, p / p.sum(axis=1, keepdims=True), labels=classes)
    return Result(
        key,
        accuracy=float(np.mean(classes[p.argmax(axis=1)] == data.y_test)),
        auc=float(roc_auc_score(data.y_test, p[:, 1])) if len(classes) == 2 else np.nan,
        train_seconds=trained - begin,
        test_seconds=tested - trained,
        nodes=hidden_nodes(model),
        n_train=len(data.X_train),
        details={"log_loss": float(loss), "best": data.best},
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--settings", nargs="+", default=[""], metavar="'a=1, b=2'")
    parser.add_argument("--problems", nargs="+", default=list(PROBLEMS), metavar="NAME")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--store", default=Path(__file__).with_suffix(".sqlite"))
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.problems) - set(PROBLEMS))
    if unknown:
        parser.error(f"no problem {unknown}; there are {', '.join(PROBLEMS)}")
    entrants = [(OURS, text) for text in arguments.settings] + [(LIGHTGBM, ""), (MLP, "")]
    with ResultStore(arguments.store) as store:
        done = {result.key: result for result in store.results()}
        keys = []
        for name in arguments.problems:
            for seed in range(arguments.seeds):
                digest = drawn(name, seed)[1]
                for model, text in entrants:
                    code = MODELS[model][1]()
                    keys.append(Key(name, model, "zoo", 0, text, seed, digest, code))
        left = [key for key in keys if key not in done]
        run = Parallel(arguments.jobs, return_as="generator_unordered")
        for result in run(delayed(fit)(key) for key in left):
            store.add(result)
            done[result.key] = result
            print_fit(result)
    rows = [row for name in arguments.problems for row in summary(name, entrants, keys, done)]
    show(rows, entrants, arguments.seeds)
    if arguments.json:
        write_json(arguments.json, rows)


def print_fit(result):
    key, accuracy = result.key, 100 * result.accuracy
    what = f"{key.dataset}, seed {key.seed}: {key.model} {key.configuration}"
    print(f"{what} {accuracy:.2f} % in {result.train_seconds:.2f} s", file=sys.stderr, flush=True)


def summary(name, entrants, keys, done):
    """Means over seeds of each entrant on one problem, and its distance to the rivals."""
    rows = []
    for model, text in entrants:
        found = [
            done[k] for k in keys if (k.dataset, k.model, k.configuration) == (name, model, text)
        ]
        rows.append(
            {
                "problem": name,
                "entrant": f"{model} {text}".strip(),
                "best": 100 * np.mean([r.details["best"] for r in found]),
                "accuracy": 100 * np.mean([r.accuracy for r in found]),
                "auc": 100 * np.mean([r.auc for r in found]),
                "log_loss": np.mean([r.details["log_loss"] for r in found]),
                "nodes": np.mean([r.nodes for r in found]),
                "seconds": np.mean([r.train_seconds for r in found]),
            }
        )
    lightgbm, mlp = (row["accuracy"] for row in rows[-2:])
    for row in rows:
        row["to_lightgbm"] = row["accuracy"] - lightgbm
        row["to_better"] = row["accuracy"] - max(lightgbm, mlp)
    return rows


def show(rows, entrants, n_seeds):
    """One table by problem for each setting, and the means of all."""
    head = ["problem", "best", "ours", "LightGBM", "MLP", "to LightGBM", "to better", "nodes", "s"]
    names = [f"{model} {text}".strip() for model, text in entrants]
    found = {(r["problem"], r["entrant"]): r for r in rows}
    listed = list(dict.fromkeys(r["problem"] for r in rows))
    for name in names[:-2]:
        lines = []
        for problem in listed:
            r, best = found[problem, name], found[problem, name]["best"]
            others = [f"{found[problem, n]['accuracy']:.2f}" for n in (name, *names[-2:])]
            gaps = [f"{r['to_lightgbm']:+.2f}", f"{r['to_better']:+.2f}"]
            shown = "" if np.isnan(best) else f"{best:.2f}"
            lines.append(
                [problem, shown, *others, *gaps, f"{r['nodes']:.1f}", f"{r['seconds']:.2f}"]
            )
        print_table(f"{name}: test accuracy, mean of {n_seeds} seeds", [head, *lines])
    head = ["entrant", "accuracy", "AUC (2 classes)", "log loss", "nodes", "s", "to LightGBM"]
    head += ["worst to LightGBM", "worst to better"]
    lines = []
    for name in names:
        mine = [r for r in rows if r["entrant"] == name]
        low, least = (min(mine, key=lambda r: r[k]) for k in ("to_lightgbm", "to_better"))
        lines.append(
            [
                name,
                f"{mean(mine, 'accuracy'):.2f}",
                f"{mean(mine, 'auc'):.2f}",
                f"{mean(mine, 'log_loss'):.4f}",
                f"{mean(mine, 'nodes'):.1f}",
                f"{mean(mine, 'seconds'):.2f}",
                f"{mean(mine, 'to_lightgbm'):+.2f}",
                f"{low['to_lightgbm']:+.2f} ({low['problem']})",
                f"{least['to_better']:+.2f} ({least['problem']})",
            ]
        )
    print_table(f"Means over {len(listed)} problems", [head, *lines])


def mean(rows, column):
    values = [row[column] for row in rows if not np.isnan(row[column])]
    return float(np.mean(values)) if values else np.nan


if __name__ == "__main__":
    main()
