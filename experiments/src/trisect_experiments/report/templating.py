"""The templates of a report, and how they write numbers and names."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from trisect_experiments.models.network import MEASURED_COSTS
from trisect_experiments.naming import counted, duration, listed
from trisect_experiments.report.comparison import METRICS
from trisect_experiments.tables import Metric, TableCell

if TYPE_CHECKING:
    from jinja2 import Environment

HARNESS = "trisect_experiments"

_LATEX = {"\\": r"\textbackslash{}", "±": r"$\pm$"} | {c: f"\\{c}" for c in "&%$#_{}"}


def render(template: str, content: Mapping[str, Any], package: str = HARNESS) -> str:
    """Fill a template in; those of `package` are searched before those of the harness."""
    text = environment(package).get_template(template).render(content)
    # Lets templates have blank lines where they read better.
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n") + "\n"


@cache
def environment(package: str) -> Environment:
    """The templates of a package and of the harness, with our filters."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader(HARNESS)]),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        autoescape=False,
    )
    made.filters.update(
        counted=counted,
        listed=listed,
        duration=duration,
        p=p_value,
        signed=signed,
        latex=latex,
        value=value,
    )
    made.globals.update(metric_names=METRICS, measured_costs=MEASURED_COSTS)
    return made


def p_value(p: float) -> str:
    """A p value, never rounded to zero.

    Examples
    --------
    >>> p_value(0.0432), p_value(0.00001)
    ('0.043', '< 0.001')
    """
    return "< 0.001" if p < 0.001 else f"{p:.2g}" if p < 0.1 else f"{p:.2f}"


def signed(difference: float) -> str:
    """A difference with two decimals and its sign; never minus zero.

    Examples
    --------
    >>> signed(0.123), signed(-0.001)
    ('+0.12', '+0.00')
    """
    return f"{round(difference, 2) + 0.0:+.2f}"


def latex(text: str) -> str:
    r"""Text with LaTeX's special characters escaped.

    Examples
    --------
    >>> print(latex("97.8 ± 0.1 % of f_12"))
    97.8 $\pm$ 0.1 \% of f\_12
    """
    return "".join(_LATEX.get(character, character) for character in text)


def value(cell: TableCell, metric: Metric) -> str:
    """A mean and its interval with the decimals of a column, or a dash.

    Examples
    --------
    >>> from trisect_experiments.protocol import Interval
    >>> from trisect_experiments.tables import COLUMNS
    >>> value(TableCell(Interval(98.454, 0.216), True, None), COLUMNS[0])
    '98.45 ± 0.22'
    """
    mean, half = cell.ours
    if math.isnan(mean):
        return "-"
    text = f"{mean:.{metric.decimals}f}"
    return text if math.isnan(half) else f"{text} ± {half:.{metric.decimals}f}"
