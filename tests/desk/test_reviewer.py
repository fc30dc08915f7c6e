"""Reviewers say what is wrong with them."""

import math

import pytest

from trisect import CostMatrix
from trisect.desk import Reviewer, allocate


def test_error_is_sensitivity_and_specificity_in_one():
    assert Reviewer("Ana", error=0.25).rates == (0.75, 0.75)
    assert Reviewer("Ana").rates == (1, 1)
    assert Reviewer("Ana", sensitivity=0.9, specificity=0.8).rates == (0.9, 0.8)
    assert Reviewer("Ana").capacity == math.inf


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": ""}, "needs a name"),
        ({"name": 3}, "needs a name"),
        ({"cost": -1}, "cost of reviewer 'Ana'"),
        ({"cost": math.nan}, "cost of reviewer 'Ana'"),
        ({"cost": "much"}, "cost of reviewer 'Ana'"),
        ({"error": 1.5}, "error of reviewer 'Ana' must lie between 0 and 1"),
        ({"sensitivity": 0.9}, "both the sensitivity and the specificity"),
        ({"sensitivity": 0.9, "specificity": -0.1}, "specificity of reviewer 'Ana'"),
        ({"error": 0.1, "sensitivity": 0.9, "specificity": 0.9}, "not both"),
        ({"capacity": -1}, "whole number from 0"),
        ({"capacity": 2.5}, "whole number from 0"),
        ({"capacity": math.nan}, "whole number from 0"),
    ],
)
def test_impossible_reviewers_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Reviewer(**({"name": "Ana"} | arguments))


def test_a_team_has_different_names():
    costs = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
    with pytest.raises(ValueError, match="given twice: Ana"):
        allocate([0.5], costs, [Reviewer("Ana"), Reviewer("Ben"), Reviewer("Ana")])
    with pytest.raises(TypeError, match="Reviewer objects, got 'Ana'"):
        allocate([0.5], costs, ["Ana"])
