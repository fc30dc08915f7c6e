"""Algorithm 1 beside the published figures, whichever way the results turn out."""

import numpy as np
from studies import outcome

from trisect_experiments.datasets import Dataset
from trisect_experiments.report.templating import render
from trisect_experiments.wu2023 import PAPER
from trisect_experiments.wu2023.claims import claims

MODEL = "STWD-SFNN (Algorithm 1)"


def dataset(name, majority=0.75):
    first = round(1000 * majority)
    y = np.repeat([0, 1], [first, 1000 - first])
    return Dataset(name, np.zeros((1000, 1)), y, ("f",))


def claims_text(found):
    content = {"claims": found, "reproduced": MODEL}
    return render("claims.md.j2", content, PAPER.package)


def ours(score, *names):
    return {"static": outcome({MODEL: score}, names)}


def test_ahead_and_behind():
    data = [dataset("EOL", 0.864), dataset("SB", 0.893), dataset("own")]
    text = claims_text(claims(ours(0.99, "EOL", "SB", "own"), data, MODEL))
    assert "- In accuracy it reaches the published figure on 2 of 2 datasets." in text
    assert "published accuracy is below the majority rate on EOL and SB" in text
    text = claims_text(claims(ours(0.70, "EOL", "SB", "own"), data, MODEL))
    assert "In accuracy it reaches the published figure on 1 of 2 datasets; not on EOL." in text


def test_level_to_two_decimals_is_enough():
    (claim,) = claims(ours(0.836593, "EOL"), [dataset("EOL", 0.864)], MODEL)
    assert claim.reached("accuracy")
    (claim,) = claims(ours(0.8365, "EOL"), [dataset("EOL", 0.864)], MODEL)
    assert not claim.reached("accuracy")


def test_the_highest_score_of_the_run_is_named():
    run = ours(0.70, "EOL") | {"modern": outcome({"LightGBM": 0.99, "MLP": 0.60}, ["EOL"])}
    text = claims_text(claims(run, [dataset("EOL", 0.864)], MODEL))
    assert "| EOL | 86.40 | 70.00 | 83.66 | 99.00, LightGBM |" in text


def test_a_published_majority_rate_is_called_one():
    (claim,) = claims(ours(0.9441, "ONP"), [dataset("ONP", 0.944)], MODEL)
    assert claim.theirs_is_majority
    assert "within 0.5 points of the majority rate on ONP." in claims_text([claim])


def test_only_what_is_comparable():
    assert claims({"modern": []}, [], MODEL) == []
    data = [dataset("PCB"), dataset("PCB-complete")]
    found = claims(ours(0.99, "PCB", "PCB-complete"), data, MODEL)
    assert [claim.dataset for claim in found] == ["PCB-complete"]
    assert "No dataset of this run" in claims_text([])
