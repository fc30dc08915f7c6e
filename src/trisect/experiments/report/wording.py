"""Small pieces of prose: p values and tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def p_text(p: float) -> str:
    """A p value, never rounded to zero.

    Examples
    --------
    >>> p_text(0.0432), p_text(0.00001)
    ('0.043', '< 0.001')
    """
    return "< 0.001" if p < 0.001 else f"{p:.2g}" if p < 0.1 else f"{p:.2f}"


def counted_twice(datasets: Iterable[str]) -> str:
    """A sentence for readers of counts and tests, where a dataset takes part in two selections.

    Examples
    --------
    >>> counted_twice(["PCB", "SB"])
    ''
    """
    if not {"PCB", "PCB-complete"} <= set(datasets):
        return ""
    return (
        "PCB counts twice: with all of its rows, and as PCB-complete with the rows that have no "
        "gap, which is the paper's selection."
    )


def pipe_table(header: Sequence[str], rows: Iterable[Sequence[str]], text_columns: int = 1) -> str:
    """A Markdown table; columns after the first `text_columns` are aligned to the right."""
    rules = ["---"] * text_columns + ["---:"] * (len(header) - text_columns)
    lines = [header, rules, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
