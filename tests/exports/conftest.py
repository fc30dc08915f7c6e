"""Models to export, rows to try them on, and a double-precision evaluation to compare with.

Python evaluates a network in float32. Exports evaluate the same numbers in double precision, so
that they agree with each other and with `reference` far more closely than with `predict_proba`.
"""

import copy
import shutil
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from trisect import CostMatrix, STWDSFNNClassifier, TableClassifier
from trisect.growth import RefinedGrowth
from trisect.model_file import to_document

sys.path.insert(0, str(Path(__file__).parent))
from databases import (
    mariadb_server,
    postgresql_programs,
    postgresql_server,
    spark_session,
)
from expected import accepted, decisions, reference

ROWS = 3000
# What float32 leaves of probabilities; the largest difference seen is about a tenth of it.
SINGLE = 2e-5


JOBS = ["nurse", "clerk", "cook", "it's \\ odd", "piper"]
FIRST = pd.Timestamp("2019-03-05 10:30")


def make_table(n, rng):
    """Rows of every kind of column, with gaps."""
    frame = pd.DataFrame(
        {
            "amount": np.exp(rng.normal(8, 2, n)),
            "age": rng.integers(18, 90, n).astype(float),
            "visits": rng.poisson(1.2, n).astype(float),
            "member": rng.choice([True, False], n),
            "job": rng.choice(JOBS, n, p=[0.4, 0.3, 0.2, 0.08, 0.02]),
            "town": [f"town {i}" for i in rng.zipf(1.4, n) % 60],
            "since": FIRST + pd.to_timedelta(rng.integers(0, 4e6, n), "min"),
        }
    )  # fmt: skip
    logit = (
        np.sin(np.log(frame.amount) * 2)
        + (frame.age > 60)
        + 0.8 * (frame.job == "nurse")
        - 0.5 * frame.member
        + 0.1 * frame.since.dt.month
        - 1
    )
    frame = frame.astype({"member": object, "job": object, "town": object})
    for column, share in (
        ("amount", 0.1),
        ("member", 0.05),
        ("job", 0.1),
        ("town", 0.05),
        ("since", 0.1),
    ):
        frame.loc[rng.random(n) < share, column] = None
    noise = rng.logistic(size=n) / 2
    return frame, (logit + noise).to_numpy()


def odd_rows(frame, rng):
    """The same rows with extreme numbers, unseen categories and far-off dates among them."""
    frame = frame.copy()
    extreme = [1e308, -1e308, 0.0, -0.0, 5e-324, np.inf, -np.inf, 1e16, -7.25]
    for column in ("amount", "age", "visits"):
        chosen = rng.random(len(frame)) < 0.1
        frame.loc[chosen, column] = rng.choice(extreme, chosen.sum())
    for column in ("job", "town"):
        chosen = rng.random(len(frame)) < 0.1
        frame.loc[chosen, column] = rng.choice(
            ["unseen", "  nurse ", "NURSE", "NA", "", "é"], chosen.sum()
        )
    far = np.array(
        ["1901-01-01T23:59:59.999999", "2200-02-28", "1970-01-01", "1969-12-31T01"], "M8[us]"
    )
    chosen = rng.random(len(frame)) < 0.1
    frame["since"] = frame["since"].astype("datetime64[us]")
    frame.loc[chosen, "since"] = rng.choice(far, chosen.sum())
    return frame


def case(model, frame):
    """All that a test compares: the document, rows, and what is expected of an export."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # unseen categories are what is tested
        encoder = getattr(model, "encoder_", None)
        features = frame.to_numpy() if encoder is None else encoder.transform(frame)
        in_single = model.predict_proba(frame)
    return expected_of(to_document(model), frame, features, in_single)


def expected_of(document, frame, features, in_single=None):
    """What an export of a document has to say about rows."""
    probabilities = reference(document, features)
    of_classes = slice(None)
    if document["thresholds"]:
        of_classes = document["classes"]["labels"].index(document["positive"])
    return SimpleNamespace(
        document=document,
        frame=frame,
        features=features,
        probabilities=probabilities[:, of_classes],
        decisions=decisions(document, probabilities),
        accepted=accepted(document, probabilities),
        in_single=None if in_single is None else in_single[:, of_classes],
    )


def small(**options):
    """A network that fits in a second or two."""
    growth = RefinedGrowth(node_updates=50, joint_updates=50, polish_updates=200)
    return STWDSFNNClassifier(growth=growth, max_levels=4, random_state=0, **options)


@pytest.fixture(scope="session")
def raw_case():
    """Two classes from a raw table, the first of which is the positive one."""
    rng = np.random.default_rng(0)
    frame, logit = make_table(2500, rng)
    y = np.where(logit > 0.4, "pays", "quits")
    costs = CostMatrix.from_review(false_accept=5, false_reject=3, review=1)
    model = TableClassifier(small(), costs=costs, pos_label="pays", random_state=0).fit(frame, y)
    return case(model, odd_rows(make_table(ROWS, rng)[0], rng))


@pytest.fixture(scope="session")
def classes_case():
    """Three classes from a raw table."""
    rng = np.random.default_rng(1)
    frame, logit = make_table(2000, rng)
    y = np.digitize(logit, [-0.2, 0.9])
    model = TableClassifier(small(), random_state=0).fit(frame, y)
    return case(model, odd_rows(make_table(ROWS, rng)[0], rng))


@pytest.fixture(scope="session")
def plain_case():
    """Two of three irises, from numbers."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = small(scale="standard").fit(X[50:], y[50:] == 2)
    rng = np.random.default_rng(2)
    frame = X.sample(ROWS, replace=True, random_state=0) * rng.normal(1, 0.2, (ROWS, 4))
    frame.iloc[:9] = np.array([[1e308, -1e308, 1e16, -1e16]] * 9) * rng.choice([0, 1], (9, 4))
    return case(model, frame.reset_index(drop=True))


@pytest.fixture(params=["raw_case", "classes_case", "plain_case"])
def any_case(request):
    """Each of the three."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def compare():
    """Return a function that compares what an engine said with what is expected of it."""

    def compared(case, found, tolerance):
        np.testing.assert_allclose(found.probabilities, case.probabilities, rtol=0, atol=tolerance)
        in_single = case.probabilities if case.in_single is None else case.in_single
        np.testing.assert_allclose(found.probabilities, in_single, rtol=0, atol=SINGLE)
        assert found.decisions == case.decisions.tolist()
        assert found.accepted == case.accepted

    return compared


@pytest.fixture
def with_activation():
    """Return a function that gives the network of a case another activation."""

    def changed(case, activation):
        document = copy.deepcopy(case.document)
        document["network"]["activation"] = activation
        return expected_of(document, case.frame, case.features)

    return changed


@pytest.fixture(scope="session")
def postgresql():
    """A PostgreSQL server that lasts as long as the tests."""
    if postgresql_programs() is None:
        pytest.skip("PostgreSQL is not installed")
    with postgresql_server() as server:
        yield server


@pytest.fixture(scope="session")
def mariadb():
    """A MariaDB server that lasts as long as the tests."""
    if shutil.which("mariadbd") is None:
        pytest.skip("MariaDB is not installed")
    with mariadb_server() as server:
        yield server


@pytest.fixture(scope="session")
def spark():
    """A local Spark session."""
    pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("Java is not installed")
    session = spark_session()
    yield session
    session.stop()


@pytest.fixture
def constant_document():
    """Return a function that makes the document of a model that always says one half."""

    def document(columns, n_features):
        """A model that always says one half."""
        lines = [
            {"feature": i, "center": 0.0, "factor": 1.0, "limit": 20.0} for i in range(n_features)
        ]
        return {
            "columns": columns,
            "inputs": {"straight": lines, "positions": []},
            "network": {
                "activation": "tanh", "weights": [[0.0] * n_features],
                "biases": [0.0], "curves": [],
            },
            "outputs": {"weights": [[0.0, 0.0]], "biases": [0.0, 0.0]},
            "classes": {"type": "text", "labels": ["no", "yes"]},
            "positive": "yes",
            "costs": {"amounts": [], "unit": ""},
            "thresholds": {"alpha": 0.8, "beta": 0.2},
        }  # fmt: skip

    return document


DATES = ["2024-02-29", "2023-02-29", "2024-05-31T09:30", "2024-05-31 09:30:00.25+02:00",
         "0001-01-01T00:00:00+05:00", "2024-13-01", "2024-1-01", "20240101", "2024-05-31T24:00",
         "1969-12-31T23:59:59,999999Z", "2024-05-31T09:30+2", " 2024-05-31 ", "",
         "soon"]  # fmt: skip
GERMAN = [
    "29.02.2024",
    "29.2.2023",
    "1.1.2024",
    "01.01.24",
    "31.12.1969",
    "32.01.2024",
    "1.1.2024 ",
]


@pytest.fixture
def date_texts():
    """Texts by the form of dates that they have, or just fail to have."""
    other = ["112024 1:02:03", "1112024 23:59:59.5", "01012024 01:02:3", "112024 24:00:00"]
    named = ["5-May-24", "05-MAY-69", "31-december-68", "31-Decem-68", "1-Foo-00", "29-feb-23"]
    halves = ["1/2/2024 12:05 am", "1/2/2024 12:05 PM", "12/31/2024 1:05 pm", "1/2/2024 13:05 PM",
              "1/2/2024 0:05 AM", "1/2/2024 01:05 xm", "1/2/2024 01:05"]  # fmt: skip
    return {
        "iso": DATES,
        "%d.%m.%Y": GERMAN,
        "%d%m%Y %H:%M:%S": other,
        "%d-%b-%y": named,
        "%m/%d/%Y %I:%M %p": halves,
    }


@pytest.fixture(scope="session")
def amounts():
    """Texts that are numbers, look like numbers, or are put together from their signs."""
    rng = np.random.default_rng(5)
    letters = (
        list("0123456789") * 3
        + list(".,.,+-%$€ '\u2212\u00a0\u2019")
        + ["EUR", "kr", "e", "x", "000"]
    )
    drawn = ["".join(rng.choice(letters, rng.integers(1, 9))) for _ in range(3000)]
    numbers = [f"{x:,.2f}" for x in rng.normal(0, 1e5, 300)]
    german = [text.translate(str.maketrans(",.", ".,")) for text in numbers]
    return [*drawn, *numbers, *german, *(f"{text} €" for text in german), "1e5", "1,5e3", "1_0"]
