"""The review desk: who reviews what is deferred, what a day of it costs, and when to recalibrate.

- `allocate` gives each case to the model or to a `Reviewer`, within their capacity.
"""

from trisect.desk.allocation import Allocation, allocate
from trisect.desk.reviewer import Reviewer

__all__ = ["Allocation", "Reviewer", "allocate"]
