"""Write a model file, whole or not at all."""

import json
from pathlib import Path
from typing import Any

from trisect.files.atomic import AtomicFile
from trisect.model_file.document import Document, to_document
from trisect.model_file.reading import parse_document

__all__ = ["document_bytes", "save_model", "write_document"]


def save_model(model: Any, path: str | Path) -> None:
    """Save a fitted model as a JSON document, which `trisect.load_model` reads.

    The file is there when it is complete: an error or an interruption leaves none, or the one
    that was there before.

    Parameters
    ----------
    model : estimator
        A fitted `STWDSFNNClassifier`, `TWDSFNNClassifier` or `SFNNClassifier`; one of them in a
        `ThreeWayClassifier` without calibration, in a `TableClassifier`, or behind a
        `TableEncoder` in a pipeline. Or a model that was loaded from a file.
    path : str or Path
        The file.

    Raises
    ------
    TypeError
        If there is a classifier inside that is not a network of this library.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn.datasets import load_breast_cancer
    >>> from trisect import SFNNClassifier, load_model, save_model
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = SFNNClassifier(2, random_state=0).fit(X, y)
    >>> with TemporaryDirectory() as folder:
    ...     save_model(model, Path(folder) / "model.json")
    ...     loaded = load_model(Path(folder) / "model.json")
    >>> bool((loaded.predict_proba(X) == model.predict_proba(X)).all())
    True
    """
    write_document(to_document(model), path)


def write_document(document: Document, path: str | Path) -> int:
    """Write a document to a file, or to standard output as ``"-"``; returns its bytes."""
    content = document_bytes(document)
    parse_document(content)  # what cannot be loaded is not to be written
    with AtomicFile(path) as file:
        file.write(content)
    return len(content)


def document_bytes(document: Document) -> bytes:
    """Write a document as JSON, with a line for each part."""
    parts = [f"{json.dumps(name)}: {_compact(value)}" for name, value in document.items()]
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def _compact(value: Any) -> str:
    return json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
