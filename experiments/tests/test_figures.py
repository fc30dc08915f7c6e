"""Figures show the data that they claim to show."""

import os
import subprocess
import sys
from itertools import product

import numpy as np
import pytest
from studies import levels, outcome, scored

from trisect_experiments.figures.levels import level_figure
from trisect_experiments.figures.panels import line_styles, save_figure
from trisect_experiments.figures.ranks import rank_figure
from trisect_experiments.figures.roc import roc_figure
from trisect_experiments.fitting import ROC_GRID
from trisect_experiments.records import Key
from trisect_experiments.statistics import score_matrix


def grown(dataset, fold, **details):
    return scored(Key(dataset, "ours", "3-fold", fold, "{}", 0, "", ""), 0.9, details=details)


@pytest.fixture(scope="module")
def runs():
    """Two folds of a network that stop after two and after four levels."""
    short, long = levels([10, 11], [10, 10]), levels([10, 11, 12, 13], [10, 10, 10, 10])
    return [grown("a", 0, levels=short), grown("a", 1, levels=long)]


def lines(figure, label):
    return [line for axes in figure.axes for line in axes.lines if line.get_label() == label]


def test_two_models_never_look_alike():
    styles = line_styles([f"model {i}" for i in range(20)]).values()
    assert len({(style["color"], style["linestyle"]) for style in styles}) == 20


def test_roc_panels_hold_the_mean_curve_of_every_model():
    curves = [list(ROC_GRID**power) for power in (0.2, 0.4)]
    results = outcome({"RF": 0.8, "KNN": 0.7}, ("a", "b"))
    results += [grown("a", fold, roc=curve) for fold, curve in enumerate(curves)]
    figure = roc_figure(results, highlight="ours", title="ROC")
    assert [axes.get_title() for axes in figure.axes if axes.get_title()] == ["a", "b"]
    (curve,) = lines(figure, "ours")
    mean = np.interp(curve.get_xdata(), ROC_GRID, np.mean(curves, axis=0))
    np.testing.assert_allclose(curve.get_ydata(), mean)
    assert curve.get_xdata()[[0, -1]].tolist() == [0, 1]
    widths = {line.get_label(): line.get_linewidth() for line in figure.axes[0].lines[1:]}
    assert max(widths, key=widths.get) == "ours" and len(widths) == 3


def test_roc_curves_of_a_whole_study_make_a_small_file(tmp_path):
    rng, results = np.random.default_rng(0), []
    for dataset, model, fold in product("abcdefghijklmno", range(20), range(2)):
        key = Key(dataset, f"model {model}", "3-fold", fold, "{}", 0, "", "")
        curve = np.sort(rng.random(ROC_GRID.size)).tolist()
        results.append(scored(key, 0.9, details={"roc": curve}))
    save_figure(roc_figure(results, highlight="model 0"), tmp_path / "roc")
    assert (tmp_path / "roc.svg").stat().st_size < 300_000


def test_costs_never_fall_although_folds_stop_at_different_levels(runs):
    figure = level_figure(runs, "ours", "process-costs")
    for label, costs in (("Test cost", [10, 11, 11.5, 12]), ("Delay cost", [10] * 4)):
        (line,) = lines(figure, label)
        assert line.get_xdata().tolist() == [1, 2, 3, 4] and line.get_ydata().tolist() == costs


def test_thresholds_narrow_towards_gamma(runs):
    figure = level_figure(runs, "ours", "thresholds")
    (alpha,) = lines(figure, r"$\alpha$ (accept)")
    (beta,) = lines(figure, r"$\beta$ (reject)")
    width = alpha.get_ydata() - beta.get_ydata()
    assert np.all(np.diff(width) < 0) and np.all(width > 0)


def test_accuracy_is_in_per_cent(runs):
    figure = level_figure(runs, "ours", "accuracy-by-nodes")
    assert figure.get_supylabel() == "Test accuracy (%)"
    assert figure.axes[0].lines[0].get_ydata()[0] == pytest.approx(80)


def test_the_diagram_names_every_model_and_the_critical_difference():
    figure = rank_figure(score_matrix(outcome({"RF": 0.9, "ours": 0.8, "KNN": 0.7})))
    text = " ".join(t.get_text() for t in figure.axes[0].texts)
    assert all(name in text for name in ("RF (1.00)", "ours (2.00)", "KNN (3.00)"))
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


def test_a_dataset_of_single_levels_has_no_panel(runs):
    single = grown("b", 0, levels=levels([10], [10]))
    figure = level_figure([*runs, single], "ours", "process-costs")
    assert [axes.get_title() for axes in figure.axes] == ["a"]


def test_levels_beyond_the_one_that_was_kept_have_no_accuracy(runs):
    long = runs[1].details["levels"]
    kept = [{k: v for k, v in level.items() if i < 3 or k != "accuracy"}
            for i, level in enumerate(long)]  # fmt: skip
    figure = level_figure([runs[0], grown("a", 1, levels=kept)], "ours", "accuracy-by-nodes")
    assert figure.axes[0].lines[0].get_xdata().tolist() == [1, 2, 3]


def test_nothing_to_draw_says_so():
    with pytest.raises(ValueError, match="nothing to draw"):
        level_figure([], "ours", "thresholds")
