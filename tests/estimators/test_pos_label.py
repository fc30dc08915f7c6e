"""The first class as the positive one: the same model, mirrored."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

from trisect import CostMatrix, STWDSFNNClassifier
from trisect.growth import PaperGrowth, RefinedGrowth

X = np.random.default_rng(0).normal(size=(500, 2))
Y = (np.square(X).sum(axis=1) > 1.4).astype(int)
LABELS = np.array(["no", "yes"])
COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
YES = replace(COSTS, accept="yes")
MIRRORED = CostMatrix.from_review(false_accept=10, false_reject=5, review=1)
GROWTHS = {
    "refined": RefinedGrowth(node_updates=30, joint_updates=100, polish_updates=60, l2=0.01),
    "paper": PaperGrowth(max_epochs=3, delta=None),
}


def _model(growth="refined", **options):
    options = {"costs": COSTS} | options
    return STWDSFNNClassifier(
        GROWTHS[growth], max_levels=4, scale="standard", random_state=0, **options
    )


@pytest.fixture(scope="module", params=sorted(GROWTHS))
def models(request):
    yes = _model(request.param, costs=YES).fit(X, LABELS[Y])
    no = _model(request.param, pos_label="no").fit(X, LABELS[1 - Y])
    return yes, no


def test_the_costs_or_a_parameter_name_it(models):
    yes, no = models
    assert yes.pos_label_ == "yes" and no.pos_label_ == "no"
    assert yes.classes_.tolist() == no.classes_.tolist() == ["no", "yes"]


def test_probabilities_stay_in_the_order_of_the_classes(models):
    yes, no = models
    np.testing.assert_array_equal(no.predict_proba(X), yes.predict_proba(X)[:, ::-1])
    assert no.score(X, LABELS[1 - Y]) == yes.score(X, LABELS[Y])


def test_decisions_are_about_the_positive_class(models):
    yes, no = models
    for costs in (None, MIRRORED, [[0, 2, 9], [4, 1, 0]]):
        np.testing.assert_array_equal(no.decide(X, costs), yes.decide(X, costs))
        walks = [model.decide_sequentially(X, costs) for model in (no, yes)]
        for name in ("regions", "levels", "probabilities"):
            np.testing.assert_array_equal(*(getattr(walk, name) for walk in walks))
    chosen, regions = no.decide_classes(X), no.decide(X)
    np.testing.assert_array_equal(chosen == "no", regions == 1)
    np.testing.assert_array_equal(chosen == "yes", regions == -1)
    np.testing.assert_array_equal(np.equal(chosen, None), regions == 0)


def test_levels_and_settlement_are_the_same(models):
    yes, no = models
    assert yes.best_level_ == no.best_level_
    for one, other in zip(yes.levels_, no.levels_, strict=True):
        assert (one.n_pos, one.n_bnd, one.n_neg) == (other.n_pos, other.n_bnd, other.n_neg)
    for one, other in zip(yes.settlement_, no.settlement_, strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_other_class_can_still_be_asked_for(models):
    _, no = models
    np.testing.assert_array_equal(no.decide(X, MIRRORED, pos_label="yes"), -no.decide(X))
    walk = no.decide_sequentially(X, MIRRORED, pos_label="yes")
    np.testing.assert_array_equal(walk.regions, -no.decide_sequentially(X).regions)


def test_a_guess_is_said_in_fit_if_there_are_costs_and_else_when_deciding():
    with pytest.warns(UserWarning, match="To accept means 'yes' here, and to reject 'no'"):
        model = _model().fit(X, LABELS[Y])
    assert model.pos_label_ == "yes"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.decide(X)
        quiet = _model(costs=None).fit(X, LABELS[Y])
        quiet.predict(X)
        quiet.decide(X, YES)
        quiet.decide(X, COSTS, pos_label="no")
    for decide in (quiet.decide, quiet.decide_sequentially, quiet.decide_classes):
        with pytest.warns(UserWarning, match="To accept means 'yes' here"):
            decide(X, COSTS)


def test_costs_name_it_when_deciding():
    model = _model(costs=None).fit(X, LABELS[Y])
    no = replace(MIRRORED, accept="no")
    np.testing.assert_array_equal(model.decide(X, no), -model.decide(X, YES))
    np.testing.assert_array_equal(
        model.decide_sequentially(X, no).regions, -model.decide_sequentially(X, YES).regions
    )
    np.testing.assert_array_equal(model.decide_classes(X, no), model.decide_classes(X, YES))
    with pytest.raises(ValueError, match="but the costs accept 'no'"):
        model.decide(X, no, pos_label="yes")
    with pytest.raises(ValueError, match="but the costs accept 'no'"):
        _model(costs=no, pos_label="yes").fit(X, LABELS[Y])


def test_labels_may_be_of_any_kind():
    expected = _model(pos_label="no").fit(X, LABELS[Y]).predict_proba(X)
    for labels, label in (([0, 1], 0), ([-1.0, 2.0], -1.0), ([False, True], False)):
        model = _model(pos_label=label).fit(X, np.array(labels)[Y])
        assert model.pos_label_ == label
        np.testing.assert_array_equal(model.predict_proba(X), expected)


def test_it_has_to_be_one_of_two():
    for label in (7, "yes"):
        with pytest.raises(ValueError, match="is not one of"):
            _model(pos_label=label).fit(X, Y)
    with pytest.raises(ValueError, match="is for two classes, but there are 3"):
        _model(pos_label=1).fit(X, np.where(X[:, 0] > 1, 2, Y))
