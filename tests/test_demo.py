"""The demonstration shows every level, names its pictures, and draws them."""

import os
import re
import subprocess
import sys

import pytest

from trisect import demo

PNG = b"\x89PNG\r\n\x1a\n"
PICTURES = ("thresholds", "process-costs", "regions")


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


def rows(text, heading, pattern):
    """Lines under a heading that match, up to the next heading."""
    part = text.split(heading)[1]
    return re.findall(pattern, re.split(r"^\d\. ", part, flags=re.M)[0], flags=re.M)


def test_table_shows_every_level(screen, fitted):
    found = rows(screen[0], "1. The network grows", r"^([> ] +\d+ +\d+) \|(.*)$")
    assert len(found) == len(fitted.levels_)
    for number, ((head, numbers), level) in enumerate(
        zip(found, fitted.levels_, strict=True), start=1
    ):
        kept = number == fitted.best_level_ + 1
        assert head.split() == [*[">"] * kept, str(number), str(level.n_hidden)]
        shown = [float(cell) for cell in numbers.replace("|", " ").split()]
        names = (
            "alpha beta gamma n_pos n_bnd n_neg n_misclassified result_cost test_cost delay_cost"
        )
        expected = [getattr(level, name) for name in names.split()]
        assert shown == pytest.approx(expected, abs=0.051)


def test_rivals_are_compared(screen, fitted):
    part = rows(screen[0], "2. Next to other", r"^(\w.*?) {2,}([\d.]+) +([\d.]+) +([\d.]+) +(\S+)")
    scores = {name: numbers for name, *numbers in part}
    assert len(scores) == 4
    accuracy, _, auc, nodes = scores["trisect STWDSFNNClassifier"]
    assert float(accuracy) > float(scores["majority class"][0])
    assert float(auc) > 0.9
    assert int(nodes) == fitted.n_hidden_


def test_decisions_add_up(screen):
    found = dict(rows(screen[0], "3. Decide", r"^(always decide|three ways) +(.*)$"))
    assert set(found) == {"always decide", "three ways"}
    for numbers in found.values():
        accepted, deferred, rejected, false_accepts, false_rejects, cost = map(int, numbers.split())
        assert accepted + deferred + rejected == 143
        assert cost == 20 * false_accepts + 5 * false_rejects + deferred
    assert found["always decide"].split()[1] == "0"


def test_pictures_exist_and_are_named(screen):
    text, folder = screen
    assert sorted(path.stem for path in folder.iterdir()) == sorted(PICTURES)
    for name in PICTURES:
        path = folder / f"{name}.png"
        assert f"{path}: " in text
        assert path.read_bytes().startswith(PNG)


def test_fits_a_terminal(screen):
    assert max(map(len, screen[0].split("4. Pictures")[0].splitlines())) < 100


def test_without_matplotlib(monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    demo.show_pictures(None, None, None, tmp_path / "none")
    assert "pip install 'trisect[plots]'" in capsys.readouterr().out
    assert not (tmp_path / "none").exists()


@pytest.fixture(scope="module")
def fitted():
    """The same fit, for one seed fixes it."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.model_selection import train_test_split

    X, y = load_breast_cancer(return_X_y=True)
    X_train, _, y_train, _ = train_test_split(X, y, random_state=0)
    return demo.STWDSFNNClassifier(random_state=0).fit(X_train, y_train)
