"""A saved model is the fitted one, bit for bit, and is there whole or not at all."""

import json
import warnings

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from small_models import COSTS, fitted, network, numbers, table

import trisect
from trisect import SequentialThreeWayClassifier, TableClassifier, ThreeWayClassifier
from trisect.model_file import (
    document_bytes,
    parse_document,
    read_document,
    save_model,
    to_document,
)
from trisect.runtime import load_model
from trisect.tables import TableWarning

pytestmark = pytest.mark.filterwarnings("ignore::trisect.tables.report.TableWarning")


@pytest.fixture
def pair(saved, tmp_path):
    """A fitted model, the one that was loaded from its file, and rows."""
    model, X = saved
    save_model(model, tmp_path / "model.json")
    return model, load_model(tmp_path / "model.json"), X


def test_probabilities_are_the_same_in_every_bit(pair):
    model, loaded, X = pair
    expected = model.predict_proba(X)
    assert loaded.predict_proba(X).tobytes() == expected.tobytes()
    assert loaded.predict(X).tolist() == model.predict(X).tolist()


def test_decisions_are_the_same(pair):
    model, loaded, X = pair
    # A network of fixed size decides with the default costs when it is loaded.
    if isinstance(model, trisect.SFNNClassifier):
        model = ThreeWayClassifier(model).fit(*numbers())
    assert loaded.decide(X).tolist() == trisect.decide(model, X).tolist()


@pytest.mark.parametrize("final", ["defer", "decide"])
@pytest.mark.parametrize("costs", [None, COSTS, [[0, 0.1, 1], [1, 0.1, 0]]])
@pytest.mark.parametrize("name", ["curves", "linear", "quantile", "table"])
def test_walks_are_the_same(name, costs, final, tmp_path):
    model, X = fitted(name)
    save_model(model, tmp_path / "model.json")
    ours = load_model(tmp_path / "model.json").decide_sequentially(X, costs, final=final)
    theirs = model.decide_sequentially(X, costs, final=final)
    for part in ("regions", "levels", "probabilities"):
        assert getattr(ours, part).tolist() == getattr(theirs, part).tolist()


def test_compiled_code_gives_the_same_bits(pair):
    _, loaded, X = pair
    numbers = np.repeat(loaded.encode(X).numbers, 2000, axis=0)
    before = loaded.probabilities_of(numbers)
    loaded.compiled = True
    assert loaded.probabilities_of(numbers).tobytes() == before.tobytes()


def test_a_loaded_model_can_be_saved_again(pair, tmp_path):
    model, loaded, _ = pair
    save_model(loaded, tmp_path / "again.json")
    assert read_document(tmp_path / "again.json") == to_document(model)


def test_odd_cells_are_warned_of_as_by_the_estimator(tmp_path):
    model, X = fitted("table")
    save_model(model, tmp_path / "model.json")
    said = []
    for one in (model, load_model(tmp_path / "model.json")):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            one.decide(X | {"further": [0] * 150})
        said.append([(w.category, str(w.message)) for w in caught])
    assert said[0] == said[1]
    assert {category for category, _ in said[0]} == {TableWarning} and len(said[0]) == 2


def test_any_curve_is_its_values_at_the_knots(rng):
    """Whatever bends a node has, starts and rises come back with the same bits."""
    from dataclasses import replace

    from trisect.runtime.arrays import arrays_of

    model, _ = fitted("curves")
    kept = model.network_
    try:
        for _ in range(40):
            scale = 10.0 ** rng.uniform(-6, 6, size=kept.gates.bends.shape)
            bends = (rng.normal(size=scale.shape) * scale).astype(np.float32)
            model.network_ = replace(kept, gates=replace(kept.gates, bends=bends))
            nodes = model.network_.nodes
            loaded = arrays_of(parse_document(document_bytes(to_document(model)))).nodes
            for ours, theirs in zip(loaded, nodes, strict=True):
                np.testing.assert_array_equal(ours, theirs)
    finally:
        model.network_ = kept


def test_numbers_keep_their_bits_and_no_more_digits(rng):
    from trisect.model_file.document import singles

    bits = rng.integers(0, 2**32, size=20_000, dtype=np.uint32).view(np.float32)
    bits = bits[np.isfinite(bits)]
    written = json.loads(json.dumps(singles(bits)))
    assert np.array(written, dtype=np.float32).tobytes() == bits.tobytes()
    assert max(len(repr(number).lstrip("-").split("e")[0]) for number in singles(bits)) <= 20
    assert singles([0.1, -2.5]) == [0.1, -2.5]


def test_an_interrupted_save_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    model, _ = fitted("linear")
    path = tmp_path / "model.json"
    path.write_text("before")

    def interrupted(fd):
        raise KeyboardInterrupt

    monkeypatch.setattr("trisect.files.atomic.os.fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save_model(model, path)
    assert path.read_text() == "before"
    assert [p.name for p in tmp_path.iterdir() if p.name != "model.json"] == []


FOREIGN = {
    "a wrapped classifier": lambda: ThreeWayClassifier(LogisticRegression()).fit(*numbers()),
    "behind a table": lambda: TableClassifier(LogisticRegression()).fit(*table()),
    "on its own": lambda: LogisticRegression().fit(*numbers()),
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("make", FOREIGN.values(), ids=FOREIGN)
def test_foreign_classifiers_are_refused_with_a_way_out(make, tmp_path):
    with pytest.raises(TypeError, match=r"not LogisticRegression: save .* own format .*, or fit"):
        save_model(make(), tmp_path / "model.json")
    assert list(tmp_path.iterdir()) == []


def test_lightgbm_is_refused(tmp_path):
    lightgbm = pytest.importorskip("lightgbm")
    model = ThreeWayClassifier(lightgbm.LGBMClassifier(n_estimators=2, verbose=-1))
    with pytest.raises(TypeError, match="not LGBMClassifier: save the classifier in its own"):
        save_model(model.fit(*numbers()), tmp_path / "model.json")


def test_what_else_cannot_be_saved(tmp_path):
    X, y = numbers()
    calibrated = ThreeWayClassifier(network(), calibration="sigmoid", cv=2).fit(X, y)
    with pytest.raises(TypeError, match="no calibration: fit with calibration=None"):
        save_model(calibrated, tmp_path / "model.json")
    with pytest.raises(TypeError, match="not those of StandardScaler: fit a TableClassifier"):
        save_model(make_pipeline(StandardScaler(), network()).fit(X, y), tmp_path / "model.json")
    cascade = SequentialThreeWayClassifier([("cheap", network()), ("dear", network())]).fit(X, y)
    with pytest.raises(TypeError, match="not SequentialThreeWayClassifier"):
        save_model(cascade, tmp_path / "model.json")
    with pytest.raises(NotFittedError):
        save_model(network(), tmp_path / "model.json")
    mixed = np.array([1, "yes"], dtype=object)
    model = network().fit(X, y)
    model.classes_ = mixed
    with pytest.raises(TypeError, match="texts, numbers or booleans"):
        save_model(model, tmp_path / "model.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        ([False, True], "boolean"),
        ([1.0, 2.0], "number"),
        (["no", "äh"], "text"),
        ([3, 7], "integer"),
    ],
)
def test_classes_keep_their_type(labels, kind, tmp_path):
    X, y = numbers()
    model = network(max_levels=1).fit(X, np.array(labels)[y])
    save_model(model, tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    assert loaded.document["classes"] == {"type": kind, "labels": labels}
    found = loaded.predict(X[:5])
    assert found.tolist() == model.predict(X[:5]).tolist()
    assert type(found.tolist()[0]) is type(labels[0])


def test_the_training_summary(tmp_path):
    model, _ = fitted("table")
    training = to_document(model)["training"]
    network_ = model.estimator_
    assert training == {
        "library": trisect.__version__,
        "estimator": "STWDSFNNClassifier",
        "target": None,
        "rows": 400,
        "seed": 0,
        "validation_scores": [level.validation_score for level in network_.levels_],
        "kept_level": network_.best_level_ + 1,
    }


def test_costs_are_in_the_units_of_the_user():
    document = to_document(fitted("table")[0])
    assert document["costs"] == {"amounts": [[0, 1, 10], [5, 1, 0]], "unit": "EUR"}
    assert document["thresholds"]["alpha"] == pytest.approx(0.8, abs=1e-15)
    assert document["positive"] == "low"


def test_a_model_without_curves_is_small():
    model = network(scale="standard", max_levels=10).fit(*numbers())
    assert len(document_bytes(to_document(model))) < 20_000
