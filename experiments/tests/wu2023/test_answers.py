"""The answers are true whichever way the results turn out."""

import re

import pytest
from studies import DATASETS, outcome

from trisect_experiments.datasets import load_dataset
from trisect_experiments.report.summary import summarise
from trisect_experiments.report.templating import render
from trisect_experiments.study import plan_study
from trisect_experiments.wu2023 import ABLATION, PAPER

PAPERS, OURS = "STWD-SFNN (Algorithm 1)", "STWD-SFNN (refined)"
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
    return {"static": outcome({OURS: ours} | dict(zip(FIXED, theirs, strict=True)))}


def test_better_than_all():
    text = answers(static(0.9, 0.8, 0.7, 0.6))
    assert (
        "In accuracy, weighted F1 and AUC, STWD-SFNN (refined) is significantly better than "
        "m1-SFNN-R, m2-SFNN-R and m3-SFNN-R. The mean accuracy of STWD-SFNN (refined) over 10 "
        "datasets is 85.95 %, that of m1-SFNN-R, the best of the others, 76.40 %; it is the most "
        "accurate, alone or level, on 10 of them. It has 4.0 nodes" in text
    )
    assert "| m1-SFNN-R | accuracy | 10 / 0 / 0 | +9.55 |" in text
    assert "is significantly worse" not in text and "Quick" not in text
    assert "**Algorithm 1.** No answer: STWD-SFNN (Algorithm 1) and m1-SFNN-R, m2-SFNN-R" in text
    assert "## RQ 2" in text and "Not asked: the tables that it needs" in text


def test_one_of_each():
    text = answers(static(0.8, 0.7, 0.9, 0.8))
    assert (
        "STWD-SFNN (refined) is significantly better than m1-SFNN-R, significantly worse than "
        "m2-SFNN-R "
        "and not significantly different from m3-SFNN-R." in text
    )
    assert "| m3-SFNN-R | accuracy | 0 / 10 / 0 | +0.00 | 1.00 |" in text


def test_too_few_datasets_for_a_verdict():
    few = {"static": outcome({OURS: 0.9, "m1-SFNN-R": 0.1}, DATASETS[:4])}
    text = answers(few, limit=1)
    assert "A quick look: few folds, and no model was tuned. Significant means" in text
    assert "With 4 datasets no difference could be significant, however large" in text
    assert "Without results: m2-SFNN-R and m3-SFNN-R." in text


def test_the_question_about_twd_has_two_parts_for_either_growth():
    twd = "TWD-SFNN-R (Algorithm 1)", "TWD-SFNN-R (refined)"
    ten = outcome({PAPERS: 0.9, OURS: 0.85, twd[0]: 0.8, twd[1]: 0.95})
    five = outcome({PAPERS: 0.7, OURS: 0.9, twd[0]: 0.8, twd[1]: 0.75})
    text = answers({"dynamic": ten, "twd-5fold": five})
    part = text.partition("## RQ 3")[2].partition("## RQ 4")[0]
    leads = re.findall(
        r"\*\*(.*), by (.*)-fold .* AUC, STWD.* is significantly (.*) than TWD", part
    )
    assert leads == [
        ("Algorithm 1", "ten", "better"),
        ("Refined", "ten", "worse"),
        ("Algorithm 1", "five", "worse"),
        ("Refined", "five", "better"),
    ]
    assert "No answer: STWD-SFNN (refined) and STWD-SFNN-NK (refined) have no dataset" in text
    beyond = text.partition("## Beyond the paper")[2]
    assert "STWD-SFNN (refined) is significantly worse than STWD-SFNN (Algorithm 1)" in beyond


def test_the_papers_own_count_is_beside_its_algorithm_only():
    results = outcome({PAPERS: 0.9, OURS: 0.95, "SVC": 0.8}, ("EOL", "SB", "HTRU"))
    text = answers({"classic": results})
    counted = "in 3 of 3 pairs of dataset and rival; in the published figures in 1."
    assert text.count(counted) == text.count("published figures in") == 1
    assert counted in text.partition("**Algorithm 1, the paper")[2].partition("**Refined, the")[0]


def test_the_places_among_networks():
    behind = outcome({OURS: 0.5, "GS-SFNN": 0.9})
    text = answers({"static": outcome({"m1-SFNN-R": 0.7}), "dynamic": behind})
    assert (
        "- Average ranks by accuracy, over 10 datasets: GS-SFNN 1.00, m1-SFNN-R 2.00, "
        "STWD-SFNN (refined) 3.00." in text
    )
    assert "Not asked: it takes the static and the dynamic table." in answers({"static": behind})
    assert "No answer: no dataset has all" in answers({"static": [], "dynamic": []})


@pytest.mark.parametrize(("paper", "word"), [(0.5, "better"), (0.95, "worse")])
def test_the_ablation_goes_both_ways_too(paper, word):
    scores = {"refined": 0.9, "algorithm-1": paper, "no-joint": 0.9}
    text = answers({"ablation": outcome(scores)}, ABLATION)
    assert (
        f"refined is significantly {word} than algorithm-1 and not significantly different" in text
    )
    assert f"| {95.5 * (paper - 0.9):+.2f} |" in text and "| no-joint | no training of all" in text
    assert "a false acceptance costs 5, a false rejection 10 and a review 1;" in text
    assert "| +0.00 |" in text and "-0.00" not in text
    text = answers({"ablation": outcome({"algorithm-1": 0.9})}, ABLATION)
    assert "refined and its variants have no dataset in common" in text


def test_the_readings_are_compared_with_the_first_of_them():
    scores = {"algorithm-1": 0.6, "algorithm-1-once": 0.9, "algorithm-1-stacked": 0.5}
    planned = outcome(scores, ("xor",))
    text = answers({"readings": planned}, ABLATION)
    part = text.partition("## What does each reading of Algorithm 1 do?")[2]
    assert "| algorithm-1-once | granules are made once | 90.00 |" in part
    assert "| +30.00 | 0 / 0 / 1 |" in part and "| -10.00 | 1 / 0 / 0 |" in part
    assert "| 60.00 | 50.00, algorithm-1-stacked | 90.00, algorithm-1-once |" in part
    assert "## What is each part worth?\n\nNot asked" in text
