"""The examples about decisions run, and say what they promise."""

import importlib.util
import os
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "examples"


def run(name, *arguments):
    specification = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    module.main(list(arguments))


def test_cheap_tests_first(capsys, pyplot, tmp_path):
    run("cheap_tests_first", "--pictures", str(tmp_path))
    assert "less on tests" in capsys.readouterr().out
    assert (tmp_path / "cascade-flow.png").exists()


def test_wrapped_lightgbm(capsys):
    pytest.importorskip("lightgbm")
    run("wrapped_lightgbm")
    out = capsys.readouterr().out
    assert "learned thresholds" in out
    assert "All ten digits" in out


@pytest.mark.parametrize("growth", ["paper", "refined"])
def test_process_costs(capsys, pyplot, tmp_path, growth):
    run("process_costs", "--growth", growth, "--pictures", str(tmp_path))
    assert "Growing the network" in capsys.readouterr().out
    assert len(list(tmp_path.glob("*.png"))) == 3


def test_review_desk(capsys, pyplot, tmp_path):
    run("review_desk", "--pictures", str(tmp_path))
    out = capsys.readouterr().out
    assert "The first case of Dr Okafor" in out
    assert "no sign of a change" in out
    assert len(list(tmp_path.glob("*.png"))) == 2


def test_credit_triage_without_data(capsys, tmp_path):
    run("credit_triage", "--data-dir", str(tmp_path))
    assert "TRISECT_DATA" in capsys.readouterr().err


@pytest.mark.data
def test_credit_triage(capsys, pyplot, tmp_path):
    folder = os.environ.get("TRISECT_DATA", str(FOLDER.parents[1] / "shared" / "data"))
    if not (Path(folder) / "DCC.parquet").exists():
        pytest.skip("no development datasets")
    run("credit_triage", "--data-dir", folder, "--rows", "4000", "--pictures", str(tmp_path))
    assert "costs of each client" in capsys.readouterr().out
    assert len(list(tmp_path.glob("*.png"))) == 2
