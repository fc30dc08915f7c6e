"""Which class it is right to accept, and when that is said."""

import warnings

import numpy as np
import pytest

from trisect.decisions import CostMatrix, positive_class

REVIEW = {"false_accept": 5, "false_reject": 10, "review": 1}
TEXTS = np.array(["approve", "decline"])


def named(**names):
    return CostMatrix.from_review(**REVIEW, **names)


@pytest.mark.parametrize(
    ("classes", "arguments", "expected"),
    [
        (TEXTS, {"pos_label": "approve"}, "approve"),
        (TEXTS, {"costs": named(accept="approve")}, "approve"),
        (TEXTS, {"costs": named(reject="approve")}, "decline"),
        (TEXTS, {"costs": named(accept="approve"), "default": "decline"}, "approve"),
        (TEXTS, {"pos_label": "decline", "costs": named(accept="decline")}, "decline"),
        (TEXTS, {"costs": named(), "default": "approve"}, "approve"),
        ([0, 1], {"costs": named()}, 1),
        ([-1.0, 2.0], {}, 2.0),
        ([False, True], {}, True),
        (np.array([3, 4], dtype=object), {}, 4),
    ],
)
def test_who_names_it_is_followed_in_silence(classes, arguments, expected):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert positive_class(classes, **arguments) == expected


@pytest.mark.parametrize("classes", [TEXTS, TEXTS.astype(object), TEXTS.tolist()])
def test_a_guess_among_texts_is_said(classes):
    with pytest.warns(UserWarning, match=r"To accept means 'decline' .* reject 'approve': .* last"):
        assert positive_class(classes, costs=named()) == "decline"


def test_it_is_said_once():
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("default")
        for _ in range(3):
            positive_class(TEXTS)
    assert len(said) == 1


def test_contradictions_and_strangers_are_refused():
    with pytest.raises(ValueError, match="'decline' is given, but the costs accept 'approve'"):
        positive_class(TEXTS, "decline", named(accept="approve"))
    with pytest.raises(ValueError, match="pos_label='aprove' is not one of"):
        positive_class(TEXTS, "aprove")
