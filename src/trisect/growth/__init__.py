"""Growth: levels that add one node each, decide, and stop when nothing is left.

`RefinedGrowth` and `PaperGrowth` are the two ways to grow, each with its own parameters.
"""

from trisect.growth.data import TrainingData, split
from trisect.growth.granules import GRANULES, granulate
from trisect.growth.level import Level, levels_table
from trisect.growth.paper import PaperGrowth
from trisect.growth.policy import Grown, Growth
from trisect.growth.progress import Progress
from trisect.growth.read_outs import ReadOuts
from trisect.growth.refined import RefinedGrowth
from trisect.growth.rules import GRANULATIONS, Rules
from trisect.growth.settings import AUTO, Architecture, Settings
from trisect.growth.settlement import LevelSets, Settlement

__all__ = [
    "AUTO",
    "GRANULATIONS",
    "GRANULES",
    "Architecture",
    "Grown",
    "Growth",
    "Level",
    "LevelSets",
    "PaperGrowth",
    "Progress",
    "ReadOuts",
    "RefinedGrowth",
    "Rules",
    "Settings",
    "Settlement",
    "TrainingData",
    "granulate",
    "levels_table",
    "split",
]
