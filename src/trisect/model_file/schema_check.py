"""Check plain data against a JSON schema, with NumPy alone.

Knows the part of JSON Schema that `trisect.model_file.schema` uses, so that the published
schema is what files are checked against.
"""

import math
from typing import Any, NoReturn

import numpy as np

__all__ = ["ModelFileError", "check_schema"]

LARGEST_INTEGER = 2**63 - 1
_NAMES = {str: "a text", bool: "true or false", int: "a number", float: "a number"}
_NAMES |= {list: "a list", dict: "an object", type(None): "null"}
_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


class ModelFileError(ValueError):
    """A file is no model file, or one that is damaged."""

    depth: int = 0
    """How far inside the document the mistake is."""


def check_schema(value: Any, schema: dict[str, Any], where: str = "") -> None:
    """Raise if a value is not what the schema says.

    Parameters
    ----------
    value : object
        What JSON can hold.
    schema : dict
        The schema.
    where : str
        Where the value stands in the document, for the error.

    Raises
    ------
    ModelFileError
        Says where the value is not as it should be.

    Examples
    --------
    >>> check_schema({"seed": "x"}, {"properties": {"seed": {"type": "integer"}}})
    Traceback (most recent call last):
    ...
    trisect.model_file.schema_check.ModelFileError: seed: a whole number is expected, not 'x'
    """
    if "anyOf" in schema:
        _check_any(value, schema["anyOf"], where)
    if "const" in schema and not _same(value, schema["const"]):
        _refuse(where, f"{schema['const']!r} is expected, not {_shown(value)}")
    if "enum" in schema and value not in schema["enum"]:
        choices = ", ".join(schema["enum"])
        _refuse(where, f"one of {choices} is expected, not {_shown(value)}")
    if "type" in schema:
        _check_type(value, schema["type"], where)
    if isinstance(value, list):
        _check_list(value, schema, where)
    elif isinstance(value, dict):
        _check_object(value, schema, where)
    elif type(value) is int and value < schema.get("minimum", value):
        _refuse(where, f"at least {schema['minimum']} is expected, not {value}")


def _check_any(value: Any, choices: list[dict[str, Any]], where: str) -> None:
    kinds = [choice.get("properties", {}).get("kind", {}).get("const") for choice in choices]
    if isinstance(value, dict) and all(kinds):
        kind = value.get("kind")
        if kind not in kinds:
            _refuse(where, f"'kind' must be one of {', '.join(kinds)}, not {_shown(kind)}")
        return check_schema(value, choices[kinds.index(kind)], where)
    errors = []
    for choice in choices:
        try:
            return check_schema(value, choice, where)
        except ModelFileError as error:
            errors.append(error)
    # What comes closest to the document names the mistake best.
    raise max(reversed(errors), key=lambda error: error.depth)


def _check_type(value: Any, names: str | list[str], where: str) -> None:
    wanted = [names] if isinstance(names, str) else names
    if type(value) not in {kind for name in wanted for kind in _TYPES[name]}:
        whole = {"integer": "a whole number"} if "number" not in wanted else {}
        words = dict.fromkeys(whole.get(name, _NAMES[_TYPES[name][0]]) for name in wanted)
        _refuse(where, f"{' or '.join(words)} is expected, not {_shown(value)}")
    if type(value) is float and not math.isfinite(value):
        _refuse(where, "the number is too large")
    if type(value) is int and abs(value) > LARGEST_INTEGER:
        _refuse(where, "the number is too large")


def _check_list(value: list[Any], schema: dict[str, Any], where: str) -> None:
    least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
    if not least <= len(value) <= most:
        expected = f"{least}" if least == most else f"at least {least}"
        _refuse(where, f"{expected} entries are expected, not {len(value)}")
    items = schema.get("items", {})
    if items == {"type": "number"} and _all_numbers(value):
        return
    for i, item in enumerate(value):
        check_schema(item, items, f"{where}[{i}]")


def _all_numbers(values: list[Any]) -> bool:
    """Check a list of numbers at once; False if there may be something wrong."""
    if not all(type(value) is float for value in values):
        return False
    return bool(np.isfinite(np.array(values, dtype=np.float64)).all())


def _check_object(value: dict[str, Any], schema: dict[str, Any], where: str) -> None:
    known = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            _refuse(where, f"{name!r} is missing")
    others = schema.get("additionalProperties", {})
    for name, item in value.items():
        inside = f"{where}.{name}" if where else name
        if name in known:
            check_schema(item, known[name], inside)
        elif others is False:
            _refuse(where, f"{name[:80]!r} is unknown")
        else:
            check_schema(item, others, inside)


def _same(value: Any, other: Any) -> bool:
    return type(value) is type(other) and bool(value == other)


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return "a text" if len(value) > 40 else repr(value)
    return _NAMES[type(value)]


def _refuse(where: str, problem: str) -> NoReturn:
    error = ModelFileError(f"{where[:200]}: {problem}" if where else problem)
    error.depth = where.count(".") + where.count("[")
    raise error
