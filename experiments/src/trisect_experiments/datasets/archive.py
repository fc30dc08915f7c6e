"""Files of the UCI archive: downloaded once, then verified by their checksum."""

from __future__ import annotations

from pathlib import Path

import pooch
from rich.console import Console

ARCHIVE_URL = "https://archive.ics.uci.edu/static/public"


class DatasetUnavailableError(OSError):
    """A dataset is neither in the data folder nor reachable; the message says what to do."""


def default_cache() -> Path:
    """The folder that downloads go to: the operating system's cache folder for trisect."""
    return Path(pooch.os_cache("trisect"))


def fetch(url: str, cache_dir: str | Path | None = None) -> bytes:
    """Content of a file of the archive, from the cache (`default_cache`) if it is there.

    The first download writes the file's SHA-256 beside it and every later load verifies it, so
    that a truncated or edited file never turns into results.
    """
    folder = Path(cache_dir) if cache_dir is not None else default_cache()
    path = folder / url.rsplit("/", 1)[-1].replace("+", "-")
    record = path.with_name(path.name + ".sha256")
    if not path.exists():
        record.unlink(missing_ok=True)
        _download(url, path)
    found = pooch.file_hash(path)
    expected = record.read_text(encoding="ascii").strip() if record.exists() else found
    if found != expected:
        raise ValueError(
            f"{path.name} has checksum {found[:12]}..., expected {expected[:12]}...: the file was "
            f"cut short or changed. Delete it and {record.name} from the cache folder to download "
            "it again."
        )
    record.write_text(found + "\n", encoding="ascii")
    return path.read_bytes()


def _download(url: str, path: Path) -> None:
    Console(stderr=True, highlight=False).print(f"Fetching {url}", soft_wrap=True)
    # pooch would announce the download once more, with a hash to be put into the code.
    pooch.get_logger().setLevel("WARNING")
    try:
        pooch.retrieve(
            url,
            known_hash=None,
            fname=path.name,
            path=path.parent,
            downloader=pooch.HTTPDownloader(timeout=60),
        )
    except OSError as error:
        raise DatasetUnavailableError(
            f"{url} could not be fetched ({type(error).__name__}). Without a network, put "
            "NAME.parquet files with a column 'target' into a folder and name it with --data-dir "
            f"or the environment variable TRISECT_DATA; or download the file elsewhere and save "
            f"it as {path.name} in the cache folder {path.parent}."
        ) from error
