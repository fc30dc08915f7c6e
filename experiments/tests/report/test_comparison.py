"""What a verdict takes; the answers of the paper's study show the rest."""

import dataclasses

from studies import STUDY, outcome

from trisect_experiments.report.comparison import answer, compare


def test_metrics_that_disagree_are_told_apart():
    results = [
        dataclasses.replace(r, auc=1 - r.auc)
        for r in outcome({"tree": 0.8, "stump": 0.7, "bayes": 0.7})
    ]
    contest = answer(STUDY, STUDY.questions[0], {"trees": results}).contests[0]
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
