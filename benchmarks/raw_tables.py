"""Bank Marketing and Default of Credit Card Clients with their codes spelled out.

The development files hold codes: those of Bank Marketing number the categories in alphabetical
order, those of the credit cards are documented in the archive. Run as a script, this makes the
sample that comes with the library:

    python benchmarks/raw_tables.py src/trisect/sample_data/credit.csv.xz
"""

import lzma
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from common import data_folder
from sklearn.model_selection import train_test_split

BANK_NUMBERS = (
    "age", "duration", "campaign", "pdays", "previous", "emp.var.rate", "cons.price.idx",
    "cons.conf.idx", "euribor3m", "nr.employed",
)  # fmt: skip
BANK_CATEGORIES = {
    "job": "admin. blue-collar entrepreneur housemaid management retired self-employed services "
    "student technician unemployed unknown",
    "marital": "divorced married single unknown",
    "education": "basic.4y basic.6y basic.9y high.school illiterate professional.course "
    "university.degree unknown",
    "default": "no unknown yes",
    "housing": "no unknown yes",
    "loan": "no unknown yes",
    "contact": "cellular telephone",
    "month": "apr aug dec jul jun mar may nov oct sep",
    "day_of_week": "fri mon thu tue wed",
    "poutcome": "failure nonexistent success",
}
MONTHS = ("september", "august", "july", "june", "may", "april")
SEX = {1: "male", 2: "female"}
EDUCATION = {1: "graduate school", 2: "university", 3: "high school", 4: "other"}
MARRIAGE = {1: "married", 2: "single", 3: "other"}
STATUS = {-2: "not used", -1: "paid in full", 0: "revolving", 1: "1 month late"}
STATUS |= {months: f"{months} months late" for months in range(2, 10)}


def bank_marketing():
    """The table and whether the client signed."""
    codes = pd.read_parquet(data_folder() / "BM.parquet")
    signed = (codes.pop("target") == 2).to_numpy()
    codes.columns = [*BANK_NUMBERS, *BANK_CATEGORIES]
    for name, words in BANK_CATEGORIES.items():
        codes[name] = np.array(words.split(), dtype=object)[codes[name].astype(int) - 1]
    return codes, signed


def credit_cards():
    """The table, undocumented codes as gaps, and whether the client pays next month."""
    codes = pd.read_parquet(data_folder() / "DCC.parquet")
    pays = (codes.pop("target") == 1).to_numpy()
    columns = {"limit": codes["f0"]}
    for i, (name, words) in enumerate(
        {"sex": SEX, "education": EDUCATION, "marriage": MARRIAGE}.items(), start=1
    ):
        columns[name] = codes[f"f{i}"].map(words).astype(object)
    columns["age"] = codes["f4"]
    for i, month in enumerate(MONTHS):
        columns[f"{month}_status"] = codes[f"f{5 + i}"].map(STATUS).astype(object)
    for i, month in enumerate(MONTHS):
        columns[f"{month}_bill"] = codes[f"f{11 + i}"]
    for i, month in enumerate(MONTHS):
        columns[f"{month}_paid"] = codes[f"f{17 + i}"]
    return pd.DataFrame(columns), pays


def write_sample(path, n_rows=3000, seed=0):
    """Write some clients, with their numbers and without some of their ages."""
    X, pays = credit_cards()
    rows, _ = train_test_split(
        np.arange(len(X)), train_size=n_rows, stratify=pays, random_state=seed
    )
    rows = np.sort(rows)
    rng = np.random.default_rng(seed)
    sample = X.iloc[rows].reset_index(drop=True)
    sample.insert(0, "client", [f"C{row + 1:05d}" for row in rows])
    sample["age"] = sample["age"].mask(rng.random(n_rows) < 0.06).astype("Int64")
    sample["next_month"] = np.where(pays[rows], "pays", "defaults")
    text = sample.to_csv(index=False, lineterminator="\n")
    Path(path).write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    print(f"{path}: {len(text):,} bytes, {Path(path).stat().st_size:,} compressed")


if __name__ == "__main__":
    write_sample(sys.argv[1])
