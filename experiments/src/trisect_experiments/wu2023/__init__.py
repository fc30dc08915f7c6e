"""The paper on STWD-SFNN (Wu et al., 2023) as a study: its tables, models and questions.

`PAPER` reproduces its tables and answers its research questions, `ABLATION` takes the network
apart, and `MODELS` has every model of the paper by name.
"""

from trisect_experiments.wu2023.ablation import ABLATION
from trisect_experiments.wu2023.models import MODELS
from trisect_experiments.wu2023.study import PAPER

__all__ = ["ABLATION", "MODELS", "PAPER"]
