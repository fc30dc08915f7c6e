"""Labels as they stand in files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trisect.tables.cells import Cells

__all__ = ["class_numbers", "label_named"]


def label_named(name: str, labels: Sequence[Any]) -> Any:
    """Return the label that a person has written as text, or say which there are."""
    from trisect.tables.cells import text_of

    by_text = {text_of(label): label for label in labels}
    if name.strip() not in by_text:
        raise ValueError(f"There is no class {name!r}; the classes are {', '.join(by_text)}.")
    return by_text[name.strip()]


def class_numbers(cells: Cells, labels: Sequence[Any]) -> tuple[NDArray[np.intp], list[str]]:
    """Return the index of the class in each cell, -1 for others, and the texts of the others."""
    from trisect.tables.cells import read_texts, text_of

    place = {text_of(label): i for i, label in enumerate(labels)}
    texts = read_texts(cells)
    numbers = np.array([place.get(text, -1) for text in texts.values], dtype=np.intp)
    others = [text for text in texts.values if text not in place]
    return texts.spread(numbers, -1), others
