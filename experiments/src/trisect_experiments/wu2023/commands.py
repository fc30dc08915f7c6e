"""``trisect reproduce`` and ``trisect ablate``."""

from __future__ import annotations

from trisect_experiments.cli.options import RunOptions
from trisect_experiments.cli.running import run_study
from trisect_experiments.wu2023.ablation import ABLATION
from trisect_experiments.wu2023.study import PAPER


def reproduce(
    *tables: str,
    options: RunOptions = RunOptions(),  # noqa: B008
) -> int:
    """Run the paper's experiments and write a report.

    Finished fits are kept in the store, so a run may be stopped at any time and goes on with the
    same command.

    Parameters
    ----------
    tables
        Which tables: static, dynamic, classic, twd-5fold, modern, or all, the default.
    options
        See the other parameters.
    """
    return run_study(PAPER, tables, options, default_out="trisect-report")


def ablate(
    *tables: str,
    options: RunOptions = RunOptions(),  # noqa: B008
) -> int:
    """Take STWD-SFNN apart, one part of the refined growth or one reading of Algorithm 1 at a time.

    Parameters
    ----------
    tables
        Which tables: ablation, readings, or all, the default.
    options
        See the other parameters.
    """
    return run_study(ABLATION, tables, options, default_out="trisect-ablation")
