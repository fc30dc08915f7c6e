"""What commands show while they work."""

import io

from rich.console import Console

from trisect.cli.in_order import in_order
from trisect.cli.saying import progress_of_rows


def shown(terminal, total, quiet=False):
    file = io.StringIO()
    say = Console(file=file, force_terminal=terminal, width=100, quiet=quiet)
    with progress_of_rows(say, total) as advance:
        advance(2500)
    return file.getvalue()


def test_a_person_sees_a_bar():
    assert "2,500 of 10,000 rows" in shown(True, 10_000)
    assert "2,500 rows" in shown(True, None)


def test_nobody_else_sees_anything():
    assert shown(False, 10_000) == shown(True, 10_000, quiet=True) == ""


def test_items_are_taken_as_results_are():
    """Whoever takes results slowly keeps the rest from being read."""
    taken = []
    results = in_order(str, (taken.append(i) or i for i in range(100)), jobs=3)
    assert taken == []
    assert [next(results) for _ in range(10)] == [str(i) for i in range(10)]
    assert len(taken) <= 10 + 3
    results.close()
    assert len(taken) <= 10 + 3
