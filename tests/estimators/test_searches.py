"""Searches for a size: what is tried, what is kept, and that a size is trained once."""

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.metrics import accuracy_score
from sklearn.model_selection import train_test_split

from trisect import SFNNClassifier
from trisect.estimators.sizes import SEARCHES, GridSizes, SwarmSizes, Trial, Trials

X, X_VAL, Y, Y_VAL = train_test_split(*make_moons(1200, noise=0.15, random_state=0), random_state=0)
QUICK = {"max_updates": 200, "l2": 0.01}


def fitted(n_hidden, **parameters):
    model = SFNNClassifier(n_hidden, **(QUICK | parameters))
    return model.fit(X, Y, X_val=X_VAL, y_val=Y_VAL)


class MadeUpNetworks:
    """Networks that need no training: accuracies are given, sizes that were asked for noted."""

    def __init__(self, accuracies, stop_after=None):
        self.accuracies, self.stop_after, self.sizes = accuracies, stop_after, []

    def __call__(self, n_hidden):
        self.sizes.append(n_hidden)
        return Trial(None, self.accuracies[n_hidden], stop=len(self.sizes) == self.stop_after)


def peak_at(best):
    return {k: 1.0 - 0.05 * abs(k - best) for k in range(1, 11)}


@pytest.mark.parametrize(
    ("scores", "kept"),
    [
        ([0.5, 0.6, 0.7, 0.7, 0.9], 5),
        ([0.5, 0.4, 0.9, 0.9, 0.9], 3),
        ([0.5, 0.5, 0.5, 0.4, 0.3], 1),
    ],
)
def test_grid_tries_every_size_and_keeps_the_smallest_of_the_best(scores, kept):
    made_up = MadeUpNetworks(dict(enumerate(scores, start=1)))
    assert GridSizes(5).choose(Trials(made_up), np.random.default_rng(0)) == kept
    assert made_up.sizes == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("best", range(1, 11))
def test_swarm_finds_the_best_size_whichever_it_is(best):
    search = SwarmSizes(n_particles=8, n_iterations=30)
    made_up = MadeUpNetworks(peak_at(best))
    assert search.choose(Trials(made_up), np.random.default_rng(0)) == best


@pytest.mark.parametrize("seed", range(10))
def test_swarm_trains_each_size_once_and_stays_in_the_range(seed):
    made_up = MadeUpNetworks(peak_at(4))
    trials = Trials(made_up)
    chosen = SwarmSizes(6, n_iterations=50).choose(trials, np.random.default_rng(seed))
    assert len(made_up.sizes) == len(set(made_up.sizes)) == len(trials.tried)
    assert set(made_up.sizes) <= set(range(1, 7))
    assert chosen in trials.tried and isinstance(chosen, int)


def test_a_swarm_without_moves_judges_its_first_positions():
    made_up = MadeUpNetworks(peak_at(4))
    search = SwarmSizes(n_particles=1, n_iterations=0)
    assert [search.choose(Trials(made_up), np.random.default_rng(0))] == made_up.sizes


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_that_is_stopped_keeps_the_best_so_far(name):
    made_up = MadeUpNetworks({k: k / 10 for k in range(1, 11)}, stop_after=2)
    chosen = SEARCHES[name]().choose(Trials(made_up), np.random.default_rng(0))
    assert len(made_up.sizes) == 2 and chosen == max(made_up.sizes)


def test_grid_stopped_at_the_first_size_keeps_it():
    made_up = MadeUpNetworks({k: k / 10 for k in range(1, 11)}, stop_after=1)
    assert GridSizes().choose(Trials(made_up), np.random.default_rng(0)) == 1
    assert made_up.sizes == [1]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", SEARCHES)
def test_the_best_on_validation_data_is_kept(name, seed):
    model = fitted(name, random_state=seed)
    assert model.trials_[model.n_hidden_] == max(model.trials_.values())
    assert model.trials_[model.n_hidden_] == pytest.approx(
        accuracy_score(Y_VAL, model.predict(X_VAL)), abs=1e-6
    )


def test_a_size_gives_the_same_network_in_any_search():
    everywhere = SwarmSizes(n_particles=40, n_iterations=0)
    grid, swarm = fitted("grid", random_state=3), fitted(everywhere, random_state=3)
    alone = fitted(grid.n_hidden_, random_state=3)
    np.testing.assert_array_equal(grid.network_.W1, alone.network_.W1)
    assert alone.trials_ == {grid.n_hidden_: grid.trials_[grid.n_hidden_]}
    assert grid.trials_.items() <= swarm.trials_.items()


@pytest.mark.parametrize("name", SEARCHES)
def test_one_seed_fixes_the_search_and_the_fit(name):
    first, again, other = (fitted(name, random_state=s) for s in (0, 0, 1))
    assert list(first.trials_.items()) == list(again.trials_.items())
    np.testing.assert_array_equal(first.network_.W1, again.network_.W1)
    assert first.trials_ != other.trials_


@pytest.mark.parametrize("name", SEARCHES)
def test_a_name_is_the_search_with_its_defaults(name):
    by_name, by_object = fitted(name, random_state=0), fitted(SEARCHES[name](), random_state=0)
    assert by_name.trials_ == by_object.trials_


@pytest.mark.parametrize("name", SEARCHES)
def test_searched_networks_learn_a_curved_border(name):
    model = fitted(name, max_updates=3000, random_state=0)
    assert model.n_hidden_ > 1 and model.fit_seconds_ > 0
    assert model.score(*make_moons(1000, noise=0.15, random_state=5)) > 0.97


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


@pytest.mark.parametrize("name", SEARCHES)
def test_a_callback_may_end_the_search(name):
    model = SFNNClassifier(name, **QUICK, random_state=0).set_callbacks(StopAfterTwo()).fit(X, Y)
    assert len(model.trials_) == 2
    assert model.trials_[model.n_hidden_] == max(model.trials_.values())


@pytest.mark.parametrize(
    ("search", "name"),
    [
        (GridSizes(0), "max_hidden"),
        (SwarmSizes(0), "max_hidden"),
        (SwarmSizes(n_particles=0), "n_particles"),
        (SwarmSizes(inertia=-1), "inertia"),
    ],
)
def test_bad_parameters_are_named(search, name):
    with pytest.raises(ValueError, match=f"'{name}' parameter of {type(search).__name__}"):
        fitted(search)


def test_parameters_of_a_search_are_set_from_outside():
    model = SFNNClassifier(GridSizes()).set_params(n_hidden__max_hidden=2)
    assert model.n_hidden.max_hidden == 2
    assert max(fitted(model.n_hidden, random_state=0).trials_) <= 2
