"""Scores of three-way decisions: what they cost, what they cover, how right they are."""

from trisect.metrics.by_group import GroupTable, by_group, decision_metric
from trisect.metrics.confusion import three_way_confusion
from trisect.metrics.cost import three_way_cost
from trisect.metrics.coverage import coverage, decided_accuracy, decided_error, deferral_rate
from trisect.metrics.exact_interval import exact_interval
from trisect.metrics.process_table import ProcessCostTable, process_cost_table
from trisect.metrics.risk_coverage import RiskCoverage, risk_coverage_area, risk_coverage_curve
from trisect.metrics.scorers import (
    ThreeWayScorer,
    coverage_scorer,
    decided_accuracy_scorer,
    three_way_cost_scorer,
    total_cost_scorer,
)

__all__ = [
    "GroupTable",
    "ProcessCostTable",
    "RiskCoverage",
    "ThreeWayScorer",
    "by_group",
    "coverage",
    "coverage_scorer",
    "decided_accuracy",
    "decided_accuracy_scorer",
    "decided_error",
    "decision_metric",
    "deferral_rate",
    "exact_interval",
    "process_cost_table",
    "risk_coverage_area",
    "risk_coverage_curve",
    "three_way_confusion",
    "three_way_cost",
    "three_way_cost_scorer",
    "total_cost_scorer",
]
