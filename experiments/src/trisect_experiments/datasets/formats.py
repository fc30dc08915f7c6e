"""The archive's file formats: csv, arff, xls, and zip files inside zip files."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
from scipy.io import arff

Reader = Callable[[bytes], pd.DataFrame]


def csv(sep: str = ",", header: int | None = 0) -> Reader:
    """A reader of delimited text; blanks after a delimiter do not count."""

    def read(content: bytes) -> pd.DataFrame:
        return pd.read_csv(io.BytesIO(content), sep=sep, header=header, skipinitialspace=True)

    return read


def xls(header: int = 0) -> Reader:
    """A reader of the first sheet of an xls file whose column names are in row `header`."""

    def read(content: bytes) -> pd.DataFrame:
        import xlrd

        sheet = xlrd.open_workbook(file_contents=content).sheet_by_index(0)
        rows = [sheet.row_values(i) for i in range(header + 1, sheet.nrows)]
        return pd.DataFrame(rows, columns=sheet.row_values(header)).infer_objects()

    return read


def weka(content: bytes) -> pd.DataFrame:
    """Read an arff file; nominal values become text, question marks become missing."""
    records, _ = arff.loadarff(io.StringIO(content.decode("utf-8")))
    frame = pd.DataFrame({name: records[name] for name in records.dtype.names})
    for name in frame.columns:
        if frame[name].dtype == object:
            frame[name] = [v.decode("utf-8") if isinstance(v, bytes) else v for v in frame[name]]
    return frame


def zip_members(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Every file of a zip archive with its bare name, those of inner zips included."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for info in archive.infolist():
            bare = Path(info.filename).name
            # macOS leaves a shadow "._name" of every file in a folder of its own.
            if info.is_dir() or bare.startswith("._"):
                continue
            data = archive.read(info)
            if bare.lower().endswith(".zip"):
                yield from zip_members(data)
            else:
                yield bare, data


def find_members(content: bytes, names: tuple[str, ...]) -> list[bytes]:
    """The contents of the named files, in the order asked for.

    Raises
    ------
    ValueError
        When a name is missing; the message lists what the archive holds.
    """
    wanted: dict[str, bytes] = {}
    seen: list[str] = []
    for bare, data in zip_members(content):
        seen.append(bare)
        if bare.lower() in {name.lower() for name in names}:
            wanted.setdefault(bare.lower(), data)
    missing = [name for name in names if name.lower() not in wanted]
    if missing:
        raise ValueError(
            f"The archive lacks {', '.join(missing)}; it holds "
            f"{', '.join(sorted(seen)) or 'nothing'}. Its layout may have changed."
        )
    return [wanted[name.lower()] for name in names]
