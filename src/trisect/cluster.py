"""Learn from a Dask data frame, and decide on one, wherever its partitions are.

A fit needs no more rows than one machine holds, so that rows are drawn from the partitions and
gathered, and the model is fitted here. Decisions are made where the rows are, by the model as a
document of some kilobytes. Workers need trisect, but neither a shared folder nor each other.
"""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from trisect.files.block import Block
from trisect.files.gathering import joined
from trisect.files.labels import labels_of
from trisect.files.sampling import SAMPLE_ROWS, Drawing, Sample, sampled_rows
from trisect.model_file import document_bytes, parse_document, to_document
from trisect.runtime import Model
from trisect.tables.cells import Cells, Texts, read_texts
from trisect.tables.frames import columns_of, names_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["decide_frame", "sample_frame"]


def sample_frame(
    frame: Any,
    target: str,
    n_rows: int = SAMPLE_ROWS,
    *,
    on_error: str = "stop",
    seed: int = 0,
) -> Sample:
    """Draw rows from a Dask data frame, each with the same chance.

    The partitions are read twice: first the target alone, to count rows and classes, then all
    columns. Which rows are drawn follows from the seed and the number of rows alone, as in
    `trisect.files.sample_table`: not from the partitions, nor from who works on them.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
        The table.
    target : str
        Name of the column that holds the classes.
    n_rows : int, default=1,000,000
        Most rows to draw.
    on_error : {"stop", "skip"}, default="stop"
        Whether to raise an error if rows have no class, or to leave them out.
    seed : int, default=0
        Fixes the draw.

    Returns
    -------
    Sample
        Columns and classes, in the order of the frame.

    Examples
    --------
    >>> import dask.dataframe as dd
    >>> import pandas as pd
    >>> table = pd.DataFrame({"age": range(18, 90), "outcome": ["pays", "owes", "owes"] * 24})
    >>> sample = sample_frame(dd.from_pandas(table, npartitions=3), "outcome", 5)
    >>> sample.columns["age"].tolist(), sample.of_rows
    ([37.0, 40.0, 53.0, 61.0, 75.0], 72)
    """
    dask = _import_dask()
    names = names_of(frame._meta)
    if target not in names:
        listed = ", ".join(map(repr, names))
        raise ValueError(f"There is no column {target!r}; the columns are {listed}.")
    count = dask.delayed(_counted, pure=True)
    counts = dask.compute(*(count(part, target) for part in frame[[target]].to_delayed()))
    total = _added_up(counts, target)
    total.check(on_error)
    chosen = sampled_rows(total.of_rows, n_rows, seed)
    ends = np.cumsum([0, *(one.of_rows for one in counts)])
    cuts = np.searchsorted(chosen, ends)
    draw = dask.delayed(_drawn, pure=True)
    parts = dask.compute(*(
        draw(part, target, chosen[low:high] - first)
        for part, first, low, high in zip(
            frame.to_delayed(), ends[:-1], cuts[:-1], cuts[1:], strict=True
        )
    ))  # fmt: skip
    columns = {name: _whole([part[name] for part in parts]) for name in names}
    y = labels_of(columns.pop(target))
    return Sample(columns, y, total.of_rows, dict(total.class_counts))


def decide_frame(model: Any, frame: Any) -> Any:
    """Decide on the rows of a Dask data frame, where they are.

    Parameters
    ----------
    model : estimator or trisect.runtime.Model
        A fitted model that `trisect.save_model` takes, or one from a file.
    frame : dask.dataframe.DataFrame
        A table with the columns of the training data.

    Returns
    -------
    dask.dataframe.DataFrame
        The columns of `trisect.runtime.Model.decision_table`, with the index of `frame`; nothing
        is computed yet.
    """
    dask = _import_dask()
    content = document_bytes(to_document(model))
    meta = _decided(frame._meta, content)
    return frame.map_partitions(_decided, dask.delayed(content), meta=meta)


def _counted(part: "pd.DataFrame", target: str) -> Drawing:
    """Count the classes of a partition."""
    count = Drawing(target, [], np.empty(0, dtype=np.intp))
    count.choose(_block(part, target))
    return count


def _added_up(counts: tuple[Drawing, ...], target: str) -> Drawing:
    total = Drawing(target, [], None)
    for one in counts:
        total.add(one)
    return total


def _drawn(part: "pd.DataFrame", target: str, chosen: NDArray[np.intp]) -> dict[str, Cells]:
    """Take the drawn rows out of a partition."""
    rows = Drawing(target, [], chosen).choose(_block(part, target))
    return columns_of(part.iloc[rows], names_of(part))


def _block(part: "pd.DataFrame", target: str) -> Block:
    return Block(columns_of(part, [target]), len(part), [])


def _whole(pieces: list[Cells]) -> Cells:
    """Put the cells of partitions together, as texts if they differ in form."""
    cells = joined(pieces)
    return Texts.joined([read_texts(piece) for piece in pieces]) if cells is None else cells


def _decided(part: "pd.DataFrame", content: bytes) -> "pd.DataFrame":
    import pandas as pd

    columns = _model(content).decision_table(part)
    words = [name for name, values in columns.items() if values.dtype == object]
    return pd.DataFrame(columns, index=part.index).astype(dict.fromkeys(words, "str"))


@lru_cache(maxsize=4)
def _model(content: bytes) -> Model:
    """Load a model once for all partitions that a worker decides on."""
    return Model(parse_document(content), compiled=True)


def _import_dask() -> Any:
    """Import Dask, or say how to install it."""
    try:
        import dask
        import dask.dataframe
    except ImportError as error:
        raise ImportError("dask and its data frames: run pip install 'trisect[dask]'.") from error
    return dask
