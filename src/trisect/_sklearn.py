"""Private names of scikit-learn that trisect uses, all imported here.

None of them is covered by scikit-learn's promise of compatibility. A new release that moves
or changes one of them breaks this file and no other.
"""

# Declaring and validating constructor parameters, as scikit-learn's own estimators do.
from sklearn.base import _fit_context as fit_context

# Rows and columns of whatever scikit-learn accepts: arrays, sparse matrices, data frames.
from sklearn.utils import _safe_indexing as safe_indexing

# Whether the user has turned metadata routing on.
from sklearn.utils._metadata_requests import _routing_enabled as routing_enabled

# An error that names the missing package and the caller.
from sklearn.utils._optional_dependencies import check_matplotlib_support
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

# Parameters of named parts, such as the stages of a cascade.
from sklearn.utils.metaestimators import _BaseComposition as BaseComposition

# How many threads the libraries for linear algebra use.
from sklearn.utils.parallel import _get_threadpool_controller as get_threadpool_controller

# The checks inside validate_data, for inputs that are checked on their own.
from sklearn.utils.validation import _check_method_params as check_method_params
from sklearn.utils.validation import _check_sample_weight as check_sample_weight
from sklearn.utils.validation import _check_y as check_y
from sklearn.utils.validation import _num_samples as num_samples

__all__ = [
    "BaseComposition",
    "HasMethods",
    "Interval",
    "StrOptions",
    "check_matplotlib_support",
    "check_method_params",
    "check_sample_weight",
    "check_y",
    "fit_context",
    "get_threadpool_controller",
    "num_samples",
    "routing_enabled",
    "safe_indexing",
]
