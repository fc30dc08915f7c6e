"""Rows predicted per second, next to MLPClassifier, LightGBM and a forest, in one run.

A million rows of twenty features, one thread, the best of several turns, because a busy machine
only slows down. MLPClassifier has as many nodes as our network and stands behind a
StandardScaler, since ours scales too. LightGBM predicts by itself and, converted, in onnxruntime;
trees predict the first tenth of the rows.

    python benchmarks/predicting.py --page docs/results/speed.md
"""

import argparse
import time
import warnings

import numpy as np
from common import markdown_table, print_table, replace_section, write_json
from entrants import ENTRANTS, LIGHTGBM
from sklearn.datasets import make_classification
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from trisect import STWDSFNNClassifier

TRAINING_ROWS = 20_000
N_FEATURES = 20
TURNS = 9
OURS = {
    "trisect, at most 10 nodes": {"max_levels": 10},
    "trisect": {},
    "trisect, standard scaling": {"max_levels": 10, "scale": "standard"},
}


class InOnnxruntime:
    """A fitted LightGBM, converted; its probabilities are checked against the original's."""

    def __init__(self, fitted, sample):
        import onnxruntime
        from onnxmltools import convert_lightgbm
        from onnxmltools.convert.common.data_types import FloatTensorType

        columns = [("X", FloatTensorType([None, N_FEATURES]))]
        model = convert_lightgbm(fitted, initial_types=columns, zipmap=False)
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3  # The converter declares one row where there are many.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(model.SerializeToString(), options)
        # The converted model has single precision: rows on the edge of a split may change sides.
        off = np.abs(self.predict_proba(sample) - fitted.predict_proba(sample)).max(axis=1)
        if np.mean(off > 1e-3) > 1e-3:
            raise RuntimeError("The converted LightGBM predicts something else.")

    def predict_proba(self, X):
        return self.session.run(None, {"X": X.astype(np.float32)})[1]


def fitted_models():
    """All models, fitted on the same rows, with their nodes; trees have none."""
    X, y = make_classification(
        TRAINING_ROWS, N_FEATURES, n_informative=10, n_clusters_per_class=4, random_state=0
    )
    models, nodes = {}, {}
    known = STWDSFNNClassifier().get_params()
    for name, parameters in OURS.items():
        if set(parameters) <= set(known):
            models[name] = STWDSFNNClassifier(**parameters, random_state=0).fit(X, y)
            nodes[name] = models[name].n_hidden_
    for size in sorted(set(nodes.values())):
        name = f"StandardScaler and MLPClassifier, {size} nodes"
        mlp = MLPClassifier((size,), max_iter=5, random_state=0)
        models[name], nodes[name] = make_pipeline(StandardScaler(), mlp).fit(X, y), size
    trees = {name: ENTRANTS[name].build({}, 0).fit(X, y) for name in (LIGHTGBM, "Random forest")}
    trees["LightGBM in onnxruntime"] = InOnnxruntime(trees[LIGHTGBM], X)
    return models | trees, nodes


def measure(n_rows):
    """Predict in turns, and keep the best turn of each model."""
    models, nodes = fitted_models()
    many = np.random.default_rng(0).normal(size=(n_rows, N_FEATURES))
    rates = dict.fromkeys(models, 0.0)
    for turn in range(1 + TURNS):
        for name, model in models.items():
            rows = many if name in nodes else many[: n_rows // 10]
            begin = time.perf_counter()
            model.predict_proba(rows)
            if turn:  # The first one warms up.
                rates[name] = max(rates[name], len(rows) / (time.perf_counter() - begin))
    partner = {n: rates[name] for name, n in nodes.items() if "MLP" in name}
    return [
        {
            "model": name,
            "nodes": nodes.get(name),
            "rows_per_second": rate,
            "times_mlp": rate / partner[nodes[name]] if name in nodes else np.nan,
            "times_lightgbm": rate / rates[LIGHTGBM],
        }
        for name, rate in rates.items()
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--page", metavar="FILE", help="a page with a section for this table")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    with threadpool_limits(limits=1):
        rows = measure(arguments.rows)
    table = [["model", "nodes", "rows per second", "times MLP of its size", "times LightGBM"]]
    for r in rows:
        ratio = "" if np.isnan(r["times_mlp"]) else f"{r['times_mlp']:.2f}"
        rate = f"{r['rows_per_second']:,.0f}"
        nodes = str(r["nodes"] or "")
        table.append([r["model"], nodes, rate, ratio, f"{r['times_lightgbm']:.3g}"])
    print_table(f"predict_proba on {arguments.rows:,} x {N_FEATURES}", table)
    if arguments.json:
        write_json(arguments.json, rows)
    if arguments.page:
        replace_section(arguments.page, "predicting", markdown_table(table))


if __name__ == "__main__":
    main()
