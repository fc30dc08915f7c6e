"""Tables in parquet and arrow files, which need pyarrow."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
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
        with self._readable():
            self._files = self._parquet_files() if form == "parquet" else []
            self._schema = self._whole_schema()
        self.names = list(self._schema.names)

    def blocks(
        self, columns: Collection[str] | None = None, numbers: Collection[str] = ()
    ) -> Iterator[Block]:
        """Yield the rows in blocks."""
        wanted = [name for name in self.names if columns is None or name in columns]
        pa = import_pyarrow()
        with self._readable():
            for batch in self._batches(wanted):
                for start in range(0, batch.num_rows, BLOCK_ROWS):
                    part = pa.Table.from_batches([batch.slice(start, BLOCK_ROWS)])
                    yield Block(columns_of(part, wanted), part.num_rows, [])

    def count(self) -> int | None:
        """Count the rows, which parquet files say themselves."""
        if self.form != "parquet":
            return None
        n_rows = 0
        for file in self._files:
            with self._readable(), self._parquet(file) as opened:
                n_rows += opened.metadata.num_rows
        return n_rows

    def close(self) -> None:
        """Do nothing: files are open while they are read."""

    @contextmanager
    def _readable(self) -> Iterator[None]:
        """Say of which file pyarrow complains."""
        pa = import_pyarrow()
        try:
            yield
        except pa.ArrowException as error:
            raise ValueError(f"{self.path} is no {self.form} file: {error}.") from error

    def _parquet_files(self) -> list[Any]:
        """Name the files of a folder, or the one file there is."""
        if self._memory is not None or not Path(self.path).is_dir():
            return [self.path]
        from pyarrow import dataset

        files: list[Any] = dataset.dataset(self.path, format="parquet").files
        if not files:
            raise ValueError(f"The folder {self.path} holds no parquet file.")
        return files

    def _parquet(self, file: Any) -> Any:
        from pyarrow import parquet

        source = file
        if self._memory is not None:
            source = import_pyarrow().BufferReader(self._memory)
        # Without these two, row groups are decoded as a whole: a file of 20 million rows and 24
        # columns in groups of a million took 1,400 MB instead of 140, and no less time.
        return parquet.ParquetFile(source, pre_buffer=False, buffer_size=1 << 20)

    def _whole_schema(self) -> Any:
        if self.form == "arrow":
            return self._arrow()[0]
        with self._parquet(self._files[0]) as opened:
            return opened.schema_arrow

    def _batches(self, columns: list[str]) -> Iterator[Any]:
        if self.form == "arrow":
            for batch in self._arrow()[1]:
                yield batch.select(columns)
            return
        fields = [self._schema.field(name) for name in columns]
        for file in self._files:
            with self._parquet(file) as opened:
                there = [name for name in columns if name in opened.schema_arrow.names]
                for batch in opened.iter_batches(BLOCK_ROWS, columns=there):
                    yield _with_fields(batch, fields)

    def _arrow(self) -> tuple[Any, Iterator[Any]]:
        """Return the schema of a file of Arrow's own format, and its batches."""
        pa = import_pyarrow()
        source = pa.memory_map(str(self.path)) if self._memory is None else self._memory
        try:
            file = pa.ipc.open_file(source)
        except pa.ArrowInvalid:
            if self._memory is None:
                source = pa.memory_map(str(self.path))
            stream = pa.ipc.open_stream(source)
            return stream.schema, iter(stream)
        return file.schema, (file.get_batch(i) for i in range(file.num_record_batches))


def _with_fields(batch: Any, fields: list[Any]) -> Any:
    """Give the rows of a file the columns of the first one; those it lacks are missing."""
    pa = import_pyarrow()
    columns = [
        batch.column(field.name).cast(field.type)
        if field.name in batch.schema.names
        else pa.nulls(batch.num_rows, field.type)
        for field in fields
    ]
    return pa.record_batch(columns, names=[field.name for field in fields])
