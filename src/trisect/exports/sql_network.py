"""From features to decisions, in SQL."""

from itertools import pairwise
from typing import Any

from trisect.exports.recipe import (
    ACCEPT,
    DEFER,
    REJECT,
    ClassRule,
    MarginRule,
    Recipe,
    features_of,
)
from trisect.exports.sql_numbers import number, text, total
from trisect.network.activations import LEAK, SELU_ALPHA, SELU_SCALE

__all__ = ["input_terms", "node_terms", "result_steps", "sum_terms"]

Terms = dict[str, str]

# exp(40) is 2e17: beyond it an activation differs from its limit by less than rounding does.
# Probabilities may be smaller than that: exp(700) is 1e304.
FAR, FARTHEST = "40e0", "700e0"


def input_terms(recipe: Recipe) -> Terms:
    """Write the straight inputs, u0, u1 and so on, and the positions, p0, p1 and so on."""
    answers = _answers(recipe)
    straight = {
        f"u{j}": _line(line, line["feature"] in answers) for j, line in enumerate(recipe.straight)
    }
    positions = {
        f"p{j}": _interpolated(
            f"f{position['feature']}",
            position["knots"],
            [float(i) for i in range(len(position["knots"]))],
        )
        for j, position in enumerate(recipe.positions)
    }
    return straight | positions


def _answers(recipe: Recipe) -> set[int]:
    """Return the features that are 0 or 1 and nothing else."""
    kinds = [
        (column["kind"], feature) for column in recipe.columns for feature in features_of(column)
    ]
    return {
        i
        for i, (kind, feature) in enumerate(kinds)
        if kind in ("category", "flag") or feature == "missing"
    }


def _line(line: dict[str, Any], is_answer: bool) -> str:
    x = f"f{line['feature']}"
    if "knots" in line:
        if is_answer and line["knots"] == [0.0, 1.0]:
            no, yes = line["values"]
            return total([number(no), f"{number(yes - no)} * {x}"])
        return _interpolated(x, line["knots"], line["values"])
    center, factor, limit = line["center"], line["factor"], line["limit"]
    # Compared before it is multiplied: some engines stop at an overflow.
    reach = limit / factor
    high, low = number(limit), number(-limit)
    return (
        f"CASE WHEN {x} >= {number(center + reach)} THEN {high} "
        f"WHEN {x} <= {number(center - reach)} THEN {low} "
        f"ELSE {_less(x, center)} * {number(factor)} END"
    )


def _less(x: str, by: float) -> str:
    return f"({total([x, number(-by)])})" if by else x


def _interpolated(x: str, knots: list[float], values: list[float]) -> str:
    if len(knots) == 1:
        return f"CASE WHEN {x} IS NOT NULL THEN {number(values[0])} END"
    cases = [f"WHEN {x} <= {number(knots[0])} THEN {number(values[0])}"]
    for (left, right), (start, end) in zip(pairwise(knots), pairwise(values), strict=True):
        slope = (end - start) / (right - left)
        rise = [f"{number(slope)} * {_less(x, left)}"] if slope else []
        here = [number(start)] if start or not rise else []
        cases.append(f"WHEN {x} < {number(right)} THEN {total([*here, *rise])}")
    # No ELSE: what is missing stays missing.
    cases.append(f"WHEN {x} >= {number(knots[-1])} THEN {number(values[-1])}")
    return f"CASE {' '.join(cases)} END"


def sum_terms(recipe: Recipe) -> Terms:
    """Write what each node adds up, z0, z1 and so on."""
    terms = {}
    for m, (weights, bias) in enumerate(zip(recipe.weights, recipe.biases, strict=True)):
        parts = [number(bias)]
        parts += [f"{number(w)} * u{j}" for j, w in enumerate(weights)]
        parts += [_curve(f"p{j}", curves[m]) for j, curves in enumerate(recipe.curves)]
        terms[f"z{m}"] = total(parts)
    return terms


def _curve(p: str, values: list[float]) -> str:
    """Write a curve as a line for each interval, which reaches from i to i + 1."""
    lines = []
    for i, (start, end) in enumerate(pairwise(values)):
        rise = end - start
        lines.append(total([number(start - i * rise), f"{number(rise)} * {p}"]))
    if len(lines) == 1:
        return lines[0]
    cases = " ".join(f"WHEN {p} < {i + 1} THEN {line}" for i, line in enumerate(lines[:-1]))
    return f"CASE {cases} ELSE {lines[-1]} END"


def node_terms(recipe: Recipe) -> Terms:
    """Write what comes out of each node, a0, a1 and so on."""
    return {
        f"a{m}": _ACTIVATIONS[recipe.activation].replace("@", f"z{m}")
        for m in range(len(recipe.biases))
    }


_ACTIVATIONS = {
    "relu": "CASE WHEN @ < 0 THEN 0e0 ELSE @ END",
    "leaky_relu": f"CASE WHEN @ < 0 THEN {number(LEAK)} * @ ELSE @ END",
    "selu": (
        f"{number(SELU_SCALE)} * CASE WHEN @ > 0 THEN @ WHEN @ < -{FAR} "
        f"THEN -{number(SELU_ALPHA)} ELSE {number(SELU_ALPHA)} * (EXP(@) - 1e0) END"
    ),
    "tanh": (
        f"CASE WHEN @ > {FAR} THEN 1e0 WHEN @ < -{FAR} THEN -1e0 "
        "ELSE 1e0 - 2e0 / (EXP(2e0 * @) + 1e0) END"
    ),
    "sigmoid": (
        f"CASE WHEN @ > {FAR} THEN 1e0 WHEN @ < -{FAR} THEN 0e0 ELSE 1e0 / (EXP(-@) + 1e0) END"
    ),
    "swish": (f"CASE WHEN @ > {FAR} THEN @ WHEN @ < -{FAR} THEN 0e0 ELSE @ / (EXP(-@) + 1e0) END"),
}


def result_steps(rule: MarginRule | ClassRule) -> tuple[list[tuple[str, Terms]], Terms]:
    """Write the steps from the nodes to the scores, and the columns that come of them."""
    return _two_classes(rule) if isinstance(rule, MarginRule) else _more_classes(rule)


def _two_classes(rule: MarginRule) -> tuple[list[tuple[str, Terms]], Terms]:
    margin = {"margin": _weighted(rule.weights, rule.bias)}
    probability = (
        f"CASE WHEN margin > {FARTHEST} THEN 1e0 WHEN margin < -{FARTHEST} THEN 0e0 "
        "ELSE 1e0 / (EXP(-margin) + 1e0) END"
    )
    decision = (
        f"CASE WHEN p >= {number(rule.alpha)} THEN '{ACCEPT}' "
        f"WHEN p <= {number(rule.beta)} THEN '{REJECT}' WHEN p IS NOT NULL THEN '{DEFER}' END"
    )
    steps = [("margins", margin), ("scores", {"p": probability})]
    return steps, {"probability": "p", "decision": decision}


def _more_classes(rule: ClassRule) -> tuple[list[tuple[str, Terms]], Terms]:
    classes = range(len(rule.labels))
    logits = {
        f"l{c}": _weighted(weights, bias)
        for c, (weights, bias) in enumerate(zip(rule.weights, rule.biases, strict=True))
    }
    passed = {name: name for name in logits}
    highest = {"highest": f"GREATEST({', '.join(logits)})"}
    shares = {
        f"s{c}": f"CASE WHEN l{c} - highest < -{FARTHEST} THEN 0e0 ELSE EXP(l{c} - highest) END"
        for c in classes
    }
    added = total([f"s{c}" for c in classes])
    probabilities = {f"p{c}": f"s{c} / ({added})" for c in classes}
    costs = {
        f"c{c}": total([f"{number(cost)} * p{true}" for true, cost in enumerate(costs) if cost])
        or "0e0"
        for c, costs in enumerate(rule.costs)
    }
    steps = [
        ("logits", logits),
        ("heights", passed | highest),
        ("shares", shares),
        ("chances", probabilities),
        ("scores", {name: name for name in probabilities} | costs),
    ]
    best = [_is_least(c, len(rule.labels), rule.defer) for c in classes]
    accepted = " ".join(
        f"WHEN {least} THEN {text(label)}" for least, label in zip(best, rule.labels, strict=True)
    )
    accepts = " OR ".join(f"c{c} <= {number(rule.defer)}" for c in classes)
    results = {_column_name(label): f"p{c}" for c, label in enumerate(rule.labels)}
    results["decision"] = (
        f"CASE WHEN {accepts} THEN '{ACCEPT}' WHEN p0 IS NOT NULL THEN '{DEFER}' END"
    )
    results["accepted"] = f"CASE {accepted} END"
    return steps, results


def _is_least(c: int, n_classes: int, defer: float) -> str:
    """Whether accepting a class costs least; of equal ones the first."""
    others = [
        f"c{c} {'<' if other < c else '<='} c{other}" for other in range(n_classes) if other != c
    ]
    return " AND ".join([*others, f"c{c} <= {number(defer)}"])


def _column_name(label: str) -> str:
    return '"' + f"probability_{label}".replace('"', '""') + '"'


def _weighted(weights: list[float], bias: float) -> str:
    return total([number(bias), *(f"{number(w)} * a{m}" for m, w in enumerate(weights))])
