"""JavaScript without dependencies."""

import json
from dataclasses import asdict
from importlib.resources import files
from typing import Any

from trisect.exports.recipe import MarginRule, Recipe, recipe_of
from trisect.tables.cells import ISO, pattern_of

__all__ = ["to_javascript"]

_MARGIN = """\
/* The probability of the positive class, and the decision. */
function score(row) {
  const { weights, bias, alpha, beta } = MODEL.rule;
  const probability = sigmoid(dot(weights, nodes(row), bias));
  const decision = probability >= alpha ? "accept" : probability <= beta ? "reject" : "defer";
  return { probability, decision };
}
"""
_CLASSES = """\
/* The probability of each class, the decision, and the class that is accepted. */
function score(row) {
  const { weights, biases, costs, defer, labels } = MODEL.rule;
  const hidden = nodes(row);
  const logits = biases.map((bias, c) => dot(weights[c], hidden, bias));
  const shares = logits.map((logit) => exp(logit - Math.max(...logits)));
  const total = shares.reduce((sum, share) => sum + share, 0);
  const chances = shares.map((share) => share / total);
  const expected = costs.map((of_class) => dot(of_class, chances, 0));
  const least = Math.min(...expected);
  return {
    probabilities: labels.map((label, c) => [label, chances[c]]),
    decision: defer < least ? "defer" : "accept",
    accepted: defer < least ? null : labels[expected.indexOf(least)],
  };
}
"""


def to_javascript(model: Any) -> str:
    """Write a model as JavaScript, for browsers and for Node.js.

    Parameters
    ----------
    model : estimator or dict
        A fitted model that a model file can hold, a loaded one, or its document.

    Returns
    -------
    str
        A script with a function ``score``, which takes an object of raw cells. Node.js gets it
        with ``require``.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from trisect import STWDSFNNClassifier
    >>> from trisect.exports import to_javascript
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = STWDSFNNClassifier(random_state=0).fit(X, y)
    >>> "function score(row)" in to_javascript(model)
    True
    """
    recipe = recipe_of(model)
    template = files("trisect.exports").joinpath("templates/score.js.tmpl").read_text("utf-8")
    score = _MARGIN if isinstance(recipe.rule, MarginRule) else _CLASSES
    # The model comes last: whatever texts it holds, none of them is taken for a placeholder.
    # A slash is escaped so that no text can end the element of a page that holds the script.
    content = json.dumps(_content(recipe), separators=(",", ":"), allow_nan=False)
    return template.replace("@SCORE@\n", score).replace("@MODEL@", content.replace("</", "<\\/"))


def _content(recipe: Recipe) -> dict[str, Any]:
    content = asdict(recipe)
    for column in content["columns"]:
        # Lists of pairs: an object would put names such as "2" first, and has names of its own.
        for texts in ("places", "values"):
            if isinstance(column.get(texts), dict):
                column[texts] = list(column[texts].items())
        if column["kind"] == "date" and column["form"] != ISO:
            pattern = pattern_of(column["form"]).pattern.replace("(?P<", "(?<")
            column["pattern"] = f"^{pattern.replace(chr(92) + 'd', '[0-9]')}$"
    return content
