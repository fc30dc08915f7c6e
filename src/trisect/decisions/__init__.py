"""The theory of sequential three-way decisions, with NumPy alone (and SciPy for guarantees).

- Costs: `costs` (one matrix), `instance_costs` (one per instance), `class_costs` (more
  than two classes), `costs_base` (what the first two share), `given_costs` (the forms in
  which users give them) and `positive_class` (the class that it is right to accept).
  `chains` holds matrices that narrow from level to level.
- Decisions: `regions` (from thresholds), `thresholds` (learned from data), `caps` and
  `guarantees` (what these promise), `conditional` (probabilities of granules) and `walk` (the
  record of deciding level by level).
- What they cost: `charges` and `process_costs`.
"""

from trisect.decisions.caps import Caps
from trisect.decisions.chains import leading_to, nested, sample_cost_matrices
from trisect.decisions.charges import (
    CostInterval,
    bootstrap_interval,
    expected_losses,
    result_cost,
)
from trisect.decisions.checks import as_probabilities, as_regions, as_truth, as_weights
from trisect.decisions.class_costs import DEFERRED, ClassCosts
from trisect.decisions.conditional import conditional_probability
from trisect.decisions.costs import CostMatrix
from trisect.decisions.costs_base import Costs
from trisect.decisions.given_costs import (
    as_cost_matrix,
    as_costs,
    default_costs,
    is_one_matrix,
    level_costs,
)
from trisect.decisions.instance_costs import InstanceCosts
from trisect.decisions.positive_class import positive_class
from trisect.decisions.process_costs import (
    delay_costs,
    resolve_unit_costs,
    test_costs,
    unit_costs,
)
from trisect.decisions.regions import (
    BND,
    NEG,
    POS,
    three_way_regions,
    threshold_regions,
    two_way_regions,
)
from trisect.decisions.thresholds import LearnedThresholds, learn_thresholds
from trisect.decisions.walk import Walk

__all__ = [
    "BND",
    "DEFERRED",
    "NEG",
    "POS",
    "Caps",
    "ClassCosts",
    "CostInterval",
    "CostMatrix",
    "Costs",
    "InstanceCosts",
    "LearnedThresholds",
    "Walk",
    "as_cost_matrix",
    "as_costs",
    "as_probabilities",
    "as_regions",
    "as_truth",
    "as_weights",
    "bootstrap_interval",
    "conditional_probability",
    "default_costs",
    "delay_costs",
    "expected_losses",
    "is_one_matrix",
    "leading_to",
    "learn_thresholds",
    "level_costs",
    "nested",
    "positive_class",
    "resolve_unit_costs",
    "result_cost",
    "sample_cost_matrices",
    "test_costs",
    "three_way_regions",
    "threshold_regions",
    "two_way_regions",
    "unit_costs",
]
