"""Networks of a searched size: what is tried, what is kept, and that a size is trained once."""

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.metrics import accuracy_score
from sklearn.model_selection import train_test_split

from trisect import GridSFNNClassifier, SFNNClassifier, SwarmSFNNClassifier
from trisect.estimators.sfnn import SizedNetworkClassifier

X, X_VAL, Y, Y_VAL = train_test_split(*make_moons(1200, noise=0.15, random_state=0), random_state=0)
SEARCHES = [GridSFNNClassifier, SwarmSFNNClassifier]
QUICK = {"max_updates": 300, "l2": 0.01}


def fitted(estimator, **parameters):
    model = estimator(**(QUICK | parameters))
    return model.fit(X, Y, X_val=X_VAL, y_val=Y_VAL)


@pytest.fixture
def trained(monkeypatch):
    """Note the sizes that are trained."""
    sizes = []
    original = SizedNetworkClassifier._trained

    def noting(self, n_hidden, *args):
        sizes.append(n_hidden)
        return original(self, n_hidden, *args)

    monkeypatch.setattr(SizedNetworkClassifier, "_trained", noting)
    return sizes


@pytest.fixture
def graded(monkeypatch):
    """Make validation accuracy a function of the size alone, given as a dictionary."""

    def grade(accuracies):
        monkeypatch.setattr(
            "trisect.estimators.sfnn._accuracy",
            lambda network, validation: accuracies[network.n_hidden],
        )

    return grade


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("estimator", SEARCHES)
def test_the_best_on_validation_data_is_kept(estimator, seed):
    model = fitted(estimator, random_state=seed)
    assert model.trials_[model.n_hidden_] == max(model.trials_.values())
    assert model.trials_[model.n_hidden_] == pytest.approx(
        accuracy_score(Y_VAL, model.predict(X_VAL)), abs=1e-6
    )


@pytest.mark.parametrize("seed", range(4))
def test_grid_tries_sizes_in_order_while_accuracy_improves(seed, trained):
    model = fitted(GridSFNNClassifier, random_state=seed)
    sizes, scores = list(model.trials_), np.array(list(model.trials_.values()))
    assert sizes == trained == list(range(1, len(sizes) + 1))
    assert (np.diff(scores)[:-1] > 0).all()
    assert scores[-1] <= scores[-2] or sizes[-1] == 10


@pytest.mark.parametrize(
    ("scores", "tried", "kept"),
    [
        ([0.5, 0.6, 0.7, 0.7, 0.9], 4, 3),
        ([0.5, 0.4, 0.9, 0.9, 0.9], 2, 1),
        ([0.1, 0.2, 0.3, 0.4, 0.5], 5, 5),
        ([0.5, 0.5, 0.9, 0.9, 0.9], 2, 1),
    ],
)
def test_grid_ends_at_the_first_size_that_does_not_improve(graded, scores, tried, kept):
    graded(dict(enumerate(scores, start=1)))
    model = fitted(GridSFNNClassifier, max_hidden=5, random_state=0)
    assert (len(model.trials_), model.n_hidden_) == (tried, kept)


@pytest.mark.parametrize("best", range(1, 11))
def test_swarm_finds_the_best_size_whichever_it_is(graded, best):
    graded({k: 1.0 - 0.05 * abs(k - best) for k in range(1, 11)})
    model = fitted(SwarmSFNNClassifier, n_particles=8, n_iterations=30, random_state=0)
    assert model.n_hidden_ == best


@pytest.mark.parametrize("seed", range(4))
def test_swarm_trains_each_size_once_and_stays_in_the_range(seed, trained):
    model = fitted(SwarmSFNNClassifier, max_hidden=6, n_iterations=50, random_state=seed)
    assert len(trained) == len(set(trained)) == len(model.trials_)
    assert set(trained) <= set(range(1, 7))
    assert model.n_hidden_ in model.trials_ and isinstance(model.n_hidden_, int)


def test_a_swarm_without_moves_judges_its_first_positions(trained):
    fitted(SwarmSFNNClassifier, n_particles=1, n_iterations=0, random_state=0)
    assert len(trained) == 1


def test_a_size_gives_the_same_network_in_any_search():
    grid = fitted(GridSFNNClassifier, random_state=3)
    alone = fitted(SFNNClassifier, n_hidden=grid.n_hidden_, random_state=3)
    swarm = fitted(SwarmSFNNClassifier, random_state=3)
    np.testing.assert_array_equal(grid.network_.W1, alone.network_.W1)
    for n_hidden in set(grid.trials_) & set(swarm.trials_):
        assert grid.trials_[n_hidden] == swarm.trials_[n_hidden]


@pytest.mark.parametrize("estimator", SEARCHES)
def test_one_seed_fixes_the_search_and_the_fit(estimator):
    first, again, other = (fitted(estimator, random_state=s) for s in (0, 0, 1))
    assert list(first.trials_.items()) == list(again.trials_.items())
    np.testing.assert_array_equal(first.network_.W1, again.network_.W1)
    assert first.trials_ != other.trials_


@pytest.mark.parametrize("estimator", SEARCHES)
def test_searched_networks_learn_a_curved_border(estimator):
    model = estimator(l2=0.01, random_state=0).fit(X, Y, X_val=X_VAL, y_val=Y_VAL)
    X_test, y_test = make_moons(1000, noise=0.15, random_state=5)
    assert model.n_hidden_ > 1 and model.fit_seconds_ > 0
    assert model.score(X_test, y_test) > 0.97


class StopAfterTwo:
    """A callback that asks to stop when two networks are done."""

    def __init__(self):
        self.networks = 0

    def setup(self, estimator, context): ...

    def teardown(self, estimator, context): ...

    def on_fit_task_begin(self, estimator, context): ...

    def on_fit_task_end(self, estimator, context):
        self.networks += context.task_name == "network"
        return context.task_name == "network" and self.networks == 2


@pytest.mark.parametrize("estimator", SEARCHES)
def test_a_callback_may_end_the_search(estimator, graded):
    graded({k: k / 10 for k in range(1, 11)})
    model = estimator(**QUICK, random_state=0).set_callbacks(StopAfterTwo()).fit(X, Y)
    assert len(model.trials_) == 2 and model.n_hidden_ == max(model.trials_)


@pytest.mark.parametrize("name", ["max_hidden", "n_particles"])
def test_bad_parameters_are_named(name):
    with pytest.raises(ValueError, match=f"'{name}' parameter"):
        SwarmSFNNClassifier(**{name: 0}).fit(X, Y)
