"""The demonstration tells its story in order, and its figures are those of the model."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest

from trisect import demo
from trisect.cli import main
from trisect.files import read_table
from trisect.metrics import three_way_confusion
from trisect.sample_data import credit_csv
from trisect.tables import TableClassifier

PNG = b"\x89PNG\r\n\x1a\n"
PICTURES = ("regions", "thresholds", "process-costs")


@pytest.fixture(scope="module")
def screen(tmp_path_factory):
    """What a person sees, and the folder that it speaks of."""
    pytest.importorskip("matplotlib")
    folder = tmp_path_factory.mktemp("demo") / "pictures"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "trisect.cli", "demo", str(folder)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    return done.stdout, folder


@pytest.fixture(scope="module")
def data():
    return demo.load()


@pytest.fixture(scope="module")
def fitted(data):
    """The same fit, for one seed fixes it."""
    costs = demo.CostMatrix.from_review(**demo.COSTS, accept=demo.POSITIVE)
    return TableClassifier(costs=costs, random_state=demo.SEED).fit(data.X_train, data.y_train)


def part(text, heading):
    """What stands under a heading, up to the next."""
    return re.split(r"^\d\. ", text.split(heading)[1], flags=re.MULTILINE)[0]


def rows(text, heading, pattern):
    return re.findall(pattern, part(text, heading), flags=re.MULTILINE)


def test_the_story_is_told_in_order(screen):
    headings = re.findall(r"^\d\. (.*)$", screen[0], flags=re.MULTILINE)
    assert [heading[:14] for heading in headings] == [
        "What is decide", "What it costs,", "How the networ", "What was made ", "Pictures",
    ]  # fmt: skip


def test_decisions_are_those_of_the_model(screen, fitted, data):
    found = rows(screen[0], "1. What", r"^ +(?:pays|defaults) +(\d+) +(\d+) +(\d+)$")
    regions = fitted.decide(data.X_test)
    expected = three_way_confusion(data.y_test, regions, pos_label="pays")
    assert np.array_equal(np.array(found, dtype=int), expected)
    assert len(rows(screen[0], "Six of them", r"^C\d{5} .* (?:accept|defer|reject) ")) == 6


def test_costs_add_up(screen):
    found = rows(screen[0], "2. What", r"^(\w[\w ,]*?) +(\d+) +([\d.]+) \(([\d.]+) to ([\d.]+)\)")
    cost = {name: float(total) for name, total, *_ in found}
    assert cost["all are looked at"] == 750
    (pays, defaults) = (
        list(map(int, row))
        for row in rows(screen[0], "1. What", r"^ +(?:pays|defaults) +(\d+) +(\d+) +(\d+)$")
    )
    assert cost["three ways"] == 5 * defaults[0] + pays[1] + defaults[1] + 3 * pays[2]
    assert set(cost) > {"always decide", "three ways, random forest"}
    for _, total, mean, low, high in found:
        assert float(mean) == pytest.approx(float(total) / 750, abs=0.006)
        assert float(low) <= float(mean) <= float(high)


def test_three_ways_cost_less_than_always_deciding(screen):
    assert "% less than always deciding" in part(screen[0], "2. What")


def test_table_shows_every_level(screen, fitted):
    levels = fitted.estimator_.levels_
    found = rows(screen[0], "3. How", r"^([> ] +\d+ +\d+) \|(.*)$")
    assert len(found) == len(levels)
    for number, ((head, numbers), level) in enumerate(zip(found, levels, strict=True), start=1):
        kept = number == fitted.estimator_.best_level_ + 1
        assert head.split() == [*[">"] * kept, str(number), str(level.n_hidden)]
        shown = [float(cell) for cell in numbers.replace("|", " ").split()]
        names = (
            "alpha beta gamma n_pos n_bnd n_neg n_misclassified result_cost test_cost delay_cost"
        )
        expected = [getattr(level, name) for name in names.split()]
        assert shown == pytest.approx(expected, abs=0.51)


def test_levels_cost_something_else_each(fitted):
    costs = [level.result_cost for level in fitted.estimator_.levels_]
    assert len({round(cost, 2) for cost in costs}) > len(costs) / 2


def test_pictures_exist_and_are_named(screen):
    text, folder = screen
    assert sorted(path.stem for path in folder.iterdir()) == sorted(PICTURES)
    for name in PICTURES:
        path = folder / f"{name}.png"
        assert f"{path}: " in text
        assert path.read_bytes().startswith(PNG)


def test_fits_a_terminal(screen):
    lines = [line for line in screen[0].splitlines() if not line.startswith(str(screen[1]))]
    assert max(map(len, lines)) <= 100


def test_without_matplotlib(monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    demo.show_pictures(None, None, None, tmp_path / "none")
    assert "pip install 'trisect[plots]'" in capsys.readouterr().out
    assert not (tmp_path / "none").exists()


def test_the_data_can_be_written(tmp_path, capsys):
    path = tmp_path / "credit.csv"
    assert main(["demo", "--write", str(path)]) == 0
    assert "CC BY 4.0" in capsys.readouterr().out
    assert path.read_bytes() == credit_csv()
    table = read_table(path)
    assert table.n_rows == 3000 and len(table.columns) == 25
    assert set(table.columns["next_month"].values) == {"pays", "defaults"}
    assert 0.03 < np.isnan(table.columns["age"]).mean() < 0.1


def test_a_file_that_exists_is_not_written_over(tmp_path, capsys):
    path = tmp_path / "mine.csv"
    path.write_text("mine")
    assert main(["demo", "--write", str(path)]) == 2
    assert "exists already: name a file that does not" in capsys.readouterr().err
    assert path.read_text() == "mine"
