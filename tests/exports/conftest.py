"""Models to export, rows to try them on, and a double-precision evaluation to compare with.

Python evaluates a network in float32. Exports evaluate the same numbers in double precision, so
that they agree with each other and with `reference` far more closely than with `predict_proba`.
"""

import copy
import os
import shutil
import subprocess
import tempfile
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

ROWS = 3000
# What float32 leaves of probabilities; the largest difference seen is about a tenth of it.
SINGLE = 2e-5


def make_table(n, rng):
    """Rows of every kind of column, with gaps."""
    frame = pd.DataFrame(
        {
            "amount": np.exp(rng.normal(8, 2, n)),
            "age": rng.integers(18, 90, n).astype(float),
            "visits": rng.poisson(1.2, n).astype(float),
            "member": rng.choice([True, False], n),
            "job": rng.choice(["nurse", "clerk", "cook", "it's \\ odd", "piper"], n, p=[0.4, 0.3, 0.2, 0.08, 0.02]),
            "town": [f"town {i}" for i in rng.zipf(1.4, n) % 60],
            "since": pd.Timestamp("2019-03-05 10:30") + pd.to_timedelta(rng.integers(0, 4e6, n), "min"),
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
    for column, share in (("amount", 0.1), ("member", 0.05), ("job", 0.1), ("town", 0.05), ("since", 0.1)):
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
        frame.loc[chosen, column] = rng.choice(["unseen", "  nurse ", "NURSE", "NA", "", "é"], chosen.sum())
    far = np.array(["1901-01-01T23:59:59.999999", "2200-02-28", "1970-01-01", "1969-12-31T01"], "M8[us]")
    chosen = rng.random(len(frame)) < 0.1
    frame["since"] = frame["since"].astype("datetime64[us]")
    frame.loc[chosen, "since"] = rng.choice(far, chosen.sum())
    return frame


ACTIVATIONS = {
    "relu": lambda z: np.maximum(z, 0),
    "leaky_relu": lambda z: np.where(z > 0, z, 0.01 * z),
    "selu": lambda z: 1.0507009873554805
    * np.where(z > 0, z, 1.6732632423543772 * np.expm1(np.minimum(z, 0))),
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


def records_of(frame):
    """Rows as dictionaries that JSON can carry: None for gaps, texts for dates."""
    frame = frame.copy()
    for column in frame.select_dtypes("datetime"):
        frame[column] = np.datetime_as_string(frame[column])
    frame = frame.astype(object)
    return frame.where(frame.notna() & (frame != "NaT"), None).to_dict("records")


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
        records=records_of(frame),
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
    """Return a function that compares the results of an export, a dictionary for each row."""

    def compared(case, found, tolerance):
        if case.document["thresholds"]:
            p = np.array([row["probability"] for row in found])
        else:
            p = np.array([list(row["probabilities"].values()) for row in found])
            accepted = [row["accepted"] for row in found]
            assert accepted == case.accepted
        np.testing.assert_allclose(p, case.probabilities, rtol=0, atol=tolerance)
        in_single = case.probabilities if case.in_single is None else case.in_single
        np.testing.assert_allclose(p, in_single, rtol=0, atol=SINGLE)
        assert [row["decision"] for row in found] == case.decisions.tolist()

    return compared


@pytest.fixture
def with_activation():
    """Return a function that gives the network of a case another activation."""

    def changed(case, activation):
        document = copy.deepcopy(case.document)
        document["network"]["activation"] = activation
        return expected_of(document, case.frame, case.features)

    return changed


class Server:
    """A PostgreSQL server in a folder of its own, reached through a socket there."""

    def __init__(self, programs, folder):
        self.folder, self._programs, self._data = folder, programs, folder / "data"
        # The server refuses to run as root, as which tests run in some containers.
        self._as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self._as_user:
            folder.chmod(0o755)
            self._data.mkdir()
            shutil.chown(self._data, "postgres", "postgres")

    def _call(self, program, *arguments, **options):
        command = [*self._as_user, str(self._programs / program), *arguments]
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | options
        done = subprocess.run(command, check=False, cwd="/", **options)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def __enter__(self):
        self._call("initdb", "-D", str(self._data), "-A", "trust", "-U", "tester", "-N", "-E", "UTF8")
        settings = f"-c listen_addresses='' -c unix_socket_directories={self._data} -c fsync=off"
        # The server inherits what it writes to, so that a pipe would never end.
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._call("pg_ctl", "-D", str(self._data), "-w", "-o", settings, "start", **quiet)
        return self

    def __exit__(self, *_):
        self._call("pg_ctl", "-D", str(self._data), "-w", "-m", "immediate", "stop")

    def run(self, script):
        """Run a script, and return what it prints."""
        flags = ["-h", str(self._data), "-U", "tester", "-d", "postgres", "-qAtX"]
        return self._call("psql", *flags, "-v", "ON_ERROR_STOP=1", input=script)


@pytest.fixture(scope="session")
def postgresql():
    """A PostgreSQL server that lasts as long as the tests."""
    homes = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    found = shutil.which("initdb")
    if found is None and not homes:
        pytest.skip("PostgreSQL is not installed")
    programs = Path(found).resolve().parent if found else homes[-1]
    # Sockets have short names only, shorter than those of pytest's folders may be.
    with tempfile.TemporaryDirectory() as folder, Server(programs, Path(folder)) as server:
        yield server


@pytest.fixture(scope="session")
def spark():
    """A local Spark session in UTC."""
    sql = pytest.importorskip("pyspark.sql")
    if shutil.which("java") is None:
        pytest.skip("Java is not installed")
    builder = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()
    yield session
    session.stop()


@pytest.fixture
def constant_document():
    """Return a function that makes the document of a model that always says one half."""

    def document(columns, n_features):
        """A model that always says one half."""
        lines = [{"feature": i, "center": 0.0, "factor": 1.0, "limit": 20.0} for i in range(n_features)]
        return {
            "columns": columns,
            "inputs": {"straight": lines, "positions": []},
            "network": {
                "activation": "tanh", "weights": [[0.0] * n_features], "biases": [0.0], "curves": [],
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
         "1969-12-31T23:59:59,999999Z", "2024-05-31T09:30+2", " 2024-05-31 ", "", "soon"]  # fmt: skip
GERMAN = ["29.02.2024", "29.2.2023", "1.1.2024", "01.01.24", "31.12.1969", "32.01.2024", "1.1.2024 "]


@pytest.fixture
def date_texts():
    """Texts by the form of dates that they have, or just fail to have."""
    other = ["112024 1:02:03", "1112024 23:59:59.5", "01012024 01:02:3", "112024 24:00:00"]
    return {"iso": DATES, "%d.%m.%Y": GERMAN, "%d%m%Y %H:%M:%S": other}
