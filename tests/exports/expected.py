"""What exports have to say: a document, evaluated by NumPy in double precision."""

import numpy as np

ACTIVATIONS = {
    "relu": lambda z: np.maximum(z, 0),
    "leaky_relu": lambda z: np.where(z > 0, z, 0.01 * z),
    "selu": lambda z: (
        1.0507009873554805 * np.where(z > 0, z, 1.6732632423543772 * np.expm1(np.minimum(z, 0)))
    ),
    "tanh": np.tanh,
    "sigmoid": lambda z: 0.5 + 0.5 * np.tanh(z / 2),
    "swish": lambda z: z * (0.5 + 0.5 * np.tanh(z / 2)),
}


def reference(document, features):
    """Evaluate a document in double precision, from the features on: class probabilities."""
    network = document["network"]
    z = np.repeat(np.array(network["biases"])[:, None], len(features), axis=1)
    lines = []
    for line in document["inputs"]["straight"]:
        x = features[:, line["feature"]]
        if "knots" in line:
            lines.append(np.interp(x, line["knots"], line["values"]))
        else:
            with np.errstate(over="ignore"):
                scaled = (x - line["center"]) * line["factor"]
            lines.append(np.clip(scaled, -line["limit"], line["limit"]))
    if lines:
        z += np.array(network["weights"]) @ np.array(lines)
    for position, curves in zip(document["inputs"]["positions"], network["curves"], strict=True):
        x = features[:, position["feature"]]
        z += np.array([np.interp(x, position["knots"], curve) for curve in curves])
    hidden = ACTIVATIONS[network["activation"]](z)
    outputs = document["outputs"]
    logits = np.array(outputs["weights"]).T @ hidden + np.array(outputs["biases"])[:, None]
    shares = np.exp(logits - logits.max(axis=0))
    return (shares / shares.sum(axis=0)).T


def decisions(document, probabilities):
    """Decide from class probabilities: texts, and the accepted class of more than two."""
    labels = document["classes"]["labels"]
    if document["thresholds"]:
        p = probabilities[:, labels.index(document["positive"])]
        rejects = np.where(p <= document["thresholds"]["beta"], "reject", "defer")
        return np.where(p >= document["thresholds"]["alpha"], "accept", rejects)
    expected = probabilities @ np.array(document["costs"]["confusion"])
    return np.where(expected.min(axis=1) <= document["costs"]["defer"], "accept", "defer")


def accepted(document, probabilities):
    """The accepted class of more than two, as a text, or None."""
    if document["thresholds"]:
        return None
    labels = np.array(document["classes"]["labels"])
    expected = probabilities @ np.array(document["costs"]["confusion"])
    best = labels[expected.argmin(axis=1)].astype(str).tolist()
    defers = expected.min(axis=1) > document["costs"]["defer"]
    return [None if deferred else label for label, deferred in zip(best, defers, strict=True)]
