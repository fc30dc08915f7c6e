"""Where growth reports how far it is."""

from collections.abc import Callable

from trisect.growth.level import Level
from trisect.growth.settings import Settings
from trisect.network import Network

__all__ = ["Progress"]


class Progress:
    """Hears of each task of a fit, and of every look at the validation data.

    This one ignores what it hears; estimators pass one that speaks scikit-learn's callback
    protocol. ``stopped`` says that somebody asked to end the fit.
    """

    stopped = False
    listening = False
    """Whether somebody hears of epochs, which then come in one order, whatever the threads."""

    @property
    def monitor(self) -> Callable[[], bool] | None:
        """What to call for every look, or None if nobody listens."""
        return self.epoch if self.listening else None

    def settled(self, settings: Settings) -> None:
        """Take note of the scaling, activation and l2 weight that growth works with."""

    def begin(self, task: str) -> None:
        """Take note that a task begins: "level" or "polish"."""

    def epoch(self) -> bool:
        """Take note of a stretch of training; return True to end this training."""
        return False

    def end(self, level: Level | None = None, network: Network | None = None) -> bool:
        """Take note that a task is done, with its level and network; True ends growth."""
        return False
