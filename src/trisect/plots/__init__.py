"""Displays of three-way decisions, in the manner of scikit-learn's.

A display holds the data of a picture. It has constructors such as `from_estimator`, and a
`plot` method, after which `figure_` and `ax_` (or `axes_`) are what it drew into. matplotlib is
imported when a display is drawn.
"""

from trisect.plots.expected_losses import ExpectedLossesDisplay
from trisect.plots.flow import FlowDisplay
from trisect.plots.process_costs import ProcessCostDisplay
from trisect.plots.regions import RegionsDisplay
from trisect.plots.review_cost import ReviewCostDisplay
from trisect.plots.risk_coverage import RiskCoverageDisplay
from trisect.plots.thresholds import ThresholdsDisplay

__all__ = [
    "ExpectedLossesDisplay",
    "FlowDisplay",
    "ProcessCostDisplay",
    "RegionsDisplay",
    "ReviewCostDisplay",
    "RiskCoverageDisplay",
    "ThresholdsDisplay",
]
