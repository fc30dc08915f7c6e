"""Pictures of three-way decisions, as objects that hold their data.

Each display has the constructors of scikit-learn's displays and a `plot` method, and
matplotlib is imported when something is drawn.
"""

from trisect.plots.flow import FlowDisplay
from trisect.plots.process_costs import ProcessCostDisplay
from trisect.plots.regions import RegionsDisplay
from trisect.plots.review_cost import ReviewCostDisplay
from trisect.plots.risk_coverage import RiskCoverageDisplay
from trisect.plots.thresholds import ThresholdsDisplay

__all__ = [
    "FlowDisplay",
    "ProcessCostDisplay",
    "RegionsDisplay",
    "ReviewCostDisplay",
    "RiskCoverageDisplay",
    "ThresholdsDisplay",
]
