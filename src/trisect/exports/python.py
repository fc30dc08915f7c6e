"""Python without imports."""

from dataclasses import asdict
from importlib.resources import files
from pprint import pformat
from typing import Any

from trisect.exports.recipe import MarginRule, recipe_of

__all__ = ["to_python"]

_MARGIN = '''\
def score(row):
    """Return the probability of the positive class, and the decision."""
    rule = MODEL["rule"]
    margin = rule["bias"] + sum([w * a for w, a in zip(rule["weights"], nodes(row))])
    probability = sigmoid(margin)
    if probability >= rule["alpha"]:
        decision = "accept"
    else:
        decision = "reject" if probability <= rule["beta"] else "defer"
    return {"probability": probability, "decision": decision}
'''
_CLASSES = '''\
def score(row):
    """Return the probability of each class, the decision, and the class that is accepted."""
    rule, hidden = MODEL["rule"], nodes(row)
    logits = [
        bias + sum([w * a for w, a in zip(weights, hidden)])
        for weights, bias in zip(rule["weights"], rule["biases"])
    ]
    shares = [exp(logit - max(logits)) for logit in logits]
    probabilities = [share / sum(shares) for share in shares]
    expected = [sum([c * p for c, p in zip(costs, probabilities)]) for costs in rule["costs"]]
    least = min(expected)
    defers = rule["defer"] < least
    return {
        "probabilities": dict(zip(rule["labels"], probabilities)),
        "decision": "defer" if defers else "accept",
        "accepted": None if defers else rule["labels"][expected.index(least)],
    }
'''


def to_python(model: Any) -> str:
    """Write a model as Python code that imports nothing.

    Parameters
    ----------
    model : estimator or dict
        A fitted model that a model file can hold, a loaded one, or its document.

    Returns
    -------
    str
        A module with a function ``score``, which takes a dictionary of raw cells.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from trisect import STWDSFNNClassifier
    >>> from trisect.exports import to_python
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = STWDSFNNClassifier(random_state=0).fit(X, y)
    >>> module = {}
    >>> exec(to_python(model), module)
    >>> found = module["score"]({f"x{i}": cell for i, cell in enumerate(X[0])})
    >>> bool(abs(found["probability"] - model.predict_proba(X[:1])[0, 1]) < 1e-5)
    True
    """
    recipe = recipe_of(model)
    two = isinstance(recipe.rule, MarginRule)
    template = files("trisect.exports").joinpath("templates/score.py.tmpl").read_text("utf-8")
    content = pformat(asdict(recipe), width=100, compact=True, sort_dicts=False)
    # The model comes last: whatever texts it holds, none of them is taken for a placeholder.
    return template.replace("@SCORE@\n", _MARGIN if two else _CLASSES).replace("@MODEL@", content)
