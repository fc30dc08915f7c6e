"""Columns of many categories."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from trisect.tables.cells import Cells, Texts, read_texts
from trisect.tables.column import Column, Encoded, Learned, Target

__all__ = ["MAX_LISTED", "EvidenceColumn"]

SMOOTHING = 10.0
"""How many rows of average classes are added to those of each category."""
MAX_LISTED = 5000
"""Most categories that are told apart; the others, each less frequent, count as missing."""


@dataclass(frozen=True)
class EvidenceColumn(Column):
    """What each category says about the target, as the logarithm of a ratio of odds.

    With two classes a category becomes one number: the log odds of the second class among the
    rows of the category, less those among all rows, so that 0 says nothing. With more classes
    it becomes a number for each: the logarithm of the share of the class in the category, less
    that of its share in all rows. `SMOOTHING` rows of average classes are added to each
    category, so that rare ones say little.

    The numbers of a training row come from the other folds, so that they do not contain its
    own class; see `training_numbers`.

    Parameters
    ----------
    name : str
        Name of the column.
    values : dict of str to tuple of float
        The numbers of each category.
    missing : tuple of float
        The numbers of missing cells, and of categories that are not listed.
    classes : tuple of str
        Names of the classes if there are more than two, otherwise empty.
    """

    values: dict[str, tuple[float, ...]]
    missing: tuple[float, ...]
    classes: tuple[str, ...]

    kind: ClassVar[str] = "evidence"
    oddity: ClassVar[str] = "never or hardly ever seen before"

    @classmethod
    def learn(cls, name: str, cells: Cells, target: Target, min_frequency: int) -> Learned:
        """Find what each category says."""
        texts = read_texts(cells)
        counts = texts.counts()
        order = sorted(range(len(counts)), key=lambda i: (-counts[i], texts.values[i]))
        listed = [texts.values[i] for i in order[:MAX_LISTED] if counts[i]]
        classes = tuple(target.classes) if len(target.classes) > 2 else ()
        silent = cls(name, dict.fromkeys(listed, ()), (), classes)
        sums = _class_sums(silent._places(texts), target, len(listed))
        found = evidence(sums, sums.sum(axis=0))
        values = {value: tuple(map(float, row)) for value, row in zip(listed, found, strict=False)}
        column = cls(name, values, tuple(map(float, found[-1])), classes)
        left = len(order) - len(listed)
        more = f"; {left} that are rarer count as gaps" if left else ""
        return Learned(column, f"log odds of {len(listed)} categories, cross-fitted{more}")

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Self:
        """Read what `to_dict` has written."""
        values = {value: tuple(numbers) for value, numbers in content["values"].items()}
        rest = {name: tuple(content[name]) for name in ("missing", "classes")}
        return super().from_dict(content | rest | {"values": values})

    @property
    def outputs(self) -> list[str]:
        """A name for the evidence, or with more than two classes one for each."""
        return [f"{self.name} for {c}" for c in self.classes] or [f"{self.name} evidence"]

    def encode(self, cells: Cells) -> Encoded:
        """Look the evidence up."""
        texts = read_texts(cells)
        table = np.array([*self.values.values(), self.missing])
        odd = np.array([value not in self.values for value in texts.values], dtype=bool)
        return Encoded(table[self._places(texts)], texts.spread(odd, False))

    def training_numbers(self, cells: Cells, target: Target) -> NDArray[np.float64]:
        """Give each row the evidence of the rows in other folds."""
        places = self._places(read_texts(cells))
        n_folds = int(target.folds.max()) + 1
        n_groups = len(self.values) + 1
        by_fold = _class_sums(places + n_groups * target.folds, target, n_folds * n_groups - 1)
        by_fold = by_fold.reshape(n_folds, n_groups, -1)
        others = by_fold.sum(axis=0) - by_fold
        found = np.stack([evidence(sums, sums.sum(axis=0)) for sums in others])
        return found[target.folds, places]

    def _places(self, texts: Texts) -> NDArray[np.intp]:
        """Row of each cell in the table of evidence, the last one for what is not listed."""
        place = {value: i for i, value in enumerate(self.values)}
        last = len(place)
        return texts.spread(
            np.array([place.get(value, last) for value in texts.values], dtype=np.intp), last
        )


def evidence(sums: NDArray[np.float64], everywhere: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn the weight of each class in each category into evidence.

    Parameters
    ----------
    sums : ndarray of shape (n_categories, n_classes)
        Weight of the rows of each category and class.
    everywhere : ndarray of shape (n_classes,)
        Weight of all rows of each class.

    Returns
    -------
    ndarray of shape (n_categories, 1) or (n_categories, n_classes)

    Examples
    --------
    >>> import numpy as np
    >>> evidence(np.array([[45.0, 45.0], [0.0, 0.0]]), np.array([50.0, 50.0])).ravel().tolist()
    [0.0, 0.0]
    """
    # A class whose rows all have the weight 0 is nearly impossible, but not quite.
    prior = np.maximum(everywhere / everywhere.sum(), 1e-9)
    smoothed = sums + SMOOTHING * prior
    shares = np.log(smoothed / smoothed.sum(axis=1, keepdims=True)) - np.log(prior)
    return shares[:, 1:] - shares[:, :1] if len(prior) == 2 else shares


def _class_sums(groups: NDArray[np.intp], target: Target, last: int) -> NDArray[np.float64]:
    """Add the weights of each class up in each group, the last of which is `last`."""
    n_classes = len(target.classes)
    sums = np.bincount(
        groups * n_classes + target.codes,
        weights=target.weight,
        minlength=(last + 1) * n_classes,
    )
    return sums.reshape(last + 1, n_classes).astype(np.float64, copy=False)
