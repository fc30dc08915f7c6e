import numpy as np
import pytest
from engines import in_python

from trisect.exports import to_python
from trisect.exports.recipe import recipe_of
from trisect.tables import DateColumn, NumberColumn
from trisect.tables.cells import Texts


def module_of(document):
    module = {}
    exec(to_python(document), module)
    return module


def test_an_isolated_python_agrees_to_twelve_digits(any_case, compare):
    compare(any_case, in_python(any_case.document, any_case.frame), 1e-12)


@pytest.mark.parametrize("activation", ["relu", "leaky_relu", "selu", "tanh", "sigmoid", "swish"])
def test_every_activation(raw_case, with_activation, compare, activation):
    case = with_activation(raw_case, activation)
    compare(case, in_python(case.document, case.frame), 1e-12)


@pytest.mark.parametrize(
    "form", ["iso", "%d.%m.%Y", "%d%m%Y %H:%M:%S", "%d-%b-%y", "%m/%d/%Y %I:%M %p"]
)
def test_dates_are_read_as_the_encoder_reads_them(form, date_texts, constant_document):
    texts = date_texts[form]
    parts = ("days", "month", "day", "weekday", "hour")
    column = DateColumn("d", form, "2020-01-01T12:00:00", parts, (1.0, 2.0, 3.0, 4.0, 5.0), True)
    document = constant_document([column.to_dict()], 6)
    read = module_of(document)["date"]
    [plain] = recipe_of(document).columns
    expected = column.encode(Texts.of(texts, len(texts))).numbers
    np.testing.assert_allclose([read(plain, text) for text in texts], expected, rtol=1e-15)


@pytest.mark.parametrize("decimal", [".", ","])
def test_numbers_are_read_as_the_encoder_reads_them(decimal, amounts, constant_document):
    column = NumberColumn("n", -1.0, True, decimal)
    document = constant_document([column.to_dict()], 2)
    read = module_of(document)["READERS"]["number"]
    [plain] = recipe_of(document).columns
    expected = column.encode(Texts.of(amounts, len(amounts))).numbers
    assert [read(plain, text) for text in amounts] == expected.tolist()
    assert 300 < expected[:, 1].sum() < len(amounts) - 300


@pytest.mark.parametrize("cell", [None, "x", float("nan"), float("inf"), "1_000", True])
def test_a_plain_column_refuses_what_is_no_finite_number(cell, constant_document):
    score = module_of(constant_document(["age"], 1))["score"]
    with pytest.raises(ValueError, match="'age' must be a finite number"):
        score({"age": cell})


def test_a_row_that_lacks_a_column_is_refused_by_name(constant_document):
    with pytest.raises(ValueError, match="lacks the column 'age'"):
        module_of(constant_document(["age"], 1))["score"]({})


def test_texts_of_a_model_cannot_become_code(constant_document):
    nasty = '"""\nraise SystemExit\n@SCORE@ \\ \''
    document = constant_document([nasty], 1)
    document["positive"] = document["classes"]["labels"][1] = nasty
    assert module_of(document)["score"]({nasty: 1.0})["decision"] == "defer"


def test_a_column_that_no_node_reads_is_not_asked_for(constant_document):
    indicated = NumberColumn("gaps", 0.0, True, ".").to_dict()
    document = constant_document(["age", indicated, "sum", "place"], 5)
    read = [line for line in document["inputs"]["straight"] if line["feature"] in (2, 3)]
    document["inputs"]["straight"] = read
    document["network"]["weights"] = [[0.5, 0.25]]
    document["outputs"]["weights"] = [[0.0, 1.0]]
    recipe = recipe_of(document)
    assert [column["name"] for column in recipe.columns] == ["gaps", "sum"]
    assert [line["feature"] for line in recipe.straight] == [1, 2]
    expected = 1 / (1 + np.exp(-np.tanh(0.5 * 1 + 0.25 * 3)))
    found = module_of(document)["score"]({"gaps": None, "sum": 3})
    assert found["probability"] == pytest.approx(expected, rel=1e-12)
    assert recipe_of(document, every_column=True).n_features == 5
