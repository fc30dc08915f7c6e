"""Growth: levels that add one node each, decide, and stop when nothing is left."""

from trisect.growth.granules import GRANULES, granulate
from trisect.growth.instances import (
    Instances,
    hold_out,
    hold_out_merged,
    merge_repeats,
    whole_copies,
)
from trisect.growth.level import Deciding, Ledger, Level, Verdict, levels_table
from trisect.growth.paper import PaperGrowth
from trisect.growth.progress import Progress
from trisect.growth.refined import RefinedGrowth
from trisect.growth.selection import SELECTIONS, select_level
from trisect.growth.settling import L2_GRID, Settings, settle

__all__ = [
    "GRANULES",
    "L2_GRID",
    "SELECTIONS",
    "Deciding",
    "Instances",
    "Ledger",
    "Level",
    "PaperGrowth",
    "Progress",
    "RefinedGrowth",
    "Settings",
    "Verdict",
    "granulate",
    "hold_out",
    "hold_out_merged",
    "levels_table",
    "merge_repeats",
    "select_level",
    "settle",
    "whole_copies",
]
