"""The bridge to scikit-learn's callbacks: fit, then its tasks, then their epochs."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.callback import CallbackContext

from trisect.estimators.base import network_attributes
from trisect.growth import Level, Progress, Settings
from trisect.growth.read_outs import stacked_read_outs
from trisect.network import Network

__all__ = ["FitCallbacks", "GrowthCallbacks", "settings_attributes"]


def settings_attributes(settings: Settings) -> dict[str, Any]:
    """Return the settings of growth under the names of fitted attributes."""
    return {"scaling_": settings.scaling, "activation_": settings.activation, "l2_": settings.l2}


class FitCallbacks:
    """Reports the tasks of a fit, and the epochs within each, to the callbacks.

    Parameters
    ----------
    estimator : estimator
        The estimator that is being fitted.
    X, y : array-like
        Its training data.
    n_tasks : int or None
        How many tasks there will be at most, if that is known.
    """

    def __init__(self, estimator: Any, X: Any, y: Any, n_tasks: int | None) -> None:
        self._told = {"estimator": estimator, "X": X, "y": y}
        self.listening = bool(getattr(estimator, "_skl_callbacks", ()))
        self._fit = estimator._init_callback_context(max_subtasks=n_tasks)
        self._fit.call_on_fit_task_begin(**self._told)
        self._task: CallbackContext | None = None

    def begin(self, task: str) -> None:
        """Open a task."""
        self._task = self._fit.subcontext(task_name=task, max_subtasks=None)
        self._task.call_on_fit_task_begin(**self._told)

    def epoch(self) -> bool:
        """Report a stretch of training as a task of its own; True asks to end it."""
        if not self.listening or self._task is None:
            return False
        epoch = self._task.subcontext(task_name="epoch")
        epoch.call_on_fit_task_begin(**self._told)
        return bool(epoch.call_on_fit_task_end(**self._told))

    def end_task(self, attributes: Callable[[], dict[str, Any]] | None = None) -> bool:
        """Close the task, with what a fit that ended here would have; True asks to stop."""
        task, self._task = self._task, None
        assert task is not None
        extra = {} if attributes is None else {"reconstruction_attributes": attributes}
        return bool(task.call_on_fit_task_end(**self._told, **extra))

    def finish(self) -> None:
        """Report that the fit is done."""
        self._fit.call_on_fit_task_end(**self._told, reconstruction_attributes=dict)


class GrowthCallbacks(Progress):
    """Passes the progress of growth on to the callbacks.

    Parameters
    ----------
    callbacks : FitCallbacks
        Where to report.
    grown : sequence of Level
        The levels that the fit starts from.
    swapped : bool
        Whether growth works with the two classes exchanged.
    """

    def __init__(
        self, callbacks: FitCallbacks, grown: Sequence[Level] = (), swapped: bool = False
    ) -> None:
        self._callbacks, self._swapped = callbacks, swapped
        self.listening = callbacks.listening
        self._levels = list(grown)
        self._network: Network | None = None
        self._settled: dict[str, Any] = {}

    def settled(self, settings: Settings) -> None:
        """Keep the settings, which a fit that ends at some level needs."""
        self._settled = settings_attributes(settings)

    def begin(self, task: str) -> None:
        """Open a task for a level, or for the polish."""
        self._callbacks.begin(task)

    def epoch(self) -> bool:
        """Report a stretch of training."""
        return self._callbacks.epoch()

    def end(self, level: Level | None = None, network: Network | None = None) -> bool:
        """Close the task; after a level, a callback may ask to stop."""
        if level is None:
            return self._callbacks.end_task()
        self._levels.append(level)
        self._network = network
        self.stopped = self._callbacks.end_task(self._attributes)
        return self.stopped

    def _attributes(self) -> dict[str, Any]:
        """Return the attributes of an estimator that stopped at the last level."""
        assert self._network is not None
        network = self._network.swapped() if self._swapped else self._network
        read_outs = None
        if network.n_classes == 2:
            # Early levels have not been read out yet, and so decide nothing.
            read_outs = stacked_read_outs(self._network, [self._network.b2] * network.n_hidden)
            read_outs.strictness[:-1] = np.inf
        return {
            **self._settled,
            **network_attributes(network),
            "levels_": list(self._levels),
            "best_level_": len(self._levels) - 1,
            "read_outs_": read_outs,
        }
