"""``trisect ablate``."""

from __future__ import annotations

from trisect.cli.options import RunOptions
from trisect.cli.running import run_study


def ablate(options: RunOptions = RunOptions()) -> int:  # noqa: B008
    """Take STWD-SFNN apart: refined growth with one part missing or exchanged at a time.

    The variants: refined, paper, no-hard-region, no-joint, last-level, granules-rows,
    granules-bins and fixed-thresholds.

    Parameters
    ----------
    options
        See the other parameters.
    """
    return run_study(("ablation",), options, default_out="trisect-ablation")
