import json
import shutil
import subprocess

import numpy as np
import pytest

from trisect.exports import to_javascript
from trisect.tables import DateColumn
from trisect.tables.cells import Texts

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")

RUN = """
const fs = require("fs"), { score } = require(process.argv[1] + "/score.js");
const rows = JSON.parse(fs.readFileSync(process.argv[1] + "/rows.json", "utf8"));
for (const row of rows)
  for (const name in row)
    if (row[name] === "Infinity" || row[name] === "-Infinity") row[name] = Number(row[name]);
console.log(JSON.stringify(rows.map(score)));
"""


def scored(document, records, folder):
    folder.joinpath("score.js").write_text(to_javascript(document), encoding="utf-8")
    # JSON has no word for infinity that JavaScript reads.
    rows = json.dumps(records).replace("-Infinity", '"-Infinity"').replace(" Infinity", '"Infinity"')
    folder.joinpath("rows.json").write_text(rows)
    command = ["node", "-e", RUN, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    for row in found:
        row |= {"probabilities": dict(row["probabilities"])} if "probabilities" in row else {}
    return found


def test_node_agrees_to_nine_digits(any_case, compare, tmp_path):
    compare(any_case, scored(any_case.document, any_case.records, tmp_path), 1e-9)


@pytest.mark.parametrize("activation", ["relu", "leaky_relu", "selu", "tanh", "sigmoid", "swish"])
def test_every_activation(raw_case, with_activation, compare, tmp_path, activation):
    case = with_activation(raw_case, activation)
    compare(case, scored(case.document, case.records, tmp_path), 1e-9)


@pytest.mark.parametrize("form", ["iso", "%d.%m.%Y", "%d%m%Y %H:%M:%S"])
def test_dates_are_read_as_the_encoder_reads_them(
    form, date_texts, constant_document, compare, tmp_path
):
    texts = date_texts[form]
    parts = ("days", "month", "day", "weekday", "hour")
    column = DateColumn("d", form, "2020-01-01T12:00:00", parts, (1.0, 2.0, 3.0, 4.0, 5.0), True)
    document = constant_document([column.to_dict()], 6)
    folder = tmp_path
    folder.joinpath("score.js").write_text(
        to_javascript(document) + "\nmodule.exports = READERS.date.bind(null, MODEL.columns[0]);"
    )
    run = "console.log(JSON.stringify(JSON.parse(process.argv[2]).map(require(process.argv[1] + '/score.js'))))"
    command = ["node", "-e", run, str(folder), json.dumps(texts)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    expected = column.encode(Texts.of(texts, len(texts))).numbers
    np.testing.assert_allclose(json.loads(done.stdout), expected, rtol=1e-15)


def test_texts_of_a_model_cannot_become_code(constant_document, tmp_path):
    nasty = '</script>"; process.exit(1); // @SCORE@ \u2028 \\'
    document = constant_document([nasty], 1)
    assert "</script>" not in to_javascript(document)
    assert scored(document, [{nasty: 1.0}], tmp_path) == [{"probability": 0.5, "decision": "defer"}]
