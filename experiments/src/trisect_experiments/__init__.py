"""Experiments with trisect: a harness for anybody's study, and the paper's study.

The harness (datasets, models, protocol, plan, run, store, statistics, figures, report) knows no
particular study: it is given a `trisect_experiments.study.Study`. The paper is such a study, in
`trisect_experiments.wu2023`. Nothing here is needed to fit a model.
"""

__version__ = "0.1.0"
