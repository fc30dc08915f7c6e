"""The published JSON schema of the document."""

from typing import Any

from trisect.model_file.document import FORMAT, VERSION

__all__ = ["SCHEMA"]

_TEXT = {"type": "string"}
_FLAG = {"type": "boolean"}
_NUMBER = {"type": "number"}
_COUNT = {"type": "integer", "minimum": 0}
_LABEL = {"type": ["string", "integer", "number", "boolean"]}


def _list(items: dict[str, Any], least: int = 0, most: int | None = None) -> dict[str, Any]:
    found = {"type": "array", "items": items, "minItems": least}
    return found if most is None else found | {"maxItems": most}


def _record(**properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _column(kind: str, **properties: dict[str, Any]) -> dict[str, Any]:
    return _record(kind={"const": kind}, name=_TEXT, **properties)


def _with_optional(record: dict[str, Any], **properties: dict[str, Any]) -> dict[str, Any]:
    """Add what need not be there."""
    return record | {"properties": record["properties"] | properties}


_NUMBERS = _list(_NUMBER)
_TABLE = _list(_NUMBERS)
_PART = {"enum": ["days", "month", "day", "weekday", "hour"]}

_COLUMNS = [
    _with_optional(_column("number", fill=_NUMBER, indicator=_FLAG), decimal={"enum": [".", ","]}),
    _column("flag", fill=_NUMBER, indicator=_FLAG),
    _column("category", base=_list(_TEXT), values=_list(_TEXT), rare=_list(_TEXT), missing=_FLAG),
    _column(
        "evidence",
        values={"type": "object", "additionalProperties": _NUMBERS},
        missing=_NUMBERS,
        classes=_list(_TEXT),
    ),
    _column("date", form=_TEXT, first=_TEXT, parts=_list(_PART), fill=_NUMBERS, indicator=_FLAG),
    _column("left out", reason=_TEXT),
]

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A fitted model of trisect",
    **_record(
        format={"const": FORMAT},
        version={"const": VERSION},
        columns={"anyOf": [_list(_TEXT, 1), _list({"anyOf": _COLUMNS}, 1)]},
        inputs=_record(
            straight=_list(
                {
                    "anyOf": [
                        _record(feature=_COUNT, center=_NUMBER, factor=_NUMBER, limit=_NUMBER),
                        _record(feature=_COUNT, knots=_list(_NUMBER, 1), values=_list(_NUMBER, 1)),
                    ]
                }
            ),
            positions=_list(_record(feature=_COUNT, knots=_list(_NUMBER, 2))),
        ),
        network=_record(
            activation={"enum": ["relu", "leaky_relu", "selu", "tanh", "sigmoid", "swish"]},
            weights=_TABLE,
            biases=_list(_NUMBER, 1),
            curves=_list(_TABLE),
        ),
        outputs=_record(weights=_TABLE, biases=_list(_NUMBER, 2)),
        read_outs={
            "anyOf": [
                {"type": "null"},
                _record(
                    weights=_TABLE,
                    biases=_NUMBERS,
                    strictness=_list(_list({"type": ["number", "null"]}, 2, 2)),
                ),
            ]
        },
        classes=_record(
            type={"enum": ["text", "integer", "number", "boolean"]}, labels=_list(_LABEL, 2)
        ),
        positive={"type": ["string", "integer", "number", "boolean", "null"]},
        costs={
            "anyOf": [
                _record(amounts=_list(_list(_NUMBER, 3, 3), 2, 2), unit=_TEXT),
                _record(confusion=_list(_NUMBERS, 3), defer=_NUMBER, unit=_TEXT),
            ]
        },
        thresholds={
            "anyOf": [
                {"type": "null"},
                _record(alpha=_NUMBER, beta=_NUMBER, gamma=_NUMBER, learned=_FLAG),
            ]
        },
        training=_record(
            library=_TEXT,
            estimator=_TEXT,
            target={"type": ["string", "null"]},
            rows={"type": ["integer", "null"], "minimum": 0},
            seed={"type": ["integer", "null"]},
            validation_scores=_NUMBERS,
            kept_level={"type": ["integer", "null"], "minimum": 1},
        ),
    ),
}
"""What a document looks like; `trisect.runtime` checks beyond it that the parts fit together."""
