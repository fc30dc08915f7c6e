"""Datasets of the UCI archive: where they come from and how a row gets its label.

In every source file the label is the last column. A recipe says which of its values are the
positive class, label 1; all others are label 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from trisect_experiments.datasets.dataset import Dataset
from trisect_experiments.datasets.encoding import encode_table
from trisect_experiments.datasets.formats import Reader, csv, find_members, weka, xls


@dataclass(frozen=True)
class Recipe:
    """How to fetch and read one dataset, and what must come out.

    `uci_id` and `slug` make the archive's address, `files` are members of its zip file, `drop`
    are columns that identify a row, `positive` marks the label values of class 1, `counts` are
    the rows with label 0 and 1 in a correct copy, `archive_rows` is the number of rows where the
    archive has more than the development copy. With `complete_rows_of` the dataset consists of
    the rows of another that have no missing cell.
    """

    title: str
    uci_id: int
    slug: str
    files: tuple[str, ...]
    read: Reader
    positive: Callable[[Any], Any]
    n_features: int
    counts: tuple[int, int]
    drop: tuple[str, ...] = ()
    numeric_first: bool = False
    notes: str = ""
    archive_rows: int | None = None
    complete_rows_of: str = ""

    @property
    def n_rows(self) -> int:
        """Number of rows of the development copy."""
        return sum(self.counts)

    def parse(self, content: bytes) -> tuple[NDArray[Any], NDArray[Any], tuple[str, ...]]:
        """Turn the archive's zip file into features, labels and column names."""
        frames = [self.read(member) for member in find_members(content, self.files)]
        frame = pd.concat(frames, ignore_index=True).rename(columns=lambda name: str(name).strip())
        y = np.asarray(self.positive(frame.pop(frame.columns[-1])), dtype=bool)
        frame = frame.drop(columns=list(self.drop), errors="ignore")
        X, names = encode_table(frame, self.numeric_first)
        return X, y.astype(np.int64), names

    def check(self, data: Dataset) -> None:
        """Refuse a copy that does not have the expected size and labels."""
        complete = data.label_counts == self.counts or data.n_rows == self.archive_rows
        if data.n_features != self.n_features or not complete:
            expected, found = ("{} / {}".format(*n) for n in (self.counts, data.label_counts))
            raise ValueError(
                f"{data.name}: expected {self.n_rows} rows x {self.n_features} features with "
                f"labels {expected}, found {data.n_rows} x {data.n_features} with {found}. The "
                "copy is incomplete or another version; pass check=False to use it all the same."
            )


def _equals(value: object) -> Callable[[pd.Series], pd.Series]:
    return lambda labels: labels.astype(str).str.strip() == str(value)


_PCB = Recipe(
    "Polish companies bankruptcy, year 3", 365, "polish+companies+bankruptcy+data",
    ("3year.arff",), weka, _equals(1),
    64, (10_008, 495),
    notes="All rows; 9,888 missing cells, filled with medians of the training rows. "
    "1 = bankrupt.",
)  # fmt: skip

RECIPES: dict[str, Recipe] = {
    "ONP": Recipe(
        "Online news popularity", 332, "online+news+popularity",
        ("OnlineNewsPopularity.csv",), csv(), lambda shares: shares >= 10_000,
        58, (34_564, 2_042), drop=("url", "timedelta"), archive_rows=39_644,
        notes="1 = shares of 10,000 or more. The development copy has 36,606 of the archive's "
        "39,644 rows; the archive's file gives all of them.",
    ),
    "QSAR": Recipe(
        "QSAR oral toxicity", 508, "qsar+oral+toxicity",
        ("qsar_oral_toxicity.csv",), csv(";", None), _equals("positive"),
        1024, (8_251, 741), notes="Bits. 1 = very toxic.",
    ),
    "OSP": Recipe(
        "Online shoppers purchasing intention", 468,
        "online+shoppers+purchasing+intention+dataset",
        ("online_shoppers_intention.csv",), csv(), _equals(True),
        17, (10_422, 1_908), notes="1 = the visit ended in a purchase.",
    ),
    "EGSS": Recipe(
        "Electrical grid stability simulated", 471, "electrical+grid+stability+simulated+data",
        ("Data_for_UCI_named.csv",), csv(), _equals("unstable"),
        13, (3_620, 6_380),
        notes="The last feature (f12, stab) is the value whose sign is the label.",
    ),
    "SE": Recipe(
        "Skin segmentation", 229, "skin+segmentation",
        ("Skin_NonSkin.txt",), csv("\t", None), _equals(2),
        3, (50_859, 194_198), notes="0 = skin. 79 % of the rows are duplicates.",
    ),
    "HTRU": Recipe(
        "HTRU2 pulsar candidates", 372, "htru2",
        ("HTRU_2.csv",), csv(",", None), _equals(1),
        8, (16_259, 1_639), notes="1 = pulsar.",
    ),
    "DCC": Recipe(
        "Default of credit card clients", 350, "default+of+credit+card+clients",
        ("default of credit card clients.xls",), xls, _equals(1.0),
        23, (23_364, 6_636), drop=("ID",), notes="1 = default.",
    ),
    "ESR": Recipe(
        "Epileptic seizure recognition", 388, "epileptic+seizure+recognition",
        ("data.csv",), csv(), _equals(1),
        178, (9_200, 2_300), drop=("Unnamed: 0", "Unnamed"),
        notes="1 = seizure (class 1 of the source), 0 = the other four classes.",
    ),
    "BM": Recipe(
        "Bank marketing", 222, "bank+marketing",
        ("bank-additional-full.csv",), csv(";"), _equals("yes"),
        20, (36_548, 4_640), numeric_first=True,
        notes="The file bank-additional-full. 1 = subscribed.",
    ),
    "PCB": _PCB,
    "PCB-complete": replace(
        _PCB, title=f"{_PCB.title}, complete rows", counts=(4_778, 107), complete_rows_of="PCB",
        notes="The rows of PCB without a missing cell. 1 = bankrupt.",
    ),
    "SB": Recipe(
        "Shill bidding", 562, "shill+bidding+dataset",
        ("Shill Bidding Dataset.csv",), csv(), _equals(1),
        9, (5_646, 675), drop=("Record_ID", "Auction_ID", "Bidder_ID"), notes="1 = shill.",
    ),
    "EOL": Recipe(
        "Estimation of obesity levels", 544,
        "estimation+of+obesity+levels+based+on+eating+habits+and+physical+condition",
        ("ObesityDataSet_raw_and_data_sinthetic.csv",), csv(), _equals("Normal_Weight"),
        16, (1_824, 287), notes="1 = normal weight.",
    ),
    "OD": Recipe(
        "Occupancy detection", 357, "occupancy+detection",
        ("datatest.txt", "datatest2.txt", "datatraining.txt"), csv(), _equals(1),
        5, (15_810, 4_750), drop=("date",),
        notes="Three files of a time-ordered sensor log, one after the other. 1 = occupied.",
    ),
    "ROE": Recipe(
        "Room occupancy estimation", 864, "room+occupancy+estimation",
        ("Occupancy_Estimation.csv",), csv(), lambda people: people > 0,
        16, (8_228, 1_901), drop=("Date", "Time"), notes="0 = empty room.",
    ),
    "SSMCR": Recipe(
        "Sepsis survival minimal clinical records", 827,
        "sepsis+survival+minimal+clinical+records",
        ("s41598-020-73558-3_sepsis_survival_primary_cohort.csv",), csv(), _equals(1),
        3, (8_105, 102_099),
        notes="0 = died. 99 % of the rows are duplicates: accuracy cannot leave the majority "
        "rate, look at the AUC.",
    ),
}  # fmt: skip
