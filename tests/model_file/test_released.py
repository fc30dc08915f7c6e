"""Files of every released version load, and say what they said then."""

import json
from pathlib import Path

import numpy as np
import pytest

import trisect
from trisect.runtime import load_model

FOLDER = Path(__file__).parent / "released"
FILES = sorted(FOLDER.glob("*/*.model.json"))


def test_there_are_files_of_this_version():
    assert any(path.parent.name == trisect.__version__ for path in FILES)


@pytest.mark.filterwarnings("ignore::trisect.tables.report.TableWarning")
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_released_file(path):
    says = json.loads(path.with_name(path.name.replace(".model.", ".says.")).read_text())
    rows = says["rows"] if isinstance(says["rows"], dict) else np.array(says["rows"])
    model = load_model(path)
    assert model.predict_proba(rows).tolist() == says["probabilities"]
    assert model.decide(rows).tolist() == says["decisions"]
    if "levels" in says:
        assert model.decide_sequentially(rows).levels.tolist() == says["levels"]
