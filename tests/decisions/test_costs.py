"""Cost matrices: what is refused, and what is kept."""

import numpy as np
import pytest

from trisect.decisions import CostMatrix

VALID = {"pp": 0.0, "bp": 0.2, "np": 0.8, "pn": 0.6, "bn": 0.1, "nn": 0.0}


def test_fields_have_their_place_in_the_array():
    costs = CostMatrix(**VALID)
    np.testing.assert_array_equal(costs.to_array(), [[0, 0.2, 0.8], [0.6, 0.1, 0]])
    assert CostMatrix.from_array(costs.to_array()) == costs


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pp": -0.1}, r"positive instance .* 0 <= PP < BP < NP < 1, got PP = -0.1"),
        ({"pp": 0.2}, r"positive instance .*PP = 0.2, BP = 0.2"),
        ({"bp": 0.9}, r"positive instance .*BP = 0.9, NP = 0.8"),
        ({"np": 1.0}, r"positive instance .*NP = 1\. Divide all six costs"),
        ({"nn": -0.1}, r"negative instance .* 0 <= NN < BN < PN < 1, got NN = -0.1"),
        ({"bn": 0.6}, r"negative instance .*BN = 0.6, PN = 0.6"),
        ({"pn": 7.0}, r"negative instance .*PN = 7\. Divide all six costs"),
        ({"bn": float("nan")}, r"negative instance .*BN = nan"),
        (
            {"bp": 0.75, "bn": 0.5},
            r"Deferring costs too much.* = 0.375 .* = 0.005\. Lower BP or BN",
        ),
    ],
)
def test_each_broken_condition_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        CostMatrix(**VALID | change)


def test_deferring_on_the_edge_of_use_is_refused():
    # (BN - NN)(BP - PP) equals (PN - BN)(NP - BP) exactly: alpha would equal beta.
    with pytest.raises(ValueError, match="Deferring costs too much"):
        CostMatrix(pp=0, bp=0.25, np=0.5, pn=0.5, bn=0.25, nn=0)


@pytest.mark.parametrize("shape", [(6,), (3, 2), (1, 2, 3)])
def test_other_shapes_are_refused(shape):
    with pytest.raises(ValueError, match="two rows"):
        CostMatrix.from_array(np.zeros(shape))


def test_numbers_of_any_type_become_floats():
    costs = CostMatrix(**{name: np.float32(value) for name, value in VALID.items()})
    assert {type(getattr(costs, name)) for name in VALID} == {float}


def test_text_shows_costs_and_thresholds():
    assert str(CostMatrix(**VALID)).splitlines() == [
        "          accept   defer  reject",
        "positive  0.0000  0.2000  0.8000",
        "negative  0.6000  0.1000  0.0000",
        "alpha 0.7143, beta 0.1429, gamma 0.4286",
    ]
