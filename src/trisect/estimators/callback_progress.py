"""The bridge from growth to scikit-learn's callbacks: fit, then levels and polish, then epochs."""

from collections.abc import Sequence
from typing import Any

from sklearn.callback import CallbackContext

from trisect.estimators.base import network_attributes
from trisect.growth import Level, Progress

__all__ = ["CallbackProgress"]


class CallbackProgress(Progress):
    """Tells the callbacks of an estimator about its levels and epochs.

    Parameters
    ----------
    estimator : estimator
        The estimator that is being fitted.
    context : CallbackContext
        The context of its fit.
    X, y : array-like
        Its training data.
    grown : sequence of Level
        The levels that the fit starts from.
    verbose : bool
        Whether to print a line for each level.
    """

    def __init__(
        self,
        estimator: Any,
        context: CallbackContext,
        X: Any,
        y: Any,
        grown: Sequence[Level] = (),
        verbose: bool = False,
    ):
        self._estimator = estimator
        self._context = context
        self._data = {"X": X, "y": y}
        self._levels = list(grown)
        self._verbose = verbose
        self._listening = bool(getattr(estimator, "_skl_callbacks", ()))
        self._task: CallbackContext | None = None

    def begin_level(self) -> None:
        """Open a task for a level."""
        self._begin("level")

    def epoch(self) -> bool:
        """Report a stretch of training as a task of its own."""
        if not self._listening or self._task is None:
            return False
        epoch = self._task.subcontext(task_name="epoch")
        epoch.call_on_fit_task_begin(estimator=self._estimator, **self._data)
        return bool(epoch.call_on_fit_task_end(estimator=self._estimator, **self._data))

    def end_level(self, level: Level) -> bool:
        """Close the task of a level; a callback may ask to stop here."""
        if self._verbose:
            print(  # noqa: T201
                f"[{level.n_hidden:>3} nodes] score {level.validation_score:.4f}, "
                f"misclassified {level.n_misclassified}, accepted {level.n_pos}, "
                f"deferred {level.n_bnd}, rejected {level.n_neg}"
            )
        self._levels.append(level)
        context, self._task = self._task, None
        assert context is not None
        self.stopped = bool(
            context.call_on_fit_task_end(
                estimator=self._estimator,
                reconstruction_attributes=self._attributes,
                **self._data,
            )
        )
        return self.stopped

    def begin_polish(self) -> None:
        """Open a task for the training of the network that is kept."""
        self._begin("polish")

    def end_polish(self) -> None:
        """Close that task."""
        assert self._task is not None
        self._task.call_on_fit_task_end(estimator=self._estimator, **self._data)
        self._task = None

    def _begin(self, name: str) -> None:
        self._task = self._context.subcontext(task_name=name, max_subtasks=None)
        self._task.call_on_fit_task_begin(estimator=self._estimator, **self._data)

    def _attributes(self) -> dict[str, Any]:
        """Return what an estimator has that stopped at the last level."""
        network = self._levels[-1].network
        return {
            **network_attributes(network),
            "levels_": list(self._levels),
            "best_level_": len(self._levels) - 1,
        }
