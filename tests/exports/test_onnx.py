import json

import pytest
from engines import in_onnxruntime

from trisect.exports import to_onnx

pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")


def test_onnxruntime_agrees_to_six_digits(any_case, compare):
    compare(any_case, in_onnxruntime(any_case.document, any_case.features), 1e-6)


@pytest.mark.parametrize("activation", ["relu", "leaky_relu", "selu", "tanh", "sigmoid", "swish"])
def test_every_activation(raw_case, with_activation, compare, activation):
    case = with_activation(raw_case, activation)
    compare(case, in_onnxruntime(case.document, case.features), 1e-6)


def test_the_graph_names_its_features_and_classes(raw_case, classes_case):
    session = onnxruntime.InferenceSession(to_onnx(raw_case.document))
    told = session.get_modelmeta().custom_metadata_map
    names = json.loads(told["features"])
    assert len(names) == raw_case.features.shape[1]
    assert names[0] == "amount"
    assert told["positive"] == "pays"
    session = onnxruntime.InferenceSession(to_onnx(classes_case.document))
    assert json.loads(session.get_modelmeta().custom_metadata_map["classes"]) == ["0", "1", "2"]
