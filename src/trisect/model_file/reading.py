"""Read a model file: strictly, and without running anything that stands in it."""

import json
from pathlib import Path
from typing import Any, cast

from trisect.model_file.consistency import check_consistency
from trisect.model_file.document import FORMAT, VERSION, Document
from trisect.model_file.schema import SCHEMA
from trisect.model_file.schema_check import ModelFileError, check_schema

__all__ = ["MAX_BYTES", "parse_document", "read_document"]

MAX_BYTES = 64 << 20
"""Most bytes of a model file; the largest of the fifteen datasets has less than a hundredth."""


def read_document(path: str | Path) -> Document:
    """Read the document in a file.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    dict
        A document of which every part has been checked.

    Raises
    ------
    ModelFileError
        If the file holds anything else.
    """
    with Path(path).open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    try:
        return parse_document(content)
    except ModelFileError as error:
        raise ModelFileError(f"{path} is no model file that can be loaded: {error}.") from None


def parse_document(content: bytes) -> Document:
    """Read a document from bytes.

    Parameters
    ----------
    content : bytes
        JSON in UTF-8.

    Returns
    -------
    dict
        A document of which every part has been checked.

    Raises
    ------
    ModelFileError
        If the bytes are anything else; says what is wrong, and where.

    Examples
    --------
    >>> from trisect.model_file.reading import parse_document
    >>> parse_document(b'{"format": "trisect-model", "version": 7}')
    Traceback (most recent call last):
    ...
    trisect.model_file.schema_check.ModelFileError: version 7 of the format is newer than this \
library, which reads versions up to 1: install a newer trisect
    """
    if len(content) > MAX_BYTES:
        raise ModelFileError(f"it has more than {MAX_BYTES:,} bytes")
    try:
        document: Any = json.loads(
            content.decode("utf-8"), object_pairs_hook=_object, parse_constant=_constant
        )
    except UnicodeDecodeError as error:
        raise ModelFileError(f"byte {error.start:,} is not UTF-8") from None
    except ModelFileError:
        raise
    except RecursionError:
        raise ModelFileError("it is nested too deeply") from None
    except ValueError as error:  # JSONDecodeError, or a number of thousands of digits
        raise ModelFileError(f"it is not JSON, {error}") from None
    if not (isinstance(document, dict) and document.get("format") == FORMAT):
        raise ModelFileError(f"it does not say that its format is {FORMAT!r}")
    version = document.get("version")
    if type(version) is int and version > VERSION:
        raise ModelFileError(
            f"version {version} of the format is newer than this library, which reads versions up "
            f"to {VERSION}: install a newer trisect"
        )
    check_schema(document, SCHEMA)
    found = cast(Document, document)
    check_consistency(found)
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ModelFileError(f"{twice[:80]!r} is there twice")
    return found


def _constant(name: str) -> Any:
    raise ModelFileError(f"{name} is no number that a model file may hold")
