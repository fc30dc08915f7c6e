"""Whatever is in a file, it is loaded whole or refused with a clear error."""

import copy
import json

import numpy as np
import pytest
from mutations import KINDS, mutated
from small_models import fitted

from trisect.model_file import (
    SCHEMA,
    ModelFileError,
    document_bytes,
    parse_document,
    read_document,
    to_document,
)
from trisect.model_file.reading import MAX_BYTES
from trisect.model_file.schema_check import check_schema
from trisect.runtime import Model

NAMES = ("curves", "linear", "table", "table of three classes")


@pytest.fixture(scope="module")
def contents():
    return [document_bytes(to_document(fitted(name)[0])) for name in NAMES]


def rows_for(model):
    """Two rows: one that is empty or zero, and one of the values that a file itself holds."""
    if isinstance(model.document["columns"][0], str):
        return np.vstack([np.zeros(len(model.column_names)), np.ones(len(model.column_names))])
    return {name: [None, "1"] for name in model.column_names}


def load_or_refuse(content):
    """Load a document and use it; returns whether it was refused."""
    try:
        document = parse_document(content)
    except ModelFileError:
        return True
    model = Model(document)
    p = model.probabilities_of(model.encode(rows_for(model)).numbers)
    assert np.isfinite(p).all() and ((p >= 0) & (p <= 1)).all()
    assert set(model.regions_of(p).tolist()) <= {-1, 0, 1}
    return False


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_damaged_documents(kind, contents, rng):
    refused = [
        load_or_refuse(KINDS[kind](contents[i % len(contents)], rng))
        for i in range(60 if kind == "nested deeply" else 200)
    ]
    assert any(refused)


@pytest.mark.slow
def test_a_hundred_thousand_damaged_documents(contents):
    rng = np.random.default_rng(1)
    refused = [load_or_refuse(mutated(contents[i % 4], rng)[0]) for i in range(100_000)]
    assert sum(refused) > 80_000


def test_undamaged_documents_are_read_as_they_were_written(saved):
    document = to_document(saved[0])
    assert parse_document(document_bytes(document)) == document


def test_the_published_schema_is_what_is_checked(saved, rng):
    """An independent implementation of JSON Schema agrees about whole and damaged documents."""
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(SCHEMA)
    validator.check_schema(SCHEMA)
    content = document_bytes(to_document(saved[0]))
    assert validator.is_valid(json.loads(content))
    kinds = ("part replaced", "part removed", "part added", "parts exchanged")
    damaged = [json.loads(KINDS[kind](content, rng)) for kind in kinds for _ in range(25)]
    verdicts = [(refusal(document), validator.is_valid(document)) for document in damaged]
    # JSON Schema knows no largest number, and takes 1.0 for an integer.
    comparable = [
        (reason == "", valid)
        for reason, valid in verdicts
        if "too large" not in reason and "whole number" not in reason
    ]
    assert len(comparable) > 50
    assert all(ours == theirs for ours, theirs in comparable)


def refusal(document):
    """Why a document does not agree with the schema, or nothing."""
    try:
        check_schema(document, SCHEMA)
    except ModelFileError as error:
        return str(error)
    return ""


def changed(name, *path_and_value):
    """The bytes of a document in which one part has another value."""
    *path, value = path_and_value
    document = copy.deepcopy(to_document(fitted(name)[0]))
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return json.dumps(document).encode()


INCONSISTENT = [
    ("curves", ("version", 2), "newer than this library, .* install a newer trisect"),
    ("curves", ("version", "1"), "version: 1 is expected, not '1'"),
    ("curves", ("format", "pickle"), "does not say that its format is 'trisect-model'"),
    ("curves", ("network", "activation", "gelu"), "network.activation: one of relu"),
    ("curves", ("network", "weights", []), r"network.weights: \d entries are expected, not 0"),
    ("curves", ("network", "biases", 0, 1e300), "network.biases: a number is too large"),
    ("curves", ("network", "biases", 0, "0"), r"network.biases\[0\]: a number is expected"),
    ("curves", ("inputs", "positions", 0, "knots", [0.0, 0.0]), "knots must rise"),
    ("curves", ("inputs", "positions", 0, "knots", [0.0, 5e-324]), "knots are too close"),
    ("curves", ("inputs", "positions", 0, "feature", 99), "there are only 4 features"),
    ("curves", ("positive", 2), "positive: it must be a label"),
    ("curves", ("positive", True), "positive: it must be a label"),
    ("curves", ("classes", "labels", [0, 0]), "a label is there twice"),
    ("curves", ("classes", "type", "text"), "they must be text"),
    ("curves", ("costs", "amounts", [[0, 1, 0], [5, 1, 0]]), "costs: "),
    ("curves", ("thresholds", "alpha", 0.9), "thresholds: not those of the costs"),
    ("curves", ("read_outs", "weights", 0, [0.0, 0.0]), r"read_outs.weights\[0\]: 1 entries"),
    ("curves", ("columns", ["a", "a", "b", "c"]), "a name is there twice"),
    ("curves", ("extra", 1), "'extra' is unknown"),
    ("linear", ("inputs", "straight", 0, "feature", 1), "linear inputs are those of all features"),
    ("linear", ("inputs", "straight", 0, "limit", 3.0), "limits must be one above zero"),
    ("three classes", ("thresholds", {"alpha": 1, "beta": 0, "gamma": 0.5, "learned": True}),
     "thresholds: they are for two classes"),
    ("three classes", ("positive", 1), "with more than two classes it must be null"),
    ("table", ("columns", 1, "values", ["nurse", "nurse"]), "a category is there twice"),
    ("table", ("columns", 1, "kind", "colour"), r"columns\[1\]: 'kind' must be one of number"),
    ("table", ("columns", 4, "first", "now"), "'first' is no date"),
    ("table", ("columns", 4, "form", "%j"), "no form of dates"),
    ("table", ("columns", 4, "fill", []), "each part needs a fill"),
    ("table", ("columns", 3, "missing", [0.0, 1.0]), "1 numbers are expected, not 2"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "change", "message"), INCONSISTENT, ids=lambda v: str(v)[:40])
def test_parts_that_do_not_fit_are_named(name, change, message):
    with pytest.raises(ModelFileError, match=message):
        parse_document(changed(name, *change))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe", "byte 0 is not UTF-8"),
        (b"[" * 1_000_000, "nested too deeply"),
        (b"1" * 10_000, "not JSON"),
        (b'{"a": 1, "a": 2}', "'a' is there twice"),
        (b'{"a": NaN}', "NaN is no number"),
        (b"[1]", "does not say"),
        (b" " * (MAX_BYTES + 1), "more than 67,108,864 bytes"),
    ],
    ids=["empty", "binary", "deep", "digits", "twice", "nan", "list", "huge"],
)
def test_what_is_no_document_at_all(content, message):
    with pytest.raises(ModelFileError, match=message):
        parse_document(content)


def test_knots_that_would_fill_the_memory_are_refused():
    document = copy.deepcopy(to_document(fitted("curves")[0]))
    positions, curves = document["inputs"]["positions"], document["network"]["curves"]
    n_nodes = len(document["network"]["biases"])
    long = np.arange(200_000.0).tolist()
    positions.append({"feature": 0, "knots": long})
    curves.append([long] * n_nodes)
    for _ in range(100):
        positions.append({"feature": 0, "knots": [0.0, 1.0]})
        curves.append([[0.0, 1.0]] * n_nodes)
    with pytest.raises(ModelFileError, match="there are too many knots"):
        parse_document(json.dumps(document).encode())


def test_errors_name_the_file(tmp_path):
    path = tmp_path / "model.json"
    path.write_text('{"format": "trisect-model"}')
    with pytest.raises(ModelFileError, match=r"model.json is no model file .*: 'version' is miss"):
        read_document(path)
    with pytest.raises(FileNotFoundError):
        read_document(tmp_path / "nowhere.json")
