"""Who is told about levels and epochs, and may end them."""

from trisect.growth.level import Level

__all__ = ["Progress"]


class Progress:
    """Told when levels begin and end, and at every look at the validation data.

    This one keeps quiet; an estimator passes one that speaks scikit-learn's callback
    protocol. ``stopped`` says that growth was ended from outside.
    """

    stopped = False

    def begin_level(self) -> None:
        """Take note that a level begins."""

    def epoch(self) -> bool:
        """Take note of a stretch of training; return True to end the pass."""
        return False

    def end_level(self, level: Level) -> bool:
        """Take note of a finished level; return True to end growth."""
        return False

    def begin_polish(self) -> None:
        """Take note that the network that is kept is trained on."""

    def end_polish(self) -> None:
        """Take note that it is finished."""
