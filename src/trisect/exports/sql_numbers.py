"""Numbers and texts in SQL."""

import math

__all__ = ["LARGEST", "number", "text", "total"]

LARGEST = "1.7976931348623157e308"


def number(value: float) -> str:
    """Write a number in double precision; without an exponent it would be decimal to some.

    Examples
    --------
    >>> number(0.5), number(-3.0), number(1e-7), number(float("inf"))
    ('0.5e0', '-3e0', '1e-07', '1.7976931348623157e308')
    """
    if math.isinf(value):
        return LARGEST if value > 0 else f"-{LARGEST}"
    written = repr(float(value)).removesuffix(".0")
    return written if "e" in written else f"{written}e0"


def text(value: str) -> str:
    """Write a text between quotes."""
    return "'" + value.replace("'", "''") + "'"


def total(terms: list[str]) -> str:
    """Add terms up, with a minus where one is negative.

    Examples
    --------
    >>> total(["1e0", "-2e0 * x"])
    '1e0 - 2e0 * x'
    """
    return " + ".join(terms).replace("+ -", "- ")
