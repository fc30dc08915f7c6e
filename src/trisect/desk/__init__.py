"""The review desk: who reviews what is deferred, what a day of it costs, and when to recalibrate.

- `allocate` gives each case to the model or to a `Reviewer`, within their capacity.
- `simulate_days` runs a desk in one of three ways, on days that `draw_days` draws.
- `DecisionMonitor` counts decisions and says when the model should be calibrated anew.
- `CapacityDisplay`, `DaysDisplay` and `MonitorDisplay` draw these.
- `explain` says why a case is deferred, and what would decide it.
"""

from trisect.desk.allocation import Allocation, allocate
from trisect.desk.capacity_display import CapacityDisplay
from trisect.desk.days import Day, draw_days
from trisect.desk.days_display import DaysDisplay
from trisect.desk.explaining import bootstrap_committee, explain
from trisect.desk.explanation import Change, Explanation, Push
from trisect.desk.monitor import DecisionMonitor
from trisect.desk.monitor_display import MonitorDisplay
from trisect.desk.monitor_report import MonitorReport
from trisect.desk.reviewer import Reviewer
from trisect.desk.simulation import DeskLog, simulate_days
from trisect.desk.watch import Watched

__all__ = [
    "Allocation",
    "CapacityDisplay",
    "Change",
    "Day",
    "DaysDisplay",
    "DecisionMonitor",
    "DeskLog",
    "Explanation",
    "MonitorDisplay",
    "MonitorReport",
    "Push",
    "Reviewer",
    "Watched",
    "allocate",
    "bootstrap_committee",
    "draw_days",
    "explain",
    "simulate_days",
]
