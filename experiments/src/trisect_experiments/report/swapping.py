"""A folder that appears whole or not at all."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MANIFEST = "report.json"


def check_target(folder: str | Path) -> Path:
    """Refuse a folder that a report must not replace: one with files that no report wrote."""
    target = Path(folder).absolute()
    if not target.exists():
        return target
    if not target.is_dir():
        raise FileExistsError(f"{str(folder)!r} is a file; name a folder for the report.")
    try:
        manifest = json.loads((target / MANIFEST).read_text(encoding="utf-8"))
        own = {MANIFEST, *manifest["files"]}
    except (OSError, ValueError, KeyError, TypeError):
        own = set()
    foreign = [name for name in _files(target) if name not in own]
    if foreign:
        more = f" and {len(foreign) - 3} more" if len(foreign) > 3 else ""
        raise FileExistsError(
            f"The folder {str(folder)!r} holds files that no report wrote ({', '.join(foreign[:3])}"
            f"{more}), and a report replaces its folder. Name another one with --out."
        )
    return target


@contextmanager
def swapped_folder(folder: str | Path, origin: Mapping[str, Any] | None = None) -> Iterator[Path]:
    """Write into a temporary sibling that takes the folder's place at the end.

    Nothing changes when the block raises. A manifest with `origin` and the names of the files
    written goes with them. See `check_target` for the folders that are refused.
    """
    target = check_target(folder)
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{target.name}-new-", dir=target.parent))
    try:
        fresh.chmod(0o755)
        yield fresh
        manifest = json.dumps({**(origin or {}), "files": _files(fresh)}, indent=2)
        (fresh / MANIFEST).write_text(manifest + "\n", encoding="utf-8")
        check_target(target)
        _replace(fresh, target)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _files(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def _replace(fresh: Path, target: Path) -> None:
    if not target.exists():
        fresh.rename(target)
        return
    parking = Path(tempfile.mkdtemp(prefix=f".{target.name}-old-", dir=target.parent))
    old = target.rename(parking / target.name)
    try:
        fresh.rename(target)
    except BaseException:
        old.rename(target)
        parking.rmdir()
        raise
    shutil.rmtree(parking, ignore_errors=True)
