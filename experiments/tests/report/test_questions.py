"""The answers are true whichever way the results turn out."""

import pytest
from made_up import DATASETS, outcome

from trisect_experiments.report.ablation_text import ablation_text
from trisect_experiments.report.comparison import compare
from trisect_experiments.report.questions import QUESTIONS, answer

STATIC, DYNAMIC, TWD, PLAIN, OTHERS = QUESTIONS
FIXED = ("m1-SFNN-R", "m2-SFNN-R", "m3-SFNN-R")


def static(ours, *theirs):
    return {"static": outcome({"STWD-SFNN": ours} | dict(zip(FIXED, theirs, strict=True)))}


def test_better_than_all():
    text = answer(STATIC, static(0.9, 0.8, 0.7, 0.6))
    assert (
        "In accuracy, weighted F1 and AUC STWD-SFNN is significantly better than m1-SFNN-R, "
        "m2-SFNN-R and m3-SFNN-R." in text
    )
    assert "accuracy of STWD-SFNN is 85.50 % over 10 datasets" in text
    assert "that of m1-SFNN-R, the best of the others, 75.50 %" in text
    assert "alone or level, on 10 of them" in text
    assert "| m1-SFNN-R | accuracy | 10 / 0 / 0 | +10.00 |" in text
    assert "worse" not in text and "not significantly" not in text


def test_worse_than_all():
    text = answer(STATIC, static(0.6, 0.7, 0.8, 0.9))
    assert "is significantly worse than m1-SFNN-R, m2-SFNN-R and m3-SFNN-R." in text
    assert "that of m3-SFNN-R, the best of the others, 85.50 %" in text
    assert "alone or level, on 0 of them" in text
    assert "| m3-SFNN-R | AUC | 0 / 0 / 10 | -30.00 |" in text and "better" not in text


def test_one_of_each():
    text = answer(STATIC, static(0.8, 0.7, 0.9, 0.8))
    assert (
        "STWD-SFNN is significantly better than m1-SFNN-R, significantly worse than m2-SFNN-R "
        "and not significantly different from m3-SFNN-R." in text
    )
    assert "| m3-SFNN-R | accuracy | 0 / 10 / 0 | +0.00 | 1.00 |" in text


def test_metrics_that_disagree_have_sentences_of_their_own():
    results = []
    for result in static(0.8, 0.7, 0.7, 0.7)["static"]:
        changed = 0.5 if result.key.model == "STWD-SFNN" else 0.9
        results.append(type(result)(**{**vars(result), "auc": changed}))
    text = answer(STATIC, {"static": results})
    assert "In accuracy and weighted F1 STWD-SFNN is significantly better than" in text
    assert "In AUC STWD-SFNN is significantly worse than" in text


def test_too_few_datasets_for_a_verdict():
    few = {"static": outcome({"STWD-SFNN": 0.9, "m1-SFNN-R": 0.1}, DATASETS[:4])}
    text = answer(STATIC, few)
    assert "With 4 datasets no difference could pass the test, however large" in text
    assert "significantly" not in text and "Without results: m2-SFNN-R and m3-SFNN-R." in text


def test_a_split_verdict_is_not_a_verdict():
    # Many small wins and few large losses: test and mean may point apart.
    results = outcome({"STWD-SFNN": 0.8, "TWD-SFNN-R": 0.8})
    comparison = compare(results, "accuracy", ["TWD-SFNN-R"])
    assert [duel.verdict for duel in comparison.duels] == ["unclear"]
    better = comparison.duels[0]._replace(wins=9, losses=1, difference=-1.0, p_holm=0.01)
    assert better.verdict == "unclear"
    assert better._replace(difference=1.0).verdict == "better"
    assert better._replace(wins=1, losses=9).verdict == "worse"


def test_the_question_about_twd_has_two_parts():
    ten = outcome({"STWD-SFNN": 0.9, "TWD-SFNN-R": 0.8})
    five = outcome({"STWD-SFNN": 0.7, "TWD-SFNN-R": 0.8})
    text = answer(TWD, {"dynamic": ten, "twd-5fold": five})
    assert "By ten-fold cross-validation: in accuracy, weighted F1 and AUC STWD-SFNN is" in text
    first, second = text.split("By five-fold cross-validation")
    assert "significantly better than TWD-SFNN-R" in first
    assert "significantly worse than TWD-SFNN-R" in second
    assert "five-fold" not in answer(TWD, {"dynamic": ten})


def test_what_was_not_asked_is_not_answered():
    assert "Not asked" in answer(DYNAMIC, {"static": []})
    text = answer(PLAIN, {"dynamic": outcome({"STWD-SFNN": 0.9})})
    assert "No answer: STWD-SFNN and STWD-SFNN-NK have no dataset in common." in text


def test_the_papers_own_count_is_beside_ours():
    results = outcome({"STWD-SFNN": 0.9, "SVC": 0.8}, ("EOL", "SB", "HTRU"))
    text = answer(OTHERS, {"classic": results})
    assert "the more accurate one in 3 of 3 pairs of dataset and rival; in the paper's" in text


@pytest.mark.parametrize(("paper", "word"), [(0.5, "better"), (0.95, "worse")])
def test_the_ablation_goes_both_ways_too(paper, word):
    text = ablation_text(outcome({"refined": 0.9, "paper": paper, "no-joint": 0.9}))
    assert f"refined is significantly {word} than paper and not significantly different" in text
    change = 100 * (paper - 0.9)
    assert f"| {change:+.2f} |" in text and "| no-joint |" in text
    assert "no dataset in common" in ablation_text(outcome({"paper": 0.9}))
