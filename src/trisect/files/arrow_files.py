"""Tables in parquet and arrow files, which need pyarrow."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from trisect.files.block import BLOCK_ROWS, Block, TableFile
from trisect.tables.frames import columns_of

__all__ = ["ArrowFile", "import_pyarrow"]


def import_pyarrow() -> Any:
    """Import pyarrow, or say how to install it."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise ImportError(
            "pyarrow, which reads and writes parquet and arrow files: "
            "run pip install 'trisect[parquet]'."
        ) from error
    return pa


class ArrowFile(TableFile):
    """A parquet file, a folder of them, or a file of Arrow's own format.

    Parameters
    ----------
    path : str or Path
        The file or folder.
    form : {"parquet", "arrow"}
        The format.
    memory : bytes, optional
        The content, if it was read already.
    """

    def __init__(self, path: str | Path, form: str, memory: bytes | None = None) -> None:
        import_pyarrow()
        self.path, self.form, self.found = path, form, form
        self._memory = memory
        self.names = list(self._reading()[0].names)

    def blocks(
        self, columns: Collection[str] | None = None, numbers: Collection[str] = ()
    ) -> Iterator[Block]:
        """Yield the rows in blocks."""
        wanted = [name for name in self.names if columns is None or name in columns]
        pa = import_pyarrow()
        for batch in self._reading(wanted)[1]:
            for start in range(0, batch.num_rows, BLOCK_ROWS):
                part = pa.Table.from_batches([batch.slice(start, BLOCK_ROWS)])
                yield Block(columns_of(part, wanted), part.num_rows, [])

    def close(self) -> None:
        """Do nothing: files are open while they are read."""

    def _reading(self, columns: list[str] | None = None) -> tuple[Any, Iterator[Any]]:
        """Return the schema, and batches of rows."""
        pa = import_pyarrow()
        try:
            return self._parquet(columns) if self.form == "parquet" else self._arrow(columns)
        except pa.ArrowException as error:
            raise ValueError(f"{self.path} is no {self.form} file: {error}.") from error

    def _parquet(self, columns: list[str] | None) -> tuple[Any, Iterator[Any]]:
        pa = import_pyarrow()
        if self._memory is not None:
            from pyarrow import parquet

            file = parquet.ParquetFile(pa.BufferReader(self._memory))
            return file.schema_arrow, file.iter_batches(BLOCK_ROWS, columns=columns)
        from pyarrow import dataset

        data = dataset.dataset(self.path, format="parquet")
        return data.schema, data.to_batches(columns=columns, batch_size=BLOCK_ROWS)

    def _arrow(self, columns: list[str] | None) -> tuple[Any, Iterator[Any]]:
        pa = import_pyarrow()
        source = pa.memory_map(str(self.path)) if self._memory is None else self._memory
        try:
            file = pa.ipc.open_file(source)
        except pa.ArrowInvalid:
            if self._memory is None:
                source = pa.memory_map(str(self.path))
            stream = pa.ipc.open_stream(source)
            return stream.schema, _selected(stream, columns)
        batches = (file.get_batch(i) for i in range(file.num_record_batches))
        return file.schema, _selected(batches, columns)


def _selected(batches: Any, columns: list[str] | None) -> Iterator[Any]:
    for batch in batches:
        yield batch if columns is None else batch.select(columns)
