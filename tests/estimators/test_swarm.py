"""The swarm finds the highest points of simple functions, inside its box, by seed."""

import numpy as np
import pytest

from trisect.estimators.swarm import Swarm

SWARM = Swarm(n_particles=20, n_iterations=200)


def sphere(x):
    return -float(np.square(x - 1.5).sum())


def rosenbrock(x):
    return -float((100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum())


def rastrigin(x):
    return -float((x**2 - 10 * np.cos(2 * np.pi * x) + 10).sum())


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("function", "optimum"),
    [(sphere, [1.5, 1.5, 1.5]), (rosenbrock, [1.0, 1.0]), (rastrigin, [0.0, 0.0])],
)
def test_finds_known_optima(function, optimum, seed):
    n = len(optimum)
    result = SWARM.maximise(function, [-5.0] * n, [5.0] * n, seed)
    np.testing.assert_allclose(result.position, optimum, atol=0.02)
    assert result.value == function(result.position)


@pytest.mark.parametrize("corner", [[-1.0, 2.0], [3.0, 5.0]])
def test_an_optimum_outside_is_approached_up_to_the_wall(corner):
    low, high = np.array([-1.0, 2.0]), np.array([3.0, 5.0])
    outside = np.where(np.array(corner) == low, low - 4, high + 4)
    result = SWARM.maximise(lambda x: -float(np.square(x - outside).sum()), low, high, 0)
    np.testing.assert_array_equal(result.position, corner)


def test_never_leaves_the_box_and_calls_the_function_once_per_move():
    visited = []

    def function(x):
        visited.append(x.copy())
        return float(np.sin(x).sum())

    Swarm(7, 30).maximise(function, [-2.0, 0.0], [1.0, 9.0], 0)
    positions = np.array(visited)
    assert len(positions) == 7 * (30 + 1)
    assert (positions >= [-2.0, 0.0]).all() and (positions <= [1.0, 9.0]).all()


def test_history_never_falls_and_ends_at_the_value():
    result = SWARM.maximise(rastrigin, [-5, -5], [5, 5], 3)
    assert len(result.history) == SWARM.n_iterations + 1
    assert (np.diff(result.history) >= 0).all()
    assert result.history[-1] == result.value


def test_one_seed_one_flight():
    first, again, other = (SWARM.maximise(sphere, [-5] * 2, [5] * 2, s) for s in (0, 0, 1))
    np.testing.assert_array_equal(first.position, again.position)
    np.testing.assert_array_equal(first.history, again.history)
    assert not np.array_equal(first.history, other.history)


def test_without_pulls_and_inertia_particles_stay():
    still = Swarm(4, 10, inertia=0, cognitive=0, social=0)
    result = still.maximise(sphere, [-5] * 2, [5] * 2, 0)
    assert len(set(result.history.tolist())) == 1


def test_the_social_pull_gathers_the_swarm():
    spread = {}
    for social in (0.0, 1.4962):
        last = []
        Swarm(8, 60, social=social).maximise(
            lambda x, last=last: (last.append(x[0]), sphere(x))[1], [-5], [5], 0
        )
        spread[social] = np.std(last[-8:])
    assert spread[1.4962] < spread[0.0] / 10


@pytest.mark.parametrize(("lower", "upper"), [([0], [1, 1]), ([1], [0]), ([[0]], [[1]])])
def test_a_box_must_be_a_box(lower, upper):
    with pytest.raises(ValueError, match="lower must not exceed upper"):
        Swarm().maximise(sphere, lower, upper)
