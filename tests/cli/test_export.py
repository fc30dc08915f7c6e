import subprocess
import sys

import pytest
from sklearn.datasets import load_breast_cancer

from trisect import SFNNClassifier, save_model
from trisect.cli import main
from trisect.exports import to_python


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = SFNNClassifier(2, random_state=0).fit(X.iloc[:, :3], y)
    path = tmp_path_factory.mktemp("export") / "model.json"
    save_model(model, path)
    return path


@pytest.mark.parametrize(
    ("target", "sign"),
    [("c", b"int trisect_score("), ("javascript", b"function score("), ("python", b"def score(")],
)
def test_a_model_file_becomes_code(model, tmp_path, target, sign):
    path = tmp_path / "code"
    assert main(["export", str(model), "--to", target, "-o", str(path)]) == 0
    assert sign in path.read_bytes()


def test_sql_names_the_table_and_what_to_keep(model, tmp_path):
    pytest.importorskip("sqlglot")
    path = tmp_path / "decide.sql"
    words = [
        "--to",
        "sql",
        "--dialect",
        "postgresql",
        "--table",
        "shop.clients",
        "--keep",
        "client",
        "branch",
    ]
    assert main(["export", str(model), *words, "-o", str(path)]) == 0
    query = path.read_text()
    assert 'FROM "shop"."clients"' in query
    assert 'k0 AS "client"' in query and 'k1 AS "branch"' in query


def test_onnx_is_written_as_bytes(model, tmp_path):
    onnx = pytest.importorskip("onnx")
    path = tmp_path / "model.onnx"
    assert main(["export", str(model), "--to", "onnx", "-o", str(path)]) == 0
    assert onnx.load(path).graph.input[0].name == "features"


def test_standard_output_holds_the_code_alone(model):
    command = [sys.executable, "-m", "trisect.cli", "export", str(model), "--to", "python"]
    done = subprocess.run(command, capture_output=True, check=True)
    compile(done.stdout, "score.py", "exec")
    assert b"bytes" in done.stderr


def test_options_of_sql_are_refused_elsewhere(model, tmp_path, capsys):
    path = tmp_path / "score.py"
    words = ["--to", "python", "--dialect", "duckdb", "-o", str(path)]
    assert main(["export", str(model), *words]) == 2
    assert "--dialect is for --to sql" in capsys.readouterr().err
    assert not path.exists()


def test_a_model_that_is_none_leaves_no_file(tmp_path, capsys):
    broken = tmp_path / "model.json"
    broken.write_text("{}")
    assert main(["export", str(broken), "--to", "c", "-o", str(tmp_path / "score.c")]) == 2
    assert not (tmp_path / "score.c").exists()


def test_missing_packages_are_named(model, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "sqlglot", None)
    monkeypatch.setitem(sys.modules, "onnx", None)
    for target in ("sql", "onnx"):
        assert main(["export", str(model), "--to", target]) == 2
        assert "pip install 'trisect[exports]'" in capsys.readouterr().err


def test_an_estimator_is_exported_without_a_file():
    X, y = load_breast_cancer(return_X_y=True)
    assert "def score(row)" in to_python(SFNNClassifier(1, random_state=0).fit(X, y))
