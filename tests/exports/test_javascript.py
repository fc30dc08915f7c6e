import json
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest
from engines import in_node

from trisect.exports import to_javascript
from trisect.tables import DateColumn, NumberColumn
from trisect.tables.cells import Texts

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def test_node_agrees_to_nine_digits(any_case, compare):
    compare(any_case, in_node(any_case.document, any_case.frame), 1e-9)


@pytest.mark.parametrize("activation", ["relu", "leaky_relu", "selu", "tanh", "sigmoid", "swish"])
def test_every_activation(raw_case, with_activation, compare, activation):
    case = with_activation(raw_case, activation)
    compare(case, in_node(case.document, case.frame), 1e-9)


def read_in_node(document, texts, folder):
    """The numbers that the first column of a document makes of texts."""
    folder.joinpath("score.js").write_text(
        to_javascript(document)
        + "\nmodule.exports = (text) => READERS[MODEL.columns[0].kind](MODEL.columns[0], text);"
    )
    folder.joinpath("texts.json").write_text(json.dumps(texts))
    run = (
        "const read = require(process.argv[1] + '/score.js');"
        "const texts = require(process.argv[1] + '/texts.json');"
        "console.log(JSON.stringify(texts.map((text) => read(text))));"
    )
    command = ["node", "-e", run, str(folder)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize(
    "form", ["iso", "%d.%m.%Y", "%d%m%Y %H:%M:%S", "%d-%b-%y", "%m/%d/%Y %I:%M %p"]
)
def test_dates_are_read_as_the_encoder_reads_them(form, date_texts, constant_document, tmp_path):
    texts = date_texts[form]
    parts = ("days", "month", "day", "weekday", "hour")
    column = DateColumn("d", form, "2020-01-01T12:00:00", parts, (1.0, 2.0, 3.0, 4.0, 5.0), True)
    found = read_in_node(constant_document([column.to_dict()], 6), texts, tmp_path)
    expected = column.encode(Texts.of(texts, len(texts))).numbers
    np.testing.assert_allclose(found, expected, rtol=1e-15)


@pytest.mark.parametrize("decimal", [".", ","])
def test_numbers_are_read_as_the_encoder_reads_them(decimal, amounts, constant_document, tmp_path):
    column = NumberColumn("n", -1.0, True, decimal)
    found = read_in_node(constant_document([column.to_dict()], 2), amounts, tmp_path)
    assert found == column.encode(Texts.of(amounts, len(amounts))).numbers.tolist()


def test_texts_of_a_model_cannot_become_code(constant_document):
    nasty = '</script>"; process.exit(1); // @SCORE@ \u2028 \\'
    document = constant_document([nasty], 1)
    assert "</script>" not in to_javascript(document)
    found = in_node(document, pd.DataFrame({nasty: [1.0]}))
    assert (found.probabilities, found.decisions) == ([0.5], ["defer"])
