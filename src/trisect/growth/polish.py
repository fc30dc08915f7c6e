"""Training the network that is kept: how strictly, with how many nodes, and then on all rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from trisect.growth.data import TrainingData
from trisect.growth.policy import QUIET
from trisect.growth.progress import Progress
from trisect.growth.selection import chance_loss, least_gain, notable, pays
from trisect.network import Network, Part, Training, mean_losses, train
from trisect.network.threads import at_once, n_threads
from trisect.scaling.positions import MANY

__all__ = ["KINDS", "Kind", "Polish", "Polished"]

# More instances than these learn nothing from a ninth more, and would be copied.
MOST_ROWS_TOGETHER = 50_000
# Few instances are learned after so many passes, or so many updates if that is more.
PASSES, LEAST_UPDATES = 150, 600
# Share of the updates after which penalties and sizes are compared, and their least number.
BRIEFLY, LEAST_BRIEFLY = 0.2, 150
# More than MANY columns soon overfit, and sooner with curves along them: there a penalty that suits
# brief training is too weak for a longer one, so that training is short and compared in full.
UPDATES_IF_MANY, UPDATES_IF_BENT = 700, 400
# Times the updates where nothing has been learned yet: a parity of six shows late or never
# (docs/experiments.md).
LONGER_IF_IGNORANT = 6
# A loss so many times that of the grown network is the work of a rate that is too high.
ASTRAY = 2.0
# Neighbouring l2 weights, and the limits between which they are looked for.
STEP, LEAST, MOST = 2.0, 0.02, 1000.0


class Kind(NamedTuple):
    """A kind of penalty on the parameters of a gated network."""

    gates: str
    """Which gates are trained, see `trisect.network.Training`."""
    bends: float
    """Weight of the bends of curves relative to that of weights."""
    l2: float
    """Weight at which the search begins, if all instances were one batch."""


KINDS = {
    "gated": Kind("all", 6.0, 2.0),
    "open": Kind("none", 6.0, 8.0),
    "straight": Kind("all", 600.0, 0.7),
}
"""Gates that silence columns; open gates, for columns that say a little each; stiff curves."""


class _Trial(NamedTuple):
    """A network that was trained briefly under a penalty."""

    loss: float
    which: int
    kind: str
    l2: float


class Polished(NamedTuple):
    """The result of polishing."""

    which: int
    """Index of the network that was kept."""
    network: Network
    """It, after all training."""
    rehearsal: Network
    """It, after brief training on the training part alone."""
    loss: float
    """Validation loss of the rehearsal."""


@dataclass(frozen=True)
class Polish:
    """How the network that is kept is trained in the end.

    Brief training on the training part shows which penalty is best on the validation part:
    first its kind, then the l2 weight, up or down while that pays. Under the penalty that is
    found the network is trained for longer, on training and validation instances together. If
    they are very many, the training part is enough.

    Parameters
    ----------
    training : Training
        Settings of the last training.
    l2 : float or None
        Weight of the squares per batch, or None to look for one.
    """

    training: Training
    l2: float | None = None

    def __call__(
        self,
        networks: Sequence[Network],
        data: TrainingData,
        rng: np.random.Generator,
        value: Callable[[Network, int], float] | None = None,
        progress: Progress = QUIET,
    ) -> Polished:
        """Train the better of some networks.

        Parameters
        ----------
        networks : sequence of Network
            Candidates with more and more nodes. The penalty is chosen for the last; one with
            fewer nodes is kept if it is, after brief training, about as good.
        data : TrainingData
            Scaled data.
        rng : numpy.random.Generator
            Source of the batches' order.
        value : callable, optional
            What a network of an index is judged by when sizes are compared, less being
            better; the validation loss by default.
        progress : Progress, optional
            Hears of the epochs; may end training.

        Returns
        -------
        Polished
            The network that is kept, after all training.
        """
        search = _Search(self, networks, data, rng, progress, value)
        best = search.best()
        own = float(mean_losses([networks[best.which]], data.validation)[0])
        if not pays(min(best.loss, own), chance_loss(data.validation), data.validation):
            # Neither growth nor brief training has learned anything that could be compared.
            search = _Search(
                self, networks, data, rng, progress, value, share=1.0, times=LONGER_IF_IGNORANT
            )
            best = search.best()
        which, rehearsal = best.which, search.trained[best]
        if not best.loss < ASTRAY * own:
            return Polished(which, networks[which], networks[which], own)
        if progress.stopped:
            return Polished(which, rehearsal, rehearsal, best.loss)
        few = len(data.train) <= MOST_ROWS_TOGETHER
        part = data.train
        if few:
            part = data.together(rng).in_runs(self.training.batch_size)
        trained = search.train(best, part, search.updates)
        return Polished(which, trained, rehearsal, best.loss)


class _Search:
    """Brief trainings, each made once."""

    def __init__(
        self, polish, networks, data, rng, progress, value, share=BRIEFLY, times=1
    ) -> None:
        self.polish, self.networks, self.data = polish, networks, data
        self.progress, self.value = progress, value
        self.margin, self.least_gain = notable(len(data.validation)), least_gain(data.validation)
        n_batches = -(-len(data.train) // polish.training.batch_size)
        asked = times * polish.training.updates
        self.updates = min(asked, max(PASSES * n_batches, LEAST_UPDATES))
        if networks[-1].n_features > MANY:
            most = UPDATES_IF_BENT if self._n_bent() > MANY else UPDATES_IF_MANY
            self.updates, share = min(self.updates, times * most), 1.0
        self.updates_briefly = min(self.updates, max(int(share * self.updates), LEAST_BRIEFLY))
        self.trained: dict[_Trial, Network] = {}
        # All trainings take the batches in the same order, so that they compare penalties and not
        # orders, and none depends on which others were made.
        self.seed = int(rng.integers(2**63))

    def best(self) -> _Trial:
        """Find the penalty under which the last network does best, then the size."""
        best = self.penalty(len(self.networks) - 1)
        for index in range(len(self.networks) - 1):
            best = self.smaller(index, best)
        return best

    def penalty(self, index: int) -> _Trial:
        """Find the kind of penalty and the l2 weight under which a network does best."""
        fixed = self.polish.l2
        kinds = self._kinds() if fixed is None else ["gated"]
        firsts = [(index, kind, self._first_l2(kind) if fixed is None else fixed) for kind in kinds]
        # Threads try as many kinds at once as there are threads, and share all other trainings:
        # a penalty that may not be asked for is not worth a thread.
        n_at_once = 0 if self.progress.listening else len(firsts) // n_threads() * n_threads()
        at_once(lambda first: self.look(*first), firsts[:n_at_once])
        best: _Trial | None = None
        for first in firsts:
            found = self.look(*first)
            if best is None or found.loss < self.margin * best.loss:
                best = found
        assert best is not None
        if fixed is not None:
            return best
        for step in (STEP, 1.0 / STEP):
            before = best
            while LEAST < best.l2 * step < MOST and not self.progress.stopped:
                found = self.look(index, best.kind, best.l2 * step)
                if found.loss >= best.loss:
                    break
                gain, best = best.loss - found.loss, found
                if gain < self.least_gain:
                    break
            if best is not before:
                break
        return best

    def _kinds(self) -> list[str]:
        if self.networks[-1].gates is None:
            return ["gated"]
        return [kind for kind in KINDS if kind != "straight" or self._n_bent()]

    def _n_bent(self) -> int:
        """Count the columns along which nodes have curves."""
        gates = self.networks[-1].gates
        return 0 if gates is None else gates.knots.n_positions

    def _first_l2(self, kind: str) -> float:
        n_features = self.networks[-1].n_features
        many = max(1.0, n_features / MANY) if kind == "open" else 1.0
        return KINDS[kind].l2 * many

    def look(self, index: int, kind: str, l2: float) -> _Trial:
        """Train briefly, or remember having done so."""
        for known in list(self.trained):
            if (known.which, known.kind) == (index, kind) and np.isclose(known.l2, l2):
                return known
        trial = _Trial(np.nan, index, kind, l2)
        network = self.train(trial, self.data.train, self.updates_briefly)
        trial = trial._replace(loss=float(mean_losses([network], self.data.validation)[0]))
        self.trained[trial] = network
        return trial

    def train(self, trial: _Trial, part: Part, updates: int) -> Network:
        """Train a network from where growth left it, under the penalty of a trial."""
        kind, network, l2 = KINDS[trial.kind], self.networks[trial.which], trial.l2
        training = replace(
            self.polish.training, updates=updates, gates=kind.gates, bends=kind.bends
        )
        if self.polish.l2 is None:
            l2 *= min(training.batch_size, len(self.data.train)) / len(self.data.train)
        if trial.kind != "gated":
            network = network.with_open_gates()
        rng = np.random.default_rng(self.seed)
        [trained], _ = train([network], part, training, rng, l2=l2, monitor=self.progress.monitor)
        return trained

    def smaller(self, index: int, best: _Trial) -> _Trial:
        """Try a network with fewer nodes under the same penalty; return the one to keep."""
        found = self.look(index, best.kind, best.l2)
        as_good = self._worth(found) * self.margin <= self._worth(best)
        return found if as_good else best

    def _worth(self, trial: _Trial) -> float:
        return trial.loss if self.value is None else self.value(self.trained[trial], trial.which)
