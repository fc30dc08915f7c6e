"""SQL: one SELECT from raw columns to decisions."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from trisect.exports.recipe import recipe_of
from trisect.exports.sql_columns import feature_terms
from trisect.exports.sql_network import input_terms, node_terms, result_steps, sum_terms

__all__ = ["DIALECTS", "to_sql"]

DIALECTS = {
    "duckdb": "duckdb",
    "postgresql": "postgres",
    "sqlite": "sqlite",
    "spark": "spark",
    "mysql": "mysql",
    "sqlserver": "tsql",
    "bigquery": "bigquery",
    "snowflake": "snowflake",
}
"""The dialects, by the name that users give, with that of sqlglot."""

# These would write a step into the next one wherever it is used, and so evaluate it as often.
# MySQL keeps a step that has a limit as it is: this is the number of rows that it can count to.
MATERIALIZED = ("postgresql", "sqlite")
# These compare texts without regard to capitals unless they are told not to.
COLLATIONS = {"mysql": "utf8mb4_bin", "sqlserver": "Latin1_General_BIN2"}
LIMITS = {"mysql": "\n  LIMIT 18446744073709551615"}

Terms = dict[str, str]


def to_sql(
    model: Any, dialect: str = "duckdb", *, table: str = "data", keep: Sequence[str] = ()
) -> str:
    """Write a model as one SELECT statement.

    The steps are common table expressions: features, inputs, sums, nodes and scores. Missing
    cells and unseen categories get the treatment that the model gives them. Nothing overflows,
    whatever the numbers.

    Parameters
    ----------
    model : estimator or dict
        A fitted model that a model file can hold, a loaded one, or its document.
    dialect : {"duckdb", "postgresql", "sqlite", "spark", "mysql", "sqlserver", "bigquery", \
"snowflake"}
        The dialect. The first five are run by the tests of this library, that of MySQL in
        MariaDB.
    table : str
        Name of the table or view; parts of it are separated by points.
    keep : sequence of str
        Columns of the table to return beside the decision, such as those that identify a row;
        by default those that the model reads.

    Returns
    -------
    str
        A statement that returns these columns, then ``probability`` of the positive class and
        ``decision``; with more than two classes a ``probability_`` of each, ``decision`` and
        the ``accepted`` class.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from trisect import STWDSFNNClassifier
    >>> from trisect.exports import to_sql
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = STWDSFNNClassifier(random_state=0).fit(X, y)
    >>> query = to_sql(model, "duckdb", table="cells", keep=["id"])
    >>> query.splitlines()[-1]
    'FROM scores'
    """
    if dialect not in DIALECTS:
        raise ValueError(f"There is no dialect {dialect!r}: use one of {', '.join(DIALECTS)}.")
    if find_spec("sqlglot") is None:
        raise ImportError("SQL is written by sqlglot: run pip install 'trisect[exports]'.")

    recipe = recipe_of(model)
    names = list(keep) or [column["name"] for column in recipe.columns]
    kept = {f"k{i}": quoted(name) for i, name in enumerate(names)}
    passed = {name: name for name in kept}
    scores, results = result_steps(recipe.rule)
    steps: list[tuple[str, Terms]] = [
        ("features", kept | feature_terms(recipe.columns)),
        ("inputs", passed | input_terms(recipe)),
        ("sums", passed | sum_terms(recipe)),
        ("nodes", passed | node_terms(recipe)),
        *((name, passed | terms) for name, terms in scores),
    ]
    source = ".".join(quoted(part) for part in table.split("."))
    hint, limit = "MATERIALIZED " * (dialect in MATERIALIZED), LIMITS.get(dialect, "")
    written, before = [], _translated(source, dialect)
    for name, terms in steps:
        written.append(f"{name} AS {hint}(\n{_select(terms, dialect)}\n  FROM {before}{limit}\n)")
        before = name
    results = {quoted(name): own for own, name in zip(kept, names, strict=True)} | results
    return f"WITH {', '.join(written)}\n{_select(results, dialect)}\nFROM {before}\n"


def _select(terms: Terms, dialect: str) -> str:
    """Write a term on each line, in the dialect."""
    lines = [
        f"    {_translated(term, dialect)} AS {_translated(name, dialect)}"
        for name, term in terms.items()
    ]
    return "  SELECT\n" + ",\n".join(lines)


def _translated(term: str, dialect: str) -> str:
    """Translate a term of DuckDB's dialect."""
    from sqlglot import ErrorLevel, parse_one

    tree = _adapted(parse_one(term, read="duckdb"), dialect)
    return tree.sql(DIALECTS[dialect], unsupported_level=ErrorLevel.RAISE)


def quoted(name: str) -> str:
    """Write a name as an identifier."""
    return '"' + name.replace('"', '""') + '"'


def _adapted(tree: Any, dialect: str) -> Any:
    """Put what the dialect has in place of functions that differ more than sqlglot knows."""
    from sqlglot import exp, parse_one

    from trisect.exports.sql_columns import DATE_PARTS

    def replaced(node: Any) -> Any:
        if isinstance(node, exp.Anonymous) and node.name in DATE_PARTS:
            of_dialect = DATE_PARTS[node.name]
            pattern = of_dialect.get(dialect) or of_dialect["*"]
            found = parse_one(pattern.replace("@", "cell"), read=DIALECTS[dialect])
            [cell] = node.expressions
            return found.transform(
                lambda part: cell.copy() if isinstance(part, exp.Column) else part
            )
        if isinstance(node, exp.Trim) and dialect in COLLATIONS:
            stripped = node.copy()
            if dialect == "mysql":
                stripped.set("expression", None)  # it would strip the given text as a whole
            else:
                wide = exp.DataType.build("NVARCHAR(MAX)", dialect="tsql")
                stripped.this.set("to", wide)
            return exp.Collate(this=stripped, expression=exp.var(COLLATIONS[dialect]))
        if isinstance(node, exp.Literal) and node.is_string and dialect == "sqlserver":
            return exp.National(this=node.this)
        return node

    return tree.transform(replaced)
