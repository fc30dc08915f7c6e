"""Bytes of a file or of standard input, decompressed."""

import bz2
import gzip
import io
import lzma
import sys
import zipfile
import zlib
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, NamedTuple

__all__ = ["HEAD_BYTES", "STANDARD", "Stream", "open_bytes"]

STANDARD = "-"
"""The name of standard input and output."""

_DAMAGED = (EOFError, gzip.BadGzipFile, lzma.LZMAError, zipfile.BadZipFile, zlib.error)
_MAGIC = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"PK\x03\x04": "zip",
}


HEAD_BYTES = 1 << 18
"""How much of a file is looked at to find out what it is; some hundred rows of a wide table."""


class Stream(NamedTuple):
    """Decompressed bytes, the first of them for a look, and how they were compressed."""

    content: io.BufferedReader
    head: bytes
    compression: str
    opened: ExitStack

    @property
    def complete(self) -> bool:
        """Whether the head is all there is."""
        return len(self.head) < HEAD_BYTES

    def close(self) -> None:
        """Close all that was opened; standard input was not."""
        self.opened.close()


def open_bytes(path: str | Path) -> Stream:
    """Open a file, or standard input as ``"-"``, and decompress it if its first bytes say so.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    Stream
        A buffered reader and the compression, empty if there is none.
    """
    with ExitStack() as stack:
        if str(path) == STANDARD:
            raw: Any = sys.stdin.buffer
        else:
            raw = stack.enter_context(Path(path).open("rb"))
        head = raw.read(6)
        stream = _after(head, raw)
        compression = next((name for magic, name in _MAGIC.items() if head.startswith(magic)), "")
        try:
            if compression:
                stream = _OPENERS[compression](stream)
                stack.callback(stream.close)
            head = stream.read(HEAD_BYTES)
        except _DAMAGED as error:
            raise ValueError(f"{path} is a damaged {compression} file: {error}.") from error
        content = _after(head, stream)
        return Stream(content, head, compression, stack.pop_all())


class _After(io.RawIOBase):
    """Bytes that were read already, and then those of a stream."""

    def __init__(self, head: bytes, stream: Any) -> None:
        self._head, self._stream = memoryview(head), stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._head:
            try:
                more = self._stream.read(len(buffer))
            except _DAMAGED as error:
                raise ValueError(f"The compressed file is damaged: {error}.") from error
            buffer[: len(more)] = more
            return len(more)
        n = min(len(buffer), len(self._head))
        buffer[:n], self._head = self._head[:n], self._head[n:]
        return n


def _after(head: bytes, stream: Any) -> io.BufferedReader:
    """Go on at the beginning: by seeking if possible, because an archive needs to."""
    if stream.seekable() and isinstance(stream, io.BufferedReader) and stream.tell() == len(head):
        stream.seek(0)
        return stream
    return io.BufferedReader(_After(head, stream), 1 << 16)


def _gzip(raw: IO[bytes]) -> Any:
    return gzip.GzipFile(fileobj=raw)


def _zstd(raw: IO[bytes]) -> Any:
    try:
        from compression import zstd  # type: ignore[import-not-found]  # from Python 3.14 on

        return zstd.ZstdFile(raw)
    except ImportError:
        pass
    try:
        import pyarrow as pa
    except ImportError as error:
        raise ImportError(
            "pyarrow, which reads zstd: run pip install 'trisect[parquet]', or decompress the file."
        ) from error
    return pa.CompressedInputStream(pa.PythonFile(raw, "r"), "zstd")


def _zip(raw: IO[bytes]) -> Any:
    """Open the only file of an archive."""
    if not raw.seekable():
        raise ValueError("A zip archive cannot be read from standard input: name the file.")
    archive = zipfile.ZipFile(raw)
    names = [name for name in archive.namelist() if not name.endswith("/")]
    if "[Content_Types].xml" in names:
        raise ValueError("This is a workbook of a spreadsheet program: save the sheet as csv.")
    if len(names) != 1:
        raise ValueError(f"The zip archive holds {len(names)} files, not one: unpack it first.")
    return archive.open(names[0])


_OPENERS: dict[str, Callable[[Any], Any]] = {
    "gzip": _gzip,
    "bzip2": bz2.BZ2File,
    "xz": lzma.LZMAFile,
    "zstd": _zstd,
    "zip": _zip,
}
