"""A model from a file."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trisect.decisions import (
    BND,
    ClassCosts,
    CostMatrix,
    Walk,
    as_costs,
    positive_class,
    threshold_regions,
)
from trisect.decisions.regions import two_way_regions
from trisect.model_file.consistency import costs_of
from trisect.model_file.document import Document, feature_names
from trisect.model_file.reading import read_document
from trisect.network import exact
from trisect.runtime.arrays import arrays_of, levels_of
from trisect.runtime.decided import decided_on, plain_array
from trisect.tables.cells import read_numbers
from trisect.tables.column import Column
from trisect.tables.encoding import EncodedTable, encode_table, quoted
from trisect.tables.frames import columns_of, has_names, names_of
from trisect.tables.kinds import column_from_dict

__all__ = ["Model", "load_model"]


def load_model(path: str | Path, *, compiled: bool = False) -> "Model":
    """Load a model from a file that `trisect.save_model` has written.

    Parameters
    ----------
    path : str or Path
        The file.
    compiled : bool, default=False
        Whether large tables are evaluated by compiled code, which needs numba. The results are
        the same in every bit.

    Returns
    -------
    Model
        What predicts and decides, with NumPy alone.

    Raises
    ------
    ModelFileError
        If the file holds anything else; it is never half-loaded, and nothing in it is run.
    """
    return Model(read_document(path), compiled=compiled)


class LearnedPair(NamedTuple):
    """Thresholds that were learned from data: accept from alpha on, reject up to beta."""

    alpha: float
    beta: float


class Model:
    """A fitted model that predicts and decides, from plain data.

    Rows may come as a data frame, a dictionary of columns, a list of dictionaries, or an array
    of numbers. Cells that are not understood count as missing, with a warning, as they do with
    the estimator that was saved, if that was fitted on a raw table; if not, all cells must be
    finite numbers.

    Parameters
    ----------
    document : dict
        A document that has been checked, see `trisect.model_file.reading.parse_document`.
    compiled : bool, default=False
        Whether large tables are evaluated by compiled code, which needs numba.

    Attributes
    ----------
    document : dict
        The document.
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    pos_label_ : label or None
        The positive one of two classes.
    costs_ : CostMatrix or ClassCosts
        The costs in use.
    """

    def __init__(self, document: Document, *, compiled: bool = False) -> None:
        self.document = document
        self.compiled = compiled
        kind, labels = document["classes"]["type"], document["classes"]["labels"]
        self.classes_ = np.array(labels, dtype=object if kind == "text" else None)
        self.pos_label_ = document["positive"]
        self.costs_ = costs_of(document["costs"])
        self._arrays = arrays_of(document)
        self._n_cells = 0
        self._columns: list[Column] | None = None
        if not isinstance(document["columns"][0], str):
            records: list[Any] = document["columns"]
            self._columns = [column_from_dict(record) for record in records]

    @property
    def thresholds_(self) -> "LearnedPair | None":
        """Alpha and beta, if they were learned from data and do not follow from the costs."""
        pair = self.document["thresholds"]
        return LearnedPair(pair["alpha"], pair["beta"]) if pair and pair["learned"] else None

    @cached_property
    def feature_names(self) -> list[str]:
        """Names of the numbers that the columns become."""
        return feature_names(self.document)

    @property
    def column_names(self) -> list[str]:
        """Names of the columns that rows must have."""
        if self._columns is None:
            return list(self.document["columns"])  # type: ignore[arg-type]
        return [column.name for column in self._columns if column.outputs]

    def encode(self, X: Any) -> EncodedTable:
        """Turn rows into the numbers that the network reads, and return what was odd.

        Parameters
        ----------
        X : data frame, mapping of str to sequence, sequence of mappings, or array-like
            Rows.

        Returns
        -------
        EncodedTable
            Numbers, which are not finite where a cell of a plain column is not, cells that
            count as missing because they are not understood, and columns that are ignored.
        """
        if isinstance(X, list | tuple) and not X:
            X = {name: [] for name in self.column_names}  # a service may have no rows
        elif isinstance(X, Sequence) and X and isinstance(X[0], Mapping):
            X = _columns_of_rows(X)
        if self._columns is not None:
            return encode_table(self._columns, X)
        wanted = self.column_names
        if not has_names(X):
            array = np.asarray(X)
            if array.ndim != 2 or array.shape[1] != len(wanted):
                raise ValueError(
                    f"{len(wanted)} columns are expected, but the array has shape {array.shape}."
                )
            numbers = array if array.dtype in (np.float32, np.float64) else _floats(array)
            return EncodedTable(np.ascontiguousarray(numbers), [], [], {})
        names = names_of(X)
        missing = [name for name in wanted if name not in names]
        if missing:
            raise ValueError(f"The table lacks columns that the model needs: {quoted(missing)}.")
        cells = columns_of(X, set(wanted))
        numbers = np.column_stack([read_numbers(cells[name]) for name in wanted])
        return EncodedTable(numbers, [], [name for name in names if name not in wanted], {})

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the probability of each class.

        Parameters
        ----------
        X : data frame, mapping of str to sequence, sequence of mappings, or array-like
            Rows.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            Probabilities, in the order of ``classes_``.
        """
        return self.probabilities_of(self._numbers(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of each row.

        Parameters
        ----------
        X : data frame, mapping of str to sequence, sequence of mappings, or array-like
            Rows.

        Returns
        -------
        ndarray of shape (n_rows,)
            Class labels.
        """
        return self.classes_[self.probabilities_of(self._numbers(X)).argmax(axis=1)]

    def decide(self, X: Any, costs: Any = None) -> NDArray[np.int8]:
        """Accept, defer or reject each row, whichever has the least expected cost.

        Parameters
        ----------
        X : data frame, mapping of str to sequence, sequence of mappings, or array-like
            Rows.
        costs : CostMatrix, InstanceCosts, ClassCosts or array-like, optional
            Costs to use instead of those in the file, and instead of learned thresholds.

        Returns
        -------
        ndarray of int8
            1 accepts, 0 defers, -1 rejects. With more than two classes 1 accepts the class with
            the least expected cost, and nothing is rejected.
        """
        return self.regions_of(self.probabilities_of(self._numbers(X)), costs)

    def decide_sequentially(self, X: Any, costs: Any = None, *, final: str = "defer") -> Walk:
        """Decide level by level: clear cases with few nodes, the others with more.

        Parameters
        ----------
        X : data frame, mapping of str to sequence, sequence of mappings, or array-like
            Rows.
        costs : CostMatrix or array-like of shape (2, 3), optional
            Costs to use instead of those in the file.
        final : {"defer", "decide"}, default="defer"
            What the last level does with rows that it is not sure of.

        Returns
        -------
        Walk
            Regions, and the level that decided each row. A file holds no unit costs of levels,
            so that test and delay costs are zero.
        """
        if final not in ("decide", "defer"):
            raise ValueError(f"final must be 'decide' or 'defer', got {final!r}.")
        return self.walk_of(self._numbers(X), costs, final)

    def decision_table(self, X: Any) -> dict[str, NDArray[Any]]:
        """Decide on each row, and say why, as ``trisect predict`` does.

        Parameters
        ----------
        X : data frame, mapping of str to sequence, sequence of mappings, or array-like
            Rows.

        Returns
        -------
        dict of str to ndarray
            ``label`` (the most probable class), ``probability`` (of the positive class; with
            more than two classes of the label), ``decision`` ("accept", "defer" or "reject"),
            ``level`` (the first that is sure of the decision, NaN where that is to defer) and
            ``reason``, which says so where cells were not understood.
        """
        encoded = self.encode(X)
        columns = decided_on(self, encoded.numbers, encoded.odd_rows).columns
        return {name: plain_array(column) for name, column in columns.items()}

    def probabilities_of(self, numbers: NDArray[Any]) -> NDArray[np.float64]:
        """Compute the probabilities of rows that are numbers already, see `encode`."""
        inputs, nodes, scores = self._arrays
        out = np.empty((len(numbers), len(self.classes_)))
        engine = self._engine("probabilities", len(numbers) * inputs.n_inputs)
        if not engine.probabilities(numbers, inputs, nodes, scores, out):
            row, column = np.argwhere(~np.isfinite(numbers))[0]
            raise ValueError(
                f"Row {row} has no finite number in column {self.feature_names[column]!r}."
            )
        return out

    def regions_of(self, probabilities: NDArray[np.float64], costs: Any = None) -> NDArray[np.int8]:
        """Decide from the probabilities of the classes."""
        used = self.costs_ if costs is None else costs
        if isinstance(used, ClassCosts):
            used = used.for_classes(self.classes_)
            if len(self.classes_) > 2:
                return (used.decide(probabilities) >= 0).astype(np.int8)
            used = used.of_two(self._accepted())
        if len(self.classes_) > 2:
            raise ValueError(
                f"Costs of accepting and rejecting are for two classes, but there are "
                f"{len(self.classes_)}: use ClassCosts, with one cost for each confusion."
            )
        thresholds = self.document["thresholds"]
        if costs is None and thresholds is not None:
            p = probabilities[:, self._accepted()]
            return threshold_regions(p, thresholds["alpha"], thresholds["beta"])
        used = as_costs(used, len(probabilities))
        return used.decide(probabilities[:, self._accepted(used)])

    def walk_of(self, numbers: NDArray[Any], costs: Any = None, final: str = "defer") -> Walk:
        """Walk the levels with rows that are numbers already, see `encode`."""
        read_outs = self.document["read_outs"]
        if read_outs is None:
            raise ValueError("The model has no levels to walk: use decide.")
        used = as_costs(self.costs_ if costs is None else costs)
        if not isinstance(used, CostMatrix):
            raise ValueError("A walk needs one cost matrix, the same for all rows.")
        if self._accepted(used) != self._accepted():
            raise ValueError(
                f"The costs accept {self.classes_[self._accepted(used)]!r}, but the levels of this "
                f"model accept {self.pos_label_!r}: use decide."
            )
        inputs, nodes, _ = self._arrays
        if not np.isfinite(numbers).all():
            self.probabilities_of(numbers)  # says what is not finite
        alpha, beta = used.thresholds
        if costs is None:
            thresholds: Any = self.document["thresholds"]
            alpha, beta = thresholds["alpha"], thresholds["beta"]
        regions = np.zeros(len(numbers), dtype=np.int8)
        levels = np.zeros(len(numbers), dtype=np.intp)
        margins = np.empty(len(numbers), dtype=np.float32)
        engine = self._engine("walk", len(numbers) * inputs.n_inputs)
        laid_out = levels_of(read_outs, alpha, beta)
        engine.walk(numbers, inputs, nodes, laid_out, regions, levels, margins)
        p = exact.positive_probabilities(margins)
        left, n_levels = levels == 0, len(laid_out.biases)
        last = (
            two_way_regions(p[left], used.gamma)
            if final == "decide"
            else threshold_regions(p[left], alpha, beta)
        )
        regions[left] = last
        levels[left & (regions != BND)] = n_levels
        none = np.zeros(n_levels)
        return Walk(regions, levels, p, none, none, np.ones(n_levels, dtype=np.intp))

    def __repr__(self) -> str:
        n_nodes = len(self.document["network"]["biases"])
        return (
            f"Model({len(self.document['columns'])} columns, {n_nodes} "
            f"{'node' if n_nodes == 1 else 'nodes'}, classes {self.classes_.tolist()})"
        )

    def _accepted(self, costs: Any = None) -> int:
        """Return the index of the class to accept: as the costs name it, or as in the file."""
        label = positive_class(self.classes_, costs=costs, default=self.pos_label_)
        return self.classes_.tolist().index(label)

    def _numbers(self, X: Any) -> NDArray[Any]:
        encoded = self.encode(X)
        encoded.warn(stacklevel=3)
        return encoded.numbers

    def _engine(self, task: str, n_cells: int) -> Any:
        if not self.compiled:
            return exact
        from trisect.network import engine_for

        # Loading the compiler pays when there have been many blocks, as when there is a large one.
        self._n_cells += n_cells
        return engine_for(task, self._n_cells)


def _columns_of_rows(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Turn rows into columns; what a row lacks is missing there."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _floats(array: NDArray[Any]) -> NDArray[np.float64]:
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"The model takes finite numbers, but {error}.") from None
