"""The archive's file formats: csv, xls, arff, and zip files inside zip files."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

import pandas as pd
from scipy.io import arff

Reader = Callable[[BinaryIO], pd.DataFrame]


def csv(sep: str = ",", header: int | None = 0) -> Reader:
    """A reader of delimited text; blanks after a delimiter do not count."""
    return partial(pd.read_csv, sep=sep, header=header, skipinitialspace=True)


def xls(file: BinaryIO) -> pd.DataFrame:
    """Read the first sheet of an xls file, whose second row has the names of the columns.

    pandas deprecates its reader of this format.
    """
    import xlrd

    sheet = xlrd.open_workbook(file_contents=file.read()).sheet_by_index(0)
    rows = [sheet.row_values(i) for i in range(2, sheet.nrows)]
    return pd.DataFrame(rows, columns=sheet.row_values(1)).infer_objects()


def weka(file: BinaryIO) -> pd.DataFrame:
    """Read an arff file; nominal values become text, question marks become missing."""
    records, _ = arff.loadarff(io.TextIOWrapper(file, "utf-8"))
    frame = pd.DataFrame({name: records[name] for name in records.dtype.names})
    for name in frame.select_dtypes(object):
        frame[name] = frame[name].str.decode("utf-8")
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


def find_members(content: bytes, names: tuple[str, ...]) -> list[BinaryIO]:
    """The named files in the order asked for; an error lists what the archive holds."""
    members: dict[str, bytes] = {}
    for bare, data in zip_members(content):
        members.setdefault(bare.lower(), data)
    missing = [name for name in names if name.lower() not in members]
    if missing:
        raise ValueError(
            f"The archive lacks {', '.join(missing)}; it holds "
            f"{', '.join(sorted(members)) or 'nothing'}. Its layout may have changed."
        )
    return [io.BytesIO(members[name.lower()]) for name in names]
