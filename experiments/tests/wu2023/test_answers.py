"""The answers are true whichever way the results turn out."""

import pytest
from studies import DATASETS, outcome

from trisect_experiments.datasets import load_dataset
from trisect_experiments.report.summary import summarise
from trisect_experiments.report.templating import render
from trisect_experiments.study import plan_study
from trisect_experiments.wu2023 import ABLATION, PAPER

FIXED = ("m1-SFNN-R", "m2-SFNN-R", "m3-SFNN-R")
DATA = load_dataset("xor", n_samples=200)


def answers(outcomes, study=PAPER, limit=None):
    """The page of answers for what some tables report."""
    planned = plan_study(study, [DATA], list(outcomes), limit=limit)
    results = [result for results in outcomes.values() for result in results]
    summary = summarise(planned, results, outcomes)
    content = {"report": summary, "study": study, **summary.findings}
    return render(study.template, content, study.package)


def static(ours, *theirs):
    return {"static": outcome({"STWD-SFNN": ours} | dict(zip(FIXED, theirs, strict=True)))}


def test_better_than_all():
    text = answers(static(0.9, 0.8, 0.7, 0.6))
    assert (
        "In accuracy, weighted F1 and AUC, STWD-SFNN is significantly better than m1-SFNN-R, "
        "m2-SFNN-R and m3-SFNN-R. The mean accuracy of STWD-SFNN over 10 datasets is 85.95 %, "
        "that of m1-SFNN-R, the best of the others, 76.40 %; it is the most accurate, alone or "
        "level, on 10 of them. It has 4.0 nodes" in text
    )
    assert "| m1-SFNN-R | accuracy | 10 / 0 / 0 | +9.55 |" in text
    assert "is significantly worse" not in text and "Quick" not in text
    assert "## RQ 2" in text and "Not asked: the tables that it needs" in text


def test_one_of_each():
    text = answers(static(0.8, 0.7, 0.9, 0.8))
    assert (
        "STWD-SFNN is significantly better than m1-SFNN-R, significantly worse than m2-SFNN-R "
        "and not significantly different from m3-SFNN-R." in text
    )
    assert "| m3-SFNN-R | accuracy | 0 / 10 / 0 | +0.00 | 1.00 |" in text


def test_too_few_datasets_for_a_verdict():
    few = {"static": outcome({"STWD-SFNN": 0.9, "m1-SFNN-R": 0.1}, DATASETS[:4])}
    text = answers(few, limit=1)
    assert "A quick look: few folds, and no model was tuned. Significant means" in text
    assert "With 4 datasets no difference could be significant, however large" in text
    assert "Without results: m2-SFNN-R and m3-SFNN-R." in text


def test_the_question_about_twd_has_two_parts():
    ten = outcome({"STWD-SFNN": 0.9, "TWD-SFNN-R": 0.8})
    five = outcome({"STWD-SFNN": 0.7, "TWD-SFNN-R": 0.8})
    text = answers({"dynamic": ten, "twd-5fold": five})
    part = text.partition("## RQ 3")[2].partition("## RQ 4")[0]
    first, second = part.split("**By five-fold cross-validation.**")
    assert "**By ten-fold cross-validation.** In accuracy, weighted F1 and AUC, STWD" in first
    assert "significantly better than TWD-SFNN-R" in first
    assert "significantly worse than TWD-SFNN-R" in second
    assert "No answer: STWD-SFNN and STWD-SFNN-NK have no dataset in common." in text


def test_the_papers_own_count_is_beside_ours():
    results = outcome({"STWD-SFNN": 0.9, "SVC": 0.8}, ("EOL", "SB", "HTRU"))
    text = answers({"classic": results})
    assert "in 3 of 3 pairs of dataset and rival; in the published figures in 1." in text


def test_the_place_among_networks():
    behind = outcome({"STWD-SFNN": 0.5, "GS-SFNN": 0.9})
    text = answers({"static": outcome({"m1-SFNN-R": 0.7}), "dynamic": behind})
    assert (
        "- By accuracy, over 10 datasets, its average rank is place 3 of 3: GS-SFNN 1.00, "
        "m1-SFNN-R 2.00, STWD-SFNN 3.00." in text
    )
    assert "Not asked: it takes the static and the dynamic table." in answers({"static": behind})
    assert "No answer: no dataset has all" in answers({"static": [], "dynamic": []})


@pytest.mark.parametrize(("paper", "word"), [(0.5, "better"), (0.95, "worse")])
def test_the_ablation_goes_both_ways_too(paper, word):
    scores = {"refined": 0.9, "paper": paper, "no-joint": 0.9}
    text = answers({"ablation": outcome(scores)}, ABLATION)
    assert f"refined is significantly {word} than paper and not significantly different" in text
    assert f"| {95.5 * (paper - 0.9):+.2f} |" in text and "| no-joint | no training of all" in text
    assert "| +0.00 |" in text and "-0.00" not in text
    text = answers({"ablation": outcome({"paper": 0.9})}, ABLATION)
    assert "refined and its variants have no dataset in common" in text
