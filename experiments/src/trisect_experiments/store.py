"""Results on disk: one SQLite file that survives being killed and may be shared.

Every insert is a transaction that has reached the disk when `ResultStore.add` returns (write-ahead
log, full synchronisation). A key is stored once; adding it again changes nothing, except that a
success takes the place of a failure.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from trisect_experiments.records import COLUMNS, SCORES, Key, Result, as_row, from_row

_KEY = Key._fields
_VALUES = COLUMNS[len(_KEY) :]
_FORMAT = 1

_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS results (
    dataset TEXT NOT NULL, model TEXT NOT NULL, protocol TEXT NOT NULL, fold INTEGER NOT NULL,
    configuration TEXT NOT NULL, seed INTEGER NOT NULL, data TEXT NOT NULL, code TEXT NOT NULL,
    {", ".join(f"{score} REAL" for score in SCORES)},
    n_train INTEGER NOT NULL, details TEXT NOT NULL, error TEXT,
    PRIMARY KEY ({", ".join(_KEY)})
) WITHOUT ROWID
"""

_INSERT = f"""
INSERT INTO results ({", ".join(COLUMNS)}) VALUES ({", ".join("?" * len(COLUMNS))})
ON CONFLICT DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in _VALUES)}
WHERE results.error IS NOT NULL AND excluded.error IS NULL
"""


class ResultStore:
    """Results of fits by their key.

    Parameters
    ----------
    path : str or path
        The SQLite file; made when it does not exist. ``":memory:"`` keeps it in memory.

    Examples
    --------
    >>> from trisect_experiments.records import Key, Result
    >>> key = Key("ring", "RF", "10-fold", 0, "{}", 0, "d41d", "1")
    >>> with ResultStore(":memory:") as store:
    ...     store.add(Result(key, accuracy=0.9)), store.add(Result(key, accuracy=0.1))
    ...     [result.accuracy for result in store.results()]
    (True, False)
    [0.9]
    """

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        if self.path != ":memory:":
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
        connection = None
        try:
            # Autocommit: every statement is its own transaction, durable when it returns.
            connection = sqlite3.connect(self.path, timeout=60, isolation_level=None)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(_SCHEMA)
            found = connection.execute("PRAGMA user_version").fetchone()[0]
            if found not in (0, _FORMAT):
                raise sqlite3.DatabaseError(f"store format {found}, this version reads {_FORMAT}")
            if found == 0:
                connection.execute(f"PRAGMA user_version = {_FORMAT}")
        except sqlite3.Error as error:
            if connection is not None:
                connection.close()
            raise ValueError(
                f"{self.path!r} cannot be used as a result store ({error}). Name another file, or "
                "move this one away."
            ) from error
        self._connection = connection

    def add(self, result: Result) -> bool:
        """Store a result durably; False when its key was there already."""
        *row, details, error = as_row(result)
        row += [json.dumps(details), error]
        return self._connection.execute(_INSERT, row).rowcount > 0

    def keys(self, only_failed: bool = False) -> set[Key]:
        """Keys of all results, or of the failed ones."""
        where = " WHERE error IS NOT NULL" if only_failed else ""
        rows = self._connection.execute(f"SELECT {', '.join(_KEY)} FROM results{where}")
        return {Key(*row) for row in rows}

    def results(self) -> list[Result]:
        """All results, in the order of their keys."""
        query = f"SELECT {', '.join(COLUMNS)} FROM results ORDER BY {', '.join(_KEY)}"
        return [
            from_row((*row, json.loads(details), error))
            for *row, details, error in self._connection.execute(query)
        ]

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM results").fetchone()[0])

    def close(self) -> None:
        """Close the file; the store cannot be used afterwards."""
        self._connection.close()

    def __enter__(self) -> ResultStore:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
