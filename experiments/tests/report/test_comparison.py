"""Comparisons count, test and give a verdict, whichever way the results turn out."""

import dataclasses

import pytest
from studies import DATASETS, STUDY, outcome

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


def test_one_of_each():
    contest = settled(tree=0.8, stump=0.7, bayes=0.9)
    assert list(contest.verdicts) == [(("better", ("stump",)), ("worse", ("bayes",)))]
    contest = settled(tree=0.8, stump=0.8, bayes=0.9)
    assert list(contest.verdicts) == [(("worse", ("bayes",)), ("unclear", ("stump",)))]
    assert contest.comparisons[0].n_best == 0 and contest.comparisons[0].duels[0].p_holm == 1


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


def test_few_datasets_cannot_be_significant():
    results = outcome({"tree": 0.9, "bayes": 0.1}, DATASETS[:4])
    contest = answer(STUDY, BETTER, {"trees": results}).contests[0]
    assert not contest.comparisons[0].can_be_significant
    assert contest.missing == ("stump",)


def test_a_verdict_takes_test_count_and_mean():
    (duel,) = compare(outcome({"tree": 0.8, "bayes": 0.8}), "accuracy", ["bayes"], "tree").duels
    assert duel.verdict == "unclear"
    better = duel._replace(wins=9, losses=1, difference=-1.0, p_holm=0.01)
    assert better.verdict == "unclear", "many small wins and few large losses"
    assert better._replace(difference=1.0).verdict == "better"
    assert better._replace(wins=1, losses=9).verdict == "worse"


def test_a_question_may_have_parts_that_this_run_lacks():
    ten = outcome({"tree": 0.9, "bayes": 0.8})
    both = answer(STUDY, TWO_PARTS, {"trees": ten, "few": outcome({"tree": 0.7, "bayes": 0.8})})
    assert [c.lead for c in both.contests] == ["Ten folds", "Five folds"]
    assert [c.comparisons[0].duels[0].verdict for c in both.contests] == ["better", "worse"]
    assert len(answer(STUDY, TWO_PARTS, {"trees": ten}).contests) == 1
    assert answer(STUDY, TWO_PARTS, {}).contests == ()


def test_without_a_common_dataset_there_is_nothing_to_compare():
    (contest,) = answer(STUDY, BETTER, {"trees": outcome({"bayes": 0.9})}).contests
    assert contest.comparisons == () and contest.rivals == ("stump", "bayes")


def test_published_pairs_are_counted_beside_ours():
    contest = settled(tree=0.9, stump=0.8)
    assert contest.published == (0, 2), "the stump is ahead in the published figures"
    assert contest.wins == contest.pairs == 10
