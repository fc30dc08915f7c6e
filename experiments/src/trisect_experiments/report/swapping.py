"""A folder that appears whole or not at all."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MANIFEST = "report.json"


def check_target(folder: str | Path) -> Path:
    """Refuse a folder that a report must not replace: one with files that no report wrote.

    Raises
    ------
    FileExistsError
        If it is a file, or holds anything that its manifest does not name.
    """
    target = Path(folder).absolute()
    if not target.exists():
        return target
    if not target.is_dir():
        raise FileExistsError(f"{str(folder)!r} is a file; name a folder for the report.")
    held = {path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()}
    try:
        manifest = json.loads((target / MANIFEST).read_text(encoding="utf-8"))
        own = {MANIFEST, *manifest["files"]}
    except (OSError, ValueError, KeyError, TypeError):
        own = set()
    foreign = sorted(held - own)
    if foreign:
        more = f" and {len(foreign) - 3} more" if len(foreign) > 3 else ""
        raise FileExistsError(
            f"The folder {str(folder)!r} holds files that no report wrote ({', '.join(foreign[:3])}"
            f"{more}), and a report replaces its folder. Name another one with --out."
        )
    return target


@contextmanager
def swapped_folder(folder: str | Path) -> Iterator[Path]:
    """Write into a temporary sibling that takes the folder's place at the end.

    Nothing changes when the block raises. A manifest of the files written goes with them.

    Parameters
    ----------
    folder : path
        The folder to make or replace; see `check_target` for what is refused.

    Yields
    ------
    Path
        The sibling to write to.
    """
    target = check_target(folder)
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{target.name}-new-", dir=target.parent))
    try:
        fresh.chmod(0o755)
        yield fresh
        files = sorted(p.relative_to(fresh).as_posix() for p in fresh.rglob("*") if p.is_file())
        content: dict[str, object] = {}
        if (fresh / MANIFEST).exists():
            content = json.loads((fresh / MANIFEST).read_text(encoding="utf-8"))
        content["files"] = [name for name in files if name != MANIFEST]
        (fresh / MANIFEST).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
        check_target(target)
        _replace(fresh, target)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


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
