"""Where the parts of a document are found in the estimators that can be saved."""

import json
from typing import Any, NamedTuple

import trisect
from trisect.decisions import Costs, default_costs
from trisect.model_file.document import Thresholds, TrainingSummary

__all__ = ["Parts", "parts_of"]


class Parts(NamedTuple):
    """What a document is made of."""

    columns: list[dict[str, Any]] | list[str]
    network: Any
    """The estimator that holds the network and its scaling."""
    read_outs: Any
    positive: Any
    costs: Any
    thresholds: Thresholds | None
    training: TrainingSummary


def parts_of(model: Any) -> Parts:
    """Take a fitted estimator apart.

    Parameters
    ----------
    model : estimator
        See `trisect.model_file.to_document`.

    Returns
    -------
    Parts

    Raises
    ------
    TypeError
        If there is something inside that a document cannot hold.
    """
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(model)
    encoder, decider = _behind_encoder(model)
    # A wrapper decides with costs of its own, at once and not level by level.
    wraps = hasattr(decider, "estimator_")
    network = decider.estimator_ if wraps else decider
    if not (hasattr(network, "network_") and hasattr(network, "scaling_")):
        raise _foreign(network)
    n_classes = len(network.classes_)
    costs = getattr(decider, "costs_", None) or default_costs(n_classes)
    return Parts(
        columns=_columns(encoder, network),
        network=network,
        read_outs=None if wraps else getattr(network, "read_outs_", None),
        positive=getattr(decider, "pos_label_", network.classes_[-1]),
        costs=costs,
        thresholds=_thresholds(costs, getattr(decider, "thresholds_", None)),
        training=_training(network),
    )


def _behind_encoder(model: Any) -> tuple[Any, Any]:
    """Return the encoder of raw tables, or None, and the classifier behind it."""
    if hasattr(model, "encoder_"):
        return model.encoder_, model.estimator_
    steps = getattr(model, "steps", None)
    if steps is None:
        return None, model
    *before, (_, decider) = [step for step in steps if step[1] not in (None, "passthrough")]
    if len(before) > 1 or (before and not hasattr(before[0][1], "columns_")):
        names = ", ".join(type(step).__name__ for _, step in before)
        raise TypeError(
            f"A model file holds the steps of a TableEncoder, but not those of {names}: fit a "
            "TableClassifier on the raw table instead."
        )
    return (before[0][1] if before else None), decider


def _foreign(classifier: Any) -> TypeError:
    name = type(classifier).__name__
    if hasattr(classifier, "calibrated_classifiers_"):
        return TypeError(
            "A model file holds a network and thresholds, but no calibration: fit with "
            "calibration=None, and with thresholds='learned' if the probabilities are off."
        )
    return TypeError(
        f"A model file holds networks of this library, not {name}: save the classifier in its own "
        "format and its thresholds beside it, or fit STWDSFNNClassifier and save that."
    )


def _columns(encoder: Any, network: Any) -> list[dict[str, Any]] | list[str]:
    if encoder is not None:
        # Tuples become lists, as they are when the document is read again.
        return json.loads(json.dumps([column.to_dict() for column in encoder.columns_]))
    names = getattr(network, "feature_names_in_", None)
    if names is None:
        return [f"x{i}" for i in range(network.n_features_in_)]
    return [str(name) for name in names]


def _thresholds(costs: Any, learned: Any) -> Thresholds | None:
    if not isinstance(costs, Costs):
        return None
    alpha, beta = costs.thresholds if learned is None else (learned.alpha, learned.beta)
    return {
        "alpha": float(alpha),
        "beta": float(beta),
        "gamma": float(costs.mean().gamma),
        "learned": learned is not None,
    }


def _training(network: Any) -> TrainingSummary:
    levels = getattr(network, "levels_", ())
    settled = getattr(network, "settlement_", None)
    seed = getattr(network, "random_state", None)
    return {
        "library": trisect.__version__,
        "estimator": type(network).__name__,
        "target": None,
        "rows": None if settled is None else len(settled.levels),
        "seed": seed if isinstance(seed, int) else None,
        "validation_scores": [float(level.validation_score) for level in levels],
        "kept_level": network.best_level_ + 1 if levels else None,
    }
