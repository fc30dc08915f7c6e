"""Fits that are made once: each is stored when it is done, and a later run goes on from there.

A fit is known by its key: data, model, settings, seed, and the version of the code. Ours is
fitted again when its sources change, rivals when another version of them is installed. Those in
`rivals.jsonl.xz` are taken from there. What stores hold of rivals is added to it by

    python benchmarks/resumable.py benchmarks/accuracy.sqlite benchmarks/zoo.sqlite
"""

import sys
import time
import warnings
from pathlib import Path

import joblib
import numpy as np
from entrants import ENTRANTS, OURS
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss, roc_auc_score
from threadpoolctl import threadpool_limits

from trisect_experiments.calibration import calibration
from trisect_experiments.models.network import hidden_nodes
from trisect_experiments.records import Result
from trisect_experiments.results_file import read_results, write_results
from trisect_experiments.store import ResultStore

RIVALS = Path(__file__).with_name("rivals.jsonl.xz")
"""Fits that do not depend on our code, and take hours."""


def complete(keys, parts, store, jobs=1, known=None):
    """Make the fits that a store lacks, and return the results of all by their keys.

    Results in `known`, by default those in `rivals.jsonl.xz`, need not be made either.

    ``parts(key)`` returns X_train, y_train, X_test, y_test and, if there are any, validation
    rows for the entrants that use them. It must be a function of an imported module, so that
    other processes know it.
    """
    with ResultStore(store) as kept:
        known = rivals() if known is None else known
        done = {result.key: result for result in [*known, *kept.results()]}
        left = [key for key in keys if key not in done]
        run = joblib.Parallel(jobs, return_as="generator_unordered")
        for result in run(joblib.delayed(fit)(key, parts) for key in left):
            kept.add(result)
            done[result.key] = result
            print_fit(result)
    return {key: done[key] for key in keys}


def rivals():
    """Return the fits of rivals that have been kept."""
    return read_results(RIVALS) if RIVALS.exists() else []


def keep_rivals(stores):
    """Add the fits of rivals in some stores to those that are kept."""
    found = {result.key: result for result in rivals()}
    for path in stores:
        with ResultStore(path) as store:
            found |= {r.key: r for r in store.results() if r.key.model != OURS and not r.error}
    write_results(RIVALS, found.values(), found)


def print_fit(result):
    """One line on the error stream for each fit."""
    what = result.error or f"{100 * result.accuracy:.2f} % in {result.train_seconds:.2f} s"
    key = result.key
    where = f"{key.dataset}, {key.protocol}, {key.fold}, seed {key.seed}"
    print(f"{where}: {key.model} {key.configuration} {what}", file=sys.stderr, flush=True)


def fit(key, parts):
    """Fit and score one entrant."""
    X_train, y_train, X_test, y_test, *validation = parts(key)
    entrant = ENTRANTS[key.model]
    threads = key.parameters.get("n_jobs", 1)
    if key.model == OURS:
        warm_up(X_train, y_train, threads)
    extra = {}
    if validation and entrant.uses_validation:
        extra = dict(zip(("X_val", "y_val"), validation, strict=True))
    model = entrant.build(key.parameters, key.seed)
    with threadpool_limits(threads), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", "X does not have valid feature names")
        begin = time.perf_counter()
        model.fit(X_train, y_train, **extra)
        trained = time.perf_counter()
        p = np.asarray(model.predict_proba(X_test), dtype=float)
        tested = time.perf_counter()
    classes = model.classes_
    p /= p.sum(axis=1, keepdims=True)
    two = len(classes) == 2
    loss = {"log_loss": float(log_loss(y_test, p, labels=classes))}
    return Result(
        key,
        accuracy=float(np.mean(classes[p.argmax(axis=1)] == y_test)),
        auc=float(roc_auc_score(y_test, p[:, 1])) if two else np.nan,
        train_seconds=trained - begin,
        test_seconds=tested - trained,
        nodes=hidden_nodes(model),
        n_train=len(X_train),
        details=calibration(y_test == classes[1], p[:, 1]) if two else loss,
    )


def warm_up(X, y, threads):
    """Compile what such a fit needs, so that the seconds are those of fits."""
    kind = (X.shape[1], len(np.unique(y)), threads)
    if kind not in _WARM:
        _WARM.add(kind)
        some = np.concatenate([np.flatnonzero(y == label)[:100] for label in np.unique(y)])
        parameters = {"max_levels": 2} | ({"n_jobs": threads} if threads > 1 else {})
        ENTRANTS[OURS].build(parameters, 0).fit(X[some], y[some])


_WARM = set()


if __name__ == "__main__":
    keep_rivals(sys.argv[1:])
