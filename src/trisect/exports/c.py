"""C99 without allocation and without a library."""

import re
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

from trisect.exports.recipe import ClassRule, MarginRule, Recipe, recipe_of
from trisect.network.activations import LEAK, SELU_ALPHA, SELU_SCALE
from trisect.tables.dates import PARTS

__all__ = ["to_c"]

_ACTIVATIONS = {
    "relu": "z > 0.0 ? z : 0.0",
    "leaky_relu": f"z > 0.0 ? z : {LEAK!r} * z",
    "selu": f"{SELU_SCALE!r} * (z > 0.0 ? z : {SELU_ALPHA!r} * (exponential(z) - 1.0))",
    "tanh": "1.0 - 2.0 / (exponential(2.0 * z) + 1.0)",
    "sigmoid": "sigmoid(z)",
    "swish": "z * sigmoid(z)",
}


def to_c(model: Any) -> str:
    """Write a model as C99, for devices and for programs in other languages.

    Curves are stored in single precision, all else is in double. Nothing is
    allocated, and nothing is included.

    Parameters
    ----------
    model : estimator or dict
        A fitted model that a model file can hold, a loaded one, or its document.

    Returns
    -------
    str
        A source file with a function ``trisect_score``, which takes a struct with a field for
        each raw column.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from trisect import STWDSFNNClassifier
    >>> from trisect.exports import to_c
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = STWDSFNNClassifier(random_state=0).fit(X, y)
    >>> "int trisect_score(const trisect_row *row, trisect_result *result)" in to_c(model)
    True
    """
    recipe = recipe_of(model)
    fields = field_names(recipe)
    tables, features = _features(recipe, fields)
    replaced = {
        "FIELDS": "\n".join(_field(c, f) for c, f in zip(recipe.columns, fields, strict=True)),
        "RESULTS": _results(recipe.rule),
        "N_FEATURES": str(recipe.n_features),
        "N_STRAIGHT": str(len(recipe.straight)),
        "N_POSITIONS": str(len(recipe.positions)),
        "N_NODES": str(len(recipe.biases)),
        "TABLES": "\n\n".join([*tables, *_tables(recipe)]),
        "ACTIVATION": _ACTIVATIONS[recipe.activation],
        "FEATURES": "\n".join(features),
        "SCORE": _margin(recipe.rule)
        if isinstance(recipe.rule, MarginRule)
        else _classes(recipe.rule),
    }
    template = files("trisect.exports").joinpath("templates/score.c.tmpl").read_text("utf-8")
    return re.sub("@([A-Z_]+)@", lambda found: replaced[found[1]], template)


def field_names(recipe: Recipe) -> list[str]:
    """Name a field of the struct for each column: its name as far as C can spell it."""
    names: list[str] = []
    for i, column in enumerate(recipe.columns):
        name = re.sub("[^a-z0-9]+", "_", column["name"].lower()).strip("_")[:40]
        # A number behind a name that C reserves, repeats or cannot begin with.
        usable = re.match("[a-z]", name) and name not in names and name not in _KEYWORDS
        names.append(name if usable else f"column_{i}")
    return names


_KEYWORDS = frozenset(
    [
        "auto",
        "break",
        "case",
        "char",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "float",
        "for",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "register",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "typedef",
        "union",
        "unsigned",
        "void",
        "volatile",
        "while",
        "asm",
        "typeof",
        "bool",
        "true",
        "false",
        "class",
        "new",
        "delete",
        "this",
    ]
)


def _field(column: dict[str, Any], field: str) -> str:
    text = column["kind"] in ("category", "evidence")
    name = re.sub(r"[^ -~]|\\|\*/|\?\?", "_", column["name"])
    return f"  {'const char *' if text else 'double '}{field}; /* {column['kind']}: {name} */"


def _results(rule: MarginRule | ClassRule) -> str:
    if isinstance(rule, MarginRule):
        return (
            "  double probability; /* of the positive class */\n"
            "  int decision;       /* 1 accepts, 0 defers, -1 rejects */"
        )
    return (
        f"  double probabilities[{len(rule.labels)}];\n"
        "  int decision; /* 1 accepts, 0 defers */\n"
        "  int accepted; /* number of the class that is accepted, or -1 */"
    )


def _features(recipe: Recipe, fields: list[str]) -> tuple[list[str], list[str]]:
    """Write the tables of categories, and the code that reads each column."""
    tables, code = [], []
    for i, (column, field) in enumerate(zip(recipe.columns, fields, strict=True)):
        cell, kind = f"row->{field}", column["kind"]
        if kind == "plain":
            code += [f"  if (!finite_number({cell})) return -1;", f"  *x++ = {cell};"]
        elif kind in ("number", "flag"):
            known = (
                f"finite_number({cell})" if kind == "number" else f"{cell} == 1.0 || {cell} == 0.0"
            )
            fill, indicator = column["fill"], int(column["indicator"])
            code.append(f"  x = filled(x, {cell}, !({known}), {fill!r}, {indicator});")
        elif kind == "category":
            places = column["places"]
            tables.append(_entries(f"PLACES_{i}", places))
            found = f"place_of({cell}, PLACES_{i}, {len(places)}, {column['unknown']})"
            code.append(f"  x = one_of(x, {found}, {column['size']});")
        elif kind == "evidence":
            values, missing = column["values"], column["missing"]
            tables.append(_entries(f"PLACES_{i}", {text: k for k, text in enumerate(values)}))
            flat = [number for row in [*values.values(), missing] for number in row]
            tables.append(_array("double", f"EVIDENCE_{i}", flat))
            found = f"place_of({cell}, PLACES_{i}, {len(values)}, {len(values)})"
            n = len(missing)
            code += [
                f"  {{ int k; const double *e = EVIDENCE_{i} + {n} * {found};",
                f"    for (k = 0; k < {n}; k++) *x++ = e[k]; }}",
            ]
        else:
            code += _date(column, cell)
    return tables, code


def _date(column: dict[str, Any], cell: str) -> list[str]:
    first = column["first"] / 1e6
    code = [f"  {{ double parts[5]; const int there = date_parts({cell}, {first!r}, parts);"]
    for part, fill in zip(column["parts"], column["fill"], strict=True):
        code.append(f"    *x++ = there ? parts[{PARTS.index(part)}] : {fill!r};")
    if column["indicator"]:
        code.append("    *x++ = there ? 0.0 : 1.0;")
    return [*code, "  }"]


def _tables(recipe: Recipe) -> list[str]:
    """Write the numbers of the inputs and nodes."""
    knots: list[float] = []
    values: list[float] = []
    lines, positions = [], []
    for line in recipe.straight:
        if "knots" in line:
            lines.append(
                f"{{{line['feature']}, {len(knots)}, {len(line['knots'])}, 0.0, 0.0, 0.0}}"
            )
            knots += line["knots"]
            values += line["values"]
        else:
            numbers = ", ".join(repr(line[name]) for name in ("center", "factor", "limit"))
            lines.append(f"{{{line['feature']}, 0, 0, {numbers}}}")
    for position in recipe.positions:
        positions.append(f"{{{position['feature']}, {len(knots)}, {len(position['knots'])}}}")
        knots += position["knots"]
    weights = [w for of_input in zip(*recipe.weights, strict=True) for w in of_input]
    curves = [v for nodes in recipe.curves for curve in nodes for v in curve]
    return [
        _array("double", "KNOTS", knots),
        _array("double", "VALUES", values),
        _array("line", "STRAIGHT", lines or ["{0, 0, 0, 0.0, 0.0, 0.0}"]),
        _array("position", "POSITIONS", positions or ["{0, 0, 0}"]),
        _array("double", "WEIGHTS", weights),
        _array("double", "BIASES", recipe.biases),
        _array("float", "CURVES", curves),
    ]


def _entries(name: str, places: dict[str, int]) -> str:
    """Write texts with their places, in the order of their bytes."""
    ordered = sorted(places.items(), key=lambda item: item[0].encode())
    return _array("entry", name, [f"{{{_text(text)}, {place}}}" for text, place in ordered])


def _text(text: str) -> str:
    """Write a text with an octal code for each byte that is not a letter, digit or space."""
    plain = re.compile(r"[A-Za-z0-9 ]")
    return '"' + "".join(
        chr(byte) if plain.match(chr(byte)) and byte < 128 else f"\\{byte:03o}"
        for byte in text.encode()
    ) + '"'  # fmt: skip


def _array(kind: str, name: str, items: Iterable[Any]) -> str:
    suffix = "f" if kind == "float" else ""
    written = [item if isinstance(item, str) else f"{item!r}{suffix}" for item in items]
    # C has no empty arrays.
    written = written or ["0"]
    lines, line = [], " "
    for item in written:
        if len(line) + len(item) > 98:
            lines.append(line)
            line = " "
        line += f" {item},"
    return f"static const {kind} {name}[] = {{\n" + "\n".join([*lines, line]) + "\n};"


def _margin(rule: MarginRule) -> str:
    weights = ", ".join(map(repr, rule.weights))
    return f"""\
  {{
    static const double outputs[] = {{{weights}}};
    double margin = {rule.bias!r};
    for (i = 0; i < N_NODES; i++) margin += outputs[i] * z[i];
    result->probability = sigmoid(margin);
    result->decision = result->probability >= {rule.alpha!r}
      ? 1 : result->probability <= {rule.beta!r} ? -1 : 0;
  }}"""


def _classes(rule: ClassRule) -> str:
    n = len(rule.labels)
    outputs = ", ".join(repr(w) for of_class in rule.weights for w in of_class)
    costs = ", ".join(repr(cost) for of_class in rule.costs for cost in of_class)
    biases = ", ".join(map(repr, rule.biases))
    return f"""\
  {{
    static const double outputs[] = {{{outputs}}}, biases[] = {{{biases}}};
    static const double costs[] = {{{costs}}};
    double *p = result->probabilities, highest, total = 0.0, least = {rule.defer!r};
    for (j = 0; j < {n}; j++) {{
      p[j] = biases[j];
      for (i = 0; i < N_NODES; i++) p[j] += outputs[j * N_NODES + i] * z[i];
    }}
    highest = p[0];
    for (j = 1; j < {n}; j++) highest = p[j] > highest ? p[j] : highest;
    for (j = 0; j < {n}; j++) total += p[j] = exponential(p[j] - highest);
    for (j = 0; j < {n}; j++) p[j] /= total;
    result->accepted = -1;
    for (j = {n} - 1; j >= 0; j--) {{
      double cost = 0.0;
      for (i = 0; i < {n}; i++) cost += costs[j * {n} + i] * p[i];
      if (cost <= least) {{ least = cost; result->accepted = j; }}
    }}
    result->decision = result->accepted >= 0;
  }}"""
