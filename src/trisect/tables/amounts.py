"""Numbers as people write them: with a decimal comma, groups of thousands, a currency."""

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

__all__ = [
    "COMMA",
    "NUMBER",
    "POINT",
    "Written",
    "decimal_sign",
    "decimal_votes",
    "number_in",
    "taken_apart",
]

POINT, COMMA = ".", ","
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
"""A number as programs write it."""
MARKS = (
    "US$", "$", "€", "£", "¥", "₹", "₽", "₺", "₩", "ZŁ", "KR",
    "AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HUF", "INR", "JPY", "MXN",
    "NOK", "NZD", "PLN", "SEK", "TRY", "USD", "ZAR",
)  # fmt: skip
"""Currencies, in capitals, that may stand in front of a number or behind it."""
GROUPS = " \u00a0\u202f'\u2019"
"""What stands between groups of thousands, besides the decimal sign that is not in use."""
MIN_GROUPED = 10
"""Fewest numbers such as 1,234, among others below 1000, that are taken for thousands."""


class Written(NamedTuple):
    """A number and the marks around it."""

    number: str
    """As a program writes it."""
    before: str
    """A currency in front of it, or nothing."""
    behind: str
    """A currency or a per cent sign behind it, or nothing."""


def number_in(text: str, decimal: str = POINT) -> float | None:
    """Read a number that is written for people, or return None if the text is none.

    Parameters
    ----------
    text : str
        The text, without spaces around it.
    decimal : {".", ","}
        The decimal sign; the other one may stand between groups of thousands.

    Examples
    --------
    >>> number_in("1.5e3"), number_in("$1,234.50"), number_in("12 %"), number_in("C100")
    (1500.0, 1234.5, 12.0, None)
    >>> number_in("1.234,50 €", ","), number_in("1.234", ","), number_in("29.4", ",")
    (1234.5, 1234.0, None)
    """
    if decimal == POINT and NUMBER.fullmatch(text):
        return float(text)
    written = taken_apart(text, decimal)
    return None if written is None else float(written.number)


def taken_apart(text: str, decimal: str) -> Written | None:
    """Part a number from its marks, or return None if the text is no number."""
    program = text.replace(COMMA, POINT) if decimal == COMMA and POINT not in text else text
    if (decimal == POINT or program != text or POINT not in text) and NUMBER.fullmatch(program):
        return Written(program, "", "")
    sign, rest = _sign(text)
    before = next((mark for mark in MARKS if rest[: len(mark)].upper() == mark), "")
    rest = rest[len(before) :].lstrip()
    ends = (mark for mark in ("%", *MARKS) if rest[-len(mark) :].upper() == mark)
    behind = next(ends, "")
    rest = rest[: len(rest) - len(behind)].rstrip()
    if not sign:
        sign, rest = _sign(rest)
    whole, _, fraction = rest.partition(decimal)
    digits = _without_groups(whole, decimal)
    if digits is None or not _only_digits(digits + fraction):
        return None
    number = sign.replace("+", "") + (digits or "0") + (POINT + fraction if fraction else "")
    return Written(number, before, behind)


def decimal_sign(texts: Collection[str]) -> str | None:
    """Find the decimal sign of a column, or return None if nothing tells it.

    Numbers such as 0.5 or 1.234,50 tell it. Where all are like 1,234 or 1.234, the sign parts
    thousands if numbers below 1000 stand among them without it.

    Examples
    --------
    >>> decimal_sign(["1.234,50", "7"]), decimal_sign(["0.5", "1,234"]), decimal_sign(["1,234"])
    (',', '.', None)
    >>> decimal_sign([*(f"{i},200" for i in range(1, 20)), "950"])
    '.'
    """
    votes = decimal_votes(texts)
    if votes:
        return COMMA if votes > 0 else POINT
    for sign, decimal in ((POINT, COMMA), (COMMA, POINT)):
        grouped = [number_in(text, decimal) for text in texts if sign in text]
        others = [number_in(text) for text in texts if sign not in text]
        without = [abs(number) for number in others if number is not None]
        n_grouped = sum(number is not None for number in grouped)
        if n_grouped >= MIN_GROUPED and without and max(without) < 1000:
            return decimal
    return None


def decimal_votes(texts: Iterable[str]) -> int:
    """Count the texts that are numbers with a comma only, less those with a point only.

    Examples
    --------
    >>> decimal_votes(["1.234,50", "0,5", "1.5", "1,234", "7", "x"])
    1
    """
    votes = 0
    for text in texts:
        if COMMA in text or POINT in text:
            votes += (number_in(text, COMMA) is not None) - (number_in(text) is not None)
    return votes


def _sign(text: str) -> tuple[str, str]:
    """Part a sign from what follows it; a minus of typesetters is one too."""
    if text[:1] in ("+", "-", "\u2212"):
        return ("+" if text[0] == "+" else "-"), text[1:].lstrip()
    return "", text


def _without_groups(whole: str, decimal: str) -> str | None:
    """Join groups of thousands, or return None if they are not all of three digits."""
    between = next((sign for sign in whole if not _only_digits(sign)), "")
    if not between:
        return whole
    if between not in GROUPS and between != (COMMA if decimal == POINT else POINT):
        return None
    first, *others = whole.split(between)
    if not 1 <= len(first) <= 3 or first[0] == "0" or any(len(group) != 3 for group in others):
        return None
    return "".join([first, *others])


def _only_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()
