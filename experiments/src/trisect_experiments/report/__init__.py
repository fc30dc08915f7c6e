"""Reports: tables, figures, statistics and answers, written as one folder."""

from trisect_experiments.report.swapping import check_target
from trisect_experiments.report.writing import write_report

__all__ = ["check_target", "write_report"]
