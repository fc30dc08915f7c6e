import json
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest
from engines import in_node

from trisect.exports import to_javascript
from trisect.tables import DateColumn
from trisect.tables.cells import Texts

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def test_node_agrees_to_nine_digits(any_case, compare):
    compare(any_case, in_node(any_case.document, any_case.frame), 1e-9)


@pytest.mark.parametrize("activation", ["relu", "leaky_relu", "selu", "tanh", "sigmoid", "swish"])
def test_every_activation(raw_case, with_activation, compare, activation):
    case = with_activation(raw_case, activation)
    compare(case, in_node(case.document, case.frame), 1e-9)


@pytest.mark.parametrize("form", ["iso", "%d.%m.%Y", "%d%m%Y %H:%M:%S"])
def test_dates_are_read_as_the_encoder_reads_them(form, date_texts, constant_document, tmp_path):
    texts = date_texts[form]
    parts = ("days", "month", "day", "weekday", "hour")
    column = DateColumn("d", form, "2020-01-01T12:00:00", parts, (1.0, 2.0, 3.0, 4.0, 5.0), True)
    document = constant_document([column.to_dict()], 6)
    tmp_path.joinpath("score.js").write_text(
        to_javascript(document) + "\nmodule.exports = READERS.date.bind(null, MODEL.columns[0]);"
    )
    run = (
        "const read = require(process.argv[1] + '/score.js');"
        "console.log(JSON.stringify(JSON.parse(process.argv[2]).map((text) => read(text))));"
    )
    command = ["node", "-e", run, str(tmp_path), json.dumps(texts)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    expected = column.encode(Texts.of(texts, len(texts))).numbers
    np.testing.assert_allclose(json.loads(done.stdout), expected, rtol=1e-15)


def test_texts_of_a_model_cannot_become_code(constant_document):
    nasty = '</script>"; process.exit(1); // @SCORE@ \u2028 \\'
    document = constant_document([nasty], 1)
    assert "</script>" not in to_javascript(document)
    found = in_node(document, pd.DataFrame({nasty: [1.0]}))
    assert (found.probabilities, found.decisions) == ([0.5], ["defer"])
