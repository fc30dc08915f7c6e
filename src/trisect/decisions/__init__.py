"""The theory of sequential three-way decisions, without any network.

Costs and thresholds (`costs`, `chains`), regions and their risk (`regions`), the
costs of the process (`process`) and the granules that instances are judged by
(`granules`). For decisions with the costs of a user: costs per instance
(`instance_costs`) and for several classes (`class_costs`), what decisions cost once
the truth is known (`ledger`), thresholds learned from data (`learning`) and the record
of a walk through levels (`walk`).
"""

from trisect.decisions.chains import leading_to, nested, sample_cost_matrices
from trisect.decisions.charges import (
    CostInterval,
    bootstrap_interval,
    charge,
    cheapest_regions,
)
from trisect.decisions.class_costs import DEFERRED, ClassCosts
from trisect.decisions.conditional import conditional_probability, granule_probabilities
from trisect.decisions.costs import CostMatrix
from trisect.decisions.instance_costs import InstanceCosts, as_costs
from trisect.decisions.process_costs import delay_costs, test_costs, unit_costs
from trisect.decisions.regions import (
    BND,
    NEG,
    POS,
    as_probabilities,
    expected_losses,
    result_cost,
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
    "ClassCosts",
    "CostInterval",
    "CostMatrix",
    "InstanceCosts",
    "LearnedThresholds",
    "Walk",
    "as_costs",
    "as_probabilities",
    "bootstrap_interval",
    "charge",
    "cheapest_regions",
    "conditional_probability",
    "delay_costs",
    "expected_losses",
    "granule_probabilities",
    "leading_to",
    "learn_thresholds",
    "nested",
    "result_cost",
    "sample_cost_matrices",
    "test_costs",
    "three_way_regions",
    "threshold_regions",
    "two_way_regions",
    "unit_costs",
]
