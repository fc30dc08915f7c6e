"""Names, numbers and durations as a person types and reads them."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def resolve(kind: str, name: str, known: Iterable[str]) -> str:
    """The known name of some kind of thing that was meant.

    Case, spaces and punctuation do not matter, and the beginning of one name only is enough.

    Examples
    --------
    >>> models = ["STWD-SFNN (Algorithm 1)", "STWD-SFNN (refined)", "RF"]
    >>> resolve("model", "rf", models), resolve("model", "stwd-sfnn-ref", models)
    ('RF', 'STWD-SFNN (refined)')
    >>> resolve("dataset", "EOLL", ["HTRU", "EOL"])
    Traceback (most recent call last):
    ValueError: There is no dataset 'EOLL'; did you mean EOL? Known: HTRU, EOL.
    """
    names = {_folded(candidate): candidate for candidate in known}
    meant = _folded(name)
    if meant in names:
        return names[meant]
    near = [folded for folded in names if meant and folded.startswith(meant)]
    if len(near) == 1:
        return names[near[0]]
    near = near or get_close_matches(meant, names, n=1, cutoff=0.5)
    hint = f"; did you mean {' or '.join(names[folded] for folded in near)}?" if near else "."
    raise ValueError(f"There is no {kind} {name!r}{hint} Known: {', '.join(names.values())}.")


def _folded(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def listed(names: Iterable[str]) -> str:
    """Names as an English list.

    Examples
    --------
    >>> listed(["SVC", "RF", "KNN"]), listed(["SVC"])
    ('SVC, RF and KNN', 'SVC')
    """
    items = list(names)
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    Examples
    --------
    >>> counted(1, "dataset"), counted(3, "dataset")
    ('1 dataset', '3 datasets')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def duration(seconds: float) -> str:
    """A duration as people say it.

    Examples
    --------
    >>> [duration(s) for s in (0.4, 42, 95, 4000, 200000)]
    ['0.4 s', '42 s', '1 min 35 s', '1 h 07 min', '55 h 33 min']
    """
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60:02d} min"
