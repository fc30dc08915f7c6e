"""Comparisons count, test and give a verdict, whichever way the results turn out."""

import dataclasses

import pytest
from studies import STUDY, outcome

from trisect_experiments.report.comparison import answer, compare

BETTER, TWO_PARTS = STUDY.questions


def settled(**scores):
    return answer(STUDY, BETTER, {"trees": outcome(scores)}).contests[0]


def test_better_than_all():
    contest = settled(tree=0.9, stump=0.8, bayes=0.7)
    accuracy = contest.comparisons[0]
    assert accuracy.rivals("better") == ("stump", "bayes") == contest.rivals
    assert accuracy.means["tree"] == pytest.approx(85.95) and accuracy.best_rival == "stump"
    assert accuracy.n_best == accuracy.n_datasets == 10
    assert accuracy.duels[0][:4] == ("stump", 10, 0, 0)
    assert accuracy.duels[0].difference == pytest.approx(9.55)
    assert contest.verdicts == {(("better", contest.rivals),): ["accuracy", "weighted F1", "AUC"]}
    assert contest.wins == contest.pairs == 20


def test_metrics_that_disagree_are_told_apart():
    results = [
        dataclasses.replace(r, auc=1 - r.auc)
        for r in outcome({"tree": 0.8, "stump": 0.7, "bayes": 0.7})
    ]
    contest = answer(STUDY, BETTER, {"trees": results}).contests[0]
    assert contest.verdicts == {
        (("better", contest.rivals),): ["accuracy", "weighted F1"],
        (("worse", contest.rivals),): ["AUC"],
    }


def test_a_verdict_takes_test_count_and_mean():
    (duel,) = compare(outcome({"tree": 0.8, "bayes": 0.8}), "accuracy", ["bayes"], "tree").duels
    assert duel.verdict == "unclear"
    better = duel._replace(wins=9, losses=1, difference=-1.0, p_holm=0.01)
    assert better.verdict == "unclear", "many small wins and few large losses"
    assert better._replace(difference=1.0).verdict == "better"
    assert better._replace(wins=1, losses=9).verdict == "worse"


def test_published_pairs_are_counted_beside_ours():
    contest = settled(tree=0.9, stump=0.8)
    assert contest.published == (0, 2), "the stump is ahead in the published figures"
    assert contest.wins == contest.pairs == 10
