"""Columns of a few categories."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from trisect.tables.cells import Cells, read_texts
from trisect.tables.column import Column, Encoded, Learned, Target, stacked

__all__ = ["CategoryColumn"]


@dataclass(frozen=True)
class CategoryColumn(Column):
    """One number for each category but the most frequent, 1 where the cell holds it.

    Where all of them are 0 the cell holds the most frequent category, or one that is as good as
    unknown: one that was never seen, or too rare to have a number even together with other
    rare ones. Missing cells have a number of their own if there were enough of them, and then
    categories that were never seen count as missing.

    Parameters
    ----------
    name : str
        Name of the column.
    base : tuple of str
        The most frequent category, and categories that count as it.
    values : tuple of str
        Categories with a number each.
    rare : tuple of str
        Categories that share a number.
    missing : bool
        Whether missing cells have a number.
    """

    base: tuple[str, ...]
    values: tuple[str, ...]
    rare: tuple[str, ...]
    missing: bool

    kind: ClassVar[str] = "category"
    oddity: ClassVar[str] = "never seen before"

    @classmethod
    def learn(cls, name: str, cells: Cells, target: Target, min_frequency: int) -> Learned:
        """Find the categories, and those that are rare."""
        texts = read_texts(cells)
        counts = texts.counts()
        # By frequency, and by name where that is equal, so that the order of rows is no matter.
        order = sorted(range(len(counts)), key=lambda i: (-counts[i], texts.values[i]))
        order = [i for i in order if counts[i]]
        rare = [i for i in order[1:] if counts[i] < min_frequency]
        kept = [texts.values[i] for i in order[1 : len(order) - len(rare)]]
        base, few = [texts.values[i] for i in order[:1]], [texts.values[i] for i in rare]
        notes = [f"0 is {base[0]}"] if base else []
        if few and counts[rare].sum() < min_frequency:
            notes += [f"too rare to count: {_listed(few)}"]
            base, few = base + few, []
        elif few:
            notes += [f"rare ones pooled: {_listed(few)}"]
        gaps = np.count_nonzero(texts.codes < 0)
        missing = bool(gaps >= min_frequency)
        if gaps:
            notes += ["gaps are a category" if missing else "gaps count as 0"]
        column = cls(name, tuple(base), tuple(kept), tuple(few), missing)
        return Learned(column, "; ".join(notes))

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Self:
        """Read what `to_dict` has written."""
        groups = {name: tuple(content[name]) for name in ("base", "values", "rare")}
        return super().from_dict(content | groups)

    @property
    def outputs(self) -> list[str]:
        """A name for each category with a number, for the rare ones and for gaps."""
        names = [f"{self.name}={value}" for value in self.values]
        names += [f"{self.name} rare"] * bool(self.rare)
        return names + [f"{self.name} missing"] * self.missing

    def encode(self, cells: Cells) -> Encoded:
        """Turn a category into ones and zeros."""
        texts = read_texts(cells)
        place = dict.fromkeys(self.base, -1) | {v: i for i, v in enumerate(self.values)}
        place |= dict.fromkeys(self.rare, len(self.values))
        n_outputs = len(self.outputs)
        unknown = n_outputs - 1 if self.missing else -1
        places = texts.spread(
            np.array([place.get(v, unknown) for v in texts.values], dtype=np.intp), unknown
        )
        odd = texts.spread(np.array([v not in place for v in texts.values], dtype=bool), False)
        parts = [places == i for i in range(n_outputs)]
        return Encoded(stacked(len(texts), parts), odd)


def _listed(values: list[str], most: int = 4) -> str:
    more = f" and {len(values) - most} more" if len(values) > most else ""
    return ", ".join(values[:most]) + more
