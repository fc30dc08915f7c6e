"""Files that are written whole or not at all."""

import os
import sys
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from trisect.files.streams import STANDARD

__all__ = ["AtomicFile"]


class AtomicFile:
    """A file that gets its name when it is complete; a context manager.

    What is written goes into a file beside it. It takes the name at the end of the ``with``
    block, and is deleted if that ends in an error or an interruption.

    Parameters
    ----------
    path : str or Path
        The file, or "-" for standard output, to which there is no way back.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "story.txt"
    ...     with AtomicFile(path) as file:
    ...         _ = file.write(b"once upon a time")
    ...         path.exists()
    ...     path.read_text()
    False
    'once upon a time'
    """

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self._standard = str(path) == STANDARD
        self._beside = Path(f"{path}.{os.getpid()}.part")
        self._file: Any = None

    def __enter__(self) -> IO[bytes]:
        if self._standard:
            return sys.stdout.buffer
        folder = Path(self.path).parent
        if not folder.is_dir():
            raise FileNotFoundError(f"There is no folder {folder}, into which to write.")
        self._file = self._beside.open("wb")
        return self._file

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._standard:
            sys.stdout.buffer.flush()
            return
        complete = False
        try:
            if kind is None:
                self._file.flush()
                os.fsync(self._file.fileno())
                complete = True
        finally:
            self._file.close()
            if complete:
                self._beside.replace(self.path)
            else:
                self._beside.unlink()
