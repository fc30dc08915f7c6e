"""Whether the gaps of a column say anything about the target."""

import numpy as np
from numpy.typing import NDArray

from trisect.tables.column import Target

__all__ = ["SIGNIFICANCE", "gaps_tell"]

SIGNIFICANCE = 0.01
"""A gap gets a number of its own if chance would link gaps and classes as closely this rarely."""


def gaps_tell(missing: NDArray[np.bool_], target: Target, min_frequency: int) -> float | None:
    """Test whether missing cells and classes are independent.

    Parameters
    ----------
    missing : ndarray of bool
        Which cells are missing.
    target : Target
        The classes.
    min_frequency : int
        Fewest cells, missing or not, that a test is made with.

    Returns
    -------
    float or None
        The p-value of the chi-squared test if it is below `SIGNIFICANCE`, and otherwise None.

    Examples
    --------
    >>> import numpy as np
    >>> missing = np.repeat([False, True], 50)
    >>> target = Target(["no", "yes"], missing.astype(int), np.ones(100), np.arange(100) % 5)
    >>> gaps_tell(missing, target, 10) < 1e-9
    True
    >>> gaps_tell(np.arange(100) % 2 == 0, target, 10) is None
    True
    """
    n_missing = np.count_nonzero(missing)
    if min(n_missing, len(missing) - n_missing) < min_frequency:
        return None
    from scipy.stats import chi2_contingency

    n_classes = len(target.classes)
    counts = np.bincount(target.codes + n_classes * missing, minlength=2 * n_classes)
    counts = counts.reshape(2, n_classes)
    p = chi2_contingency(counts[:, counts.any(axis=0)]).pvalue
    return float(p) if p < SIGNIFICANCE else None
