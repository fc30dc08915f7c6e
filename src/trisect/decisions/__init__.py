"""The theory of sequential three-way decisions, without any network.

Costs and thresholds (`costs`, `chains`), regions and their risk (`regions`), the
costs of the process (`process`) and the granules that instances are judged by
(`granules`).
"""

from trisect.decisions.chains import nested, sample_cost_matrices
from trisect.decisions.costs import CostMatrix
from trisect.decisions.granules import (
    GRANULES,
    conditional_probability,
    granulate,
    granule_probabilities,
)
from trisect.decisions.process import delay_costs, test_costs, unit_costs
from trisect.decisions.regions import (
    BND,
    NEG,
    POS,
    expected_losses,
    result_cost,
    three_way_regions,
    two_way_regions,
)

__all__ = [
    "BND",
    "GRANULES",
    "NEG",
    "POS",
    "CostMatrix",
    "conditional_probability",
    "delay_costs",
    "expected_losses",
    "granulate",
    "granule_probabilities",
    "nested",
    "result_cost",
    "sample_cost_matrices",
    "test_costs",
    "three_way_regions",
    "two_way_regions",
    "unit_costs",
]
