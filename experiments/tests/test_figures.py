"""Figures show the data that they claim to show, and are written as SVG and PNG."""

import os
import subprocess
import sys

import numpy as np
import pytest

from trisect_experiments.figures.levels import (
    accuracy_figure,
    level_matrix,
    process_cost_figure,
    threshold_figure,
)
from trisect_experiments.figures.panels import save_figure
from trisect_experiments.figures.ranks import rank_figure
from trisect_experiments.figures.roc import mean_curve, roc_figure
from trisect_experiments.fitting import ROC_GRID
from trisect_experiments.records import Key, Result
from trisect_experiments.statistics import score_matrix


def level(i, cost):
    return {
        "alpha": 0.9 - 0.05 * i,
        "beta": 0.1 + 0.05 * i,
        "gamma": 0.5,
        "test_cost": cost,
        "delay_cost": 10.0,
        "accuracy": 0.8 + 0.01 * i,
    }


@pytest.fixture(scope="module")
def outcome():
    results = []
    for dataset in ("a", "b", "c"):
        for m, model in enumerate(("RF", "STWD-SFNN", "KNN")):
            for fold in range(3):
                levels = [level(i, 10.0 + i) for i in range(2 + fold)] if m == 1 else []
                details = {"roc": list(ROC_GRID ** (0.1 * (m + 1))), "levels": levels}
                key = Key(dataset, model, "3-fold", fold, "{}", 0, "", "")
                results.append(Result(key, accuracy=0.9 - 0.1 * m, details=details))
    return results


def lines(figure, label):
    return [line for axes in figure.axes for line in axes.lines if line.get_label() == label]


def test_roc_panels_hold_the_mean_curve_of_every_model(outcome):
    figure = roc_figure(outcome, highlight="STWD-SFNN", title="ROC")
    titles = [axes.get_title() for axes in figure.axes if axes.get_title()]
    assert titles == ["a", "b", "c"]
    (curve, _, _) = lines(figure, "STWD-SFNN")
    np.testing.assert_allclose(curve.get_ydata(), ROC_GRID**0.2)
    widths = {line.get_label(): line.get_linewidth() for line in figure.axes[0].lines[1:]}
    assert max(widths, key=widths.get) == "STWD-SFNN"


def test_the_mean_curve_is_the_mean():
    mean, spread = mean_curve([[0, 0.5, 1], [0, 1, 1]])
    assert mean.tolist() == [0, 0.75, 1]
    assert spread[1] == pytest.approx(np.std([0.5, 1], ddof=1))
    assert mean_curve([[0, 1]])[1].tolist() == [0, 0]


def test_costs_never_fall_although_folds_stop_at_different_levels(outcome):
    for label in ("Test cost", "Delay cost"):
        (line, *_) = lines(process_cost_figure(outcome, "STWD-SFNN"), label)
        assert line.get_xdata().tolist() == [1, 2, 3, 4]
        assert np.all(np.diff(line.get_ydata()) >= 0)


def test_a_fold_that_stopped_keeps_its_last_value():
    runs = [[{"x": 1.0}], [{"x": 2.0}, {"x": 3.0}, {"x": 4.0}]]
    assert level_matrix(runs, "x").tolist() == [[1, 1, 1], [2, 3, 4]]


def test_thresholds_narrow_towards_gamma(outcome):
    figure = threshold_figure(outcome, "STWD-SFNN")
    (alpha, *_), (beta, *_) = (
        lines(figure, r"$\alpha$ (accept)"),
        lines(figure, r"$\beta$ (reject)"),
    )
    width = alpha.get_ydata() - beta.get_ydata()
    assert np.all(np.diff(width) < 0) and np.all(width > 0)


def test_accuracy_is_in_per_cent(outcome):
    figure = accuracy_figure(outcome, "STWD-SFNN")
    assert figure.get_supylabel() == "Test accuracy (%)"
    assert figure.axes[0].lines[0].get_ydata()[0] == pytest.approx(80)


def test_the_diagram_names_every_model_and_the_critical_difference(outcome):
    figure = rank_figure(score_matrix(outcome))
    text = " ".join(t.get_text() for t in figure.axes[0].texts)
    assert all(name in text for name in ("RF (1.00)", "STWD-SFNN", "KNN (3.00)"))
    assert "critical difference" in figure.axes[0].get_title()


RANKS = """
import numpy as np, pandas as pd
from trisect_experiments.figures.ranks import rank_figure
scores = np.random.default_rng(0).normal(np.arange(9) / 3, 1, (15, 9))
figure = rank_figure(pd.DataFrame(scores, columns=[f"model {i}" for i in range(9)]))
bars = [line.get_xydata().tolist() for line in figure.axes[0].lines]
print(bars, [text.get_text() for text in figure.axes[0].texts])
"""


@pytest.mark.slow
def test_ranks_are_drawn_alike_in_every_process():
    drawn = {
        subprocess.run(
            [sys.executable, "-c", RANKS],
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in (1, 2)
    }
    assert len(drawn) == 1 and "model 8" in drawn.pop()


def test_saved_twice_gives_the_same_files(outcome, tmp_path):
    first = save_figure(roc_figure(outcome), tmp_path / "one" / "roc")
    second = save_figure(roc_figure(outcome), tmp_path / "two" / "roc")
    assert [path.suffix for path in first] == [".svg", ".png"]
    for a, b in zip(first, second, strict=True):
        assert a.read_bytes() == b.read_bytes()


def test_nothing_to_draw_says_so():
    with pytest.raises(ValueError, match="nothing to draw"):
        process_cost_figure([], "STWD-SFNN")
