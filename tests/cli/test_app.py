"""The command of the base installation, and commands that other distributions add."""

import pytest

import trisect
from trisect.cli import main, typed
from trisect.cli.app import EXPERIMENTS, run_command


def test_the_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.strip() == trisect.__version__


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_command_of_the_experiments_names_what_is_missing(name, capsys):
    assert run_command([name, "--quick"], {}) == 2
    captured = capsys.readouterr()
    assert "trisect-experiments, which is not installed: run pip install ./exper" in captured.err
    assert captured.err.count("\n") == 1 and captured.out == ""


def test_mistakes_are_one_line(capsys):
    assert main(["demonstrate"]) == 2
    errors = capsys.readouterr().err
    assert "demonstrate" in errors and "Traceback" not in errors


ADDED = '''
from trisect.cli import typed

def greet(name: str, *, loud: bool = False) -> int:
    """Greet somebody."""
    if name == "nobody":
        raise ValueError("There is [nobody] to greet.")
    print(f"Hello {name}", *typed())
    return 3

def lacking() -> int:
    """Need something."""
    raise ImportError("No module named 'sesame'")
'''


@pytest.fixture
def added(tmp_path, monkeypatch):
    """A distribution with commands of its own on the path."""
    (tmp_path / "greeting.py").write_text(ADDED)
    info = tmp_path / "greeting-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: greeting\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[trisect.commands]\ngreet = greeting:greet\nlacking = greeting:lacking\n"
        "reproduce = greeting:greet\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("added")
def test_installed_commands_are_found_by_their_entry_point(capsys):
    assert main(["greet", "you"]) == 3
    assert capsys.readouterr().out == "Hello you greet you\n"
    assert typed() == ("greet", "you")
    assert main(["--help"]) == 0
    assert "greet" in capsys.readouterr().out
    assert main(["greet", "--help"]) == 0
    assert "Greet somebody." in capsys.readouterr().out


@pytest.mark.usefixtures("added")
def test_errors_of_a_command_are_one_line(capsys):
    assert main(["greet", "nobody"]) == 2
    assert capsys.readouterr().err == "Error: There is [nobody] to greet.\n"
    assert main(["lacking"]) == 2
    assert "a package is missing: No module named 'sesame'" in capsys.readouterr().err
