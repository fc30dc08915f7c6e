"""``trisect reproduce``."""

from __future__ import annotations

from trisect.cli.options import RunOptions
from trisect.cli.running import run_study


def reproduce(
    *tables: str,
    options: RunOptions = RunOptions(),  # noqa: B008
) -> int:
    """Run the paper's experiments and write a report.

    Give one or more of static, dynamic, classic, twd-5fold and modern, or all of them, which is
    the default. Finished fits are kept in the store, so a run may be stopped at any time and
    goes on with the same command.

    Parameters
    ----------
    tables
        Which tables: static, dynamic, classic, twd-5fold, modern, all.
    options
        See the other parameters.
    """
    return run_study(tables or ("all",), options, default_out="trisect-report")
