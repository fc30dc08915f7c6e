"""Guaranteed thresholds: the proof's claim, counted over draws from populations that are known."""

import re

import numpy as np
import pytest
from scipy.stats import binom

from trisect.decisions import CostMatrix, InstanceCosts, learn_thresholds

COSTS = CostMatrix.from_review(false_accept=5, false_reject=10, review=1)
LEVELS = np.linspace(0.005, 0.995, 100)


class Population:
    """Hundred probabilities, how often each occurs, and how often it is right."""

    def __init__(self, share, rate):
        self.share, self.rate = share / share.sum(), rate

    def draw(self, n, rng):
        chosen = rng.choice(len(LEVELS), size=n, p=self.share)
        return LEVELS[chosen], rng.random(n) < self.rate[chosen]

    def truth(self, pair):
        """Shares and mean cost under a pair of thresholds, computed and not drawn."""
        regions = pair.regions(LEVELS)
        accepted, rejected = self.share * (regions == 1), self.share * (regions == -1)
        wrong = accepted @ (1 - self.rate), rejected @ self.rate
        charges = self.rate * COSTS.amounts[0, 1 - regions.astype(int)]
        charges += (1 - self.rate) * COSTS.amounts[1, 1 - regions.astype(int)]
        sizes = accepted.sum(), rejected.sum()
        return {
            "deferred": 1 - sum(sizes),
            "decided": sum(wrong) / max(sum(sizes), 1e-300),
            "accepted": wrong[0] / max(sizes[0], 1e-300),
            "rejected": wrong[1] / max(sizes[1], 1e-300),
            "cost": self.share @ charges,
        }


U_SHAPE = (LEVELS * (1 - LEVELS)) ** -0.7
CALIBRATED = Population(U_SHAPE, LEVELS)
OVERCONFIDENT = Population(U_SHAPE, 0.5 + (LEVELS - 0.5) * 0.9)
# The surest probabilities are the worst: stricter is not safer.
TREACHEROUS = Population(U_SHAPE, np.where(np.abs(LEVELS - 0.5) > 0.47, 0.5, LEVELS > 0.5))
# Nothing can be promised: each pair errs a little more often than the cap of 5 % allows.
HOPELESS = Population(np.ones(100), np.where(LEVELS > 0.5, 0.949, 0.051))

# A population, caps, rows, and of how many draws in 60 a promise must come.
CASES = [
    (HOPELESS, {"max_error": 0.05}, 400, 0),
    (HOPELESS, {"max_error": {"accepted": 0.05, "rejected": 0.05}}, 800, 0),
    (CALIBRATED, {"max_error": 0.05}, 500, 20),
    (OVERCONFIDENT, {"max_error": 0.1}, 1000, 20),
    (TREACHEROUS, {"max_error": 0.2}, 500, 1),
    (CALIBRATED, {"max_error": {"accepted": 0.1}}, 500, 20),
    (CALIBRATED, {"max_error": {"rejected": 0.05, "decided": 0.1}}, 1000, 20),
    (CALIBRATED, {"max_deferred": 0.2}, 500, 20),
    (OVERCONFIDENT, {"max_deferred": 0.5, "max_error": 0.15}, 1000, 20),
    (CALIBRATED, {"max_cost": 0.9}, 500, 20),
]


def caps_of(arguments):
    caps = {"deferred": arguments.get("max_deferred"), "cost": arguments.get("max_cost")}
    errors = arguments.get("max_error", {})
    caps |= errors if isinstance(errors, dict) else {"decided": errors}
    return {name: cap for name, cap in caps.items() if cap is not None}


def count_broken(population, arguments, n_rows, n_draws, confidence=0.9):
    broken = promised = 0
    for seed in range(n_draws):
        rng = np.random.default_rng(seed)
        p, y = population.draw(n_rows, rng)
        try:
            pair = learn_thresholds(
                p, y, COSTS, **arguments, confidence=confidence, n_resamples=1, random_state=rng
            )
        except ValueError:
            continue
        promised += 1
        truth = population.truth(pair)
        broken += any(truth[name] > cap for name, cap in caps_of(arguments).items())
    return broken, promised


@pytest.mark.parametrize(("population", "arguments", "n_rows", "least"), CASES)
def test_promises_are_broken_no_more_often_than_announced(population, arguments, n_rows, least):
    broken, promised = count_broken(population, arguments, n_rows, n_draws=60)
    assert broken <= binom.ppf(0.9999, 60, 0.1)
    assert promised >= least


@pytest.mark.slow
@pytest.mark.parametrize(
    ("population", "arguments", "n_rows"), [CASES[i][:3] for i in (0, 2, 4, 7, 9)]
)
def test_two_thousand_draws(population, arguments, n_rows):
    broken, _ = count_broken(population, arguments, n_rows, 2000, confidence=0.95)
    assert broken <= binom.ppf(0.999, 2000, 0.05)


@pytest.mark.slow
def test_thresholds_without_a_promise_do_break_their_caps():
    broken = 0
    for seed in range(500):
        p, y = CALIBRATED.draw(500, np.random.default_rng(seed))
        pair = learn_thresholds(p, y, COSTS, max_error=0.03, n_resamples=1)
        broken += CALIBRATED.truth(pair)["decided"] > 0.03
    assert broken > 200


@pytest.mark.parametrize(("cap", "confidence", "n_tested"), [(0.05, 0.95, 59), (0.01, 0.9, 230)])
def test_the_number_of_rows_is_the_least_that_proves_it(cap, confidence, n_tested):
    # Without any mistake the cap is proved from the row on where (1 - cap)^n is small enough.
    assert (1 - cap) ** n_tested <= 1 - confidence < (1 - cap) ** (n_tested - 1)
    enough = next(n for n in range(n_tested, 1000) if n - round(0.2 * n) == n_tested)

    def learn(n):
        p = np.tile([0.01, 0.99], n)[:n]
        return learn_thresholds(p, p > 0.5, COSTS, max_error=cap, confidence=confidence)

    assert learn(enough).decided_error == 0
    with pytest.raises(
        ValueError, match=rf"on {enough - 1} calibration rows. About ([\d,]+) would"
    ):
        learn(enough - 1)
    with pytest.raises(ValueError, match="calibration rows") as refused:
        learn(30)
    told = int(re.search(r"About ([\d,]+)", str(refused.value))[1].replace(",", ""))
    assert enough <= told <= 1.1 * enough


def test_more_rows_do_not_help_what_is_wrong_everywhere():
    p, y = HOPELESS.draw(3000, np.random.default_rng(0))
    with pytest.raises(ValueError, match=r"more rows would not help. Raise the cap"):
        learn_thresholds(p, y, COSTS, max_error=0.02, confidence=0.95)


def test_a_side_that_cannot_be_promised_stays_empty():
    rng = np.random.default_rng(0)
    one_sided = Population(U_SHAPE, np.where(LEVELS > 0.5, 0.6, 0.001))
    p, y = one_sided.draw(3000, rng)
    caps = {"accepted": 0.02, "rejected": 0.02}
    pair = learn_thresholds(p, y, COSTS, max_error=caps, confidence=0.95)
    assert pair.alpha > 1 and 0 < pair.beta < 1
    assert set(pair.regions([0.0, 0.4, 0.99, 1.0]).tolist()) <= {-1, 0}


def test_the_promise_is_part_of_the_result():
    p, y = CALIBRATED.draw(2000, np.random.default_rng(0))
    pair = learn_thresholds(p, y, COSTS, max_error=0.05, confidence=0.95)
    assert (pair.confidence, pair.caps.decided) == (0.95, 0.05)
    assert "at most 0.05 of the decided wrong on new data, with a confidence of 0.95" in str(pair)
    plain = learn_thresholds(p, y, COSTS, max_error=0.05)
    assert "on these data, with no promise for new ones" in str(plain)
    assert plain.deferral_rate < pair.deferral_rate


def test_one_seed_gives_one_pair():
    p, y = CALIBRATED.draw(2000, np.random.default_rng(0))
    pairs = [
        learn_thresholds(p, y, COSTS, max_error=0.1, confidence=0.9, random_state=seed)
        for seed in (0, 0, 1)
    ]
    assert pairs[0] == pairs[1]
    assert (pairs[0].alpha, pairs[0].beta) != (pairs[2].alpha, pairs[2].beta)


EACH = InstanceCosts(np.tile(COSTS.amounts, (3, 1, 1)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "needs something to promise: max_deferred, max_error or max_cost"),
        ({"max_error": 0.1, "confidence": 1.0}, "confidence must lie between 0 and 1"),
        ({"max_error": 0.1, "sample_weight": [1, 2, 3]}, "cannot be made with sample_weight"),
        ({"max_cost": 0.5, "costs": EACH}, "bounded"),
        ({"max_error": {"deferred": 0.1}}, r"not among \['deferred'\]"),
        ({"max_error": {"accepted": 1.1}}, r"max_error \(among the accepted\) must lie"),
        ({"max_cost": np.nan}, "max_cost must be a finite number"),
    ],
)
def test_what_cannot_be_promised_is_refused(arguments, message):
    sound = {"p": [0.1, 0.5, 0.9], "positive": [False, True, True], "costs": COSTS}
    with pytest.raises(ValueError, match=message):
        learn_thresholds(**sound | {"confidence": 0.9} | arguments)
