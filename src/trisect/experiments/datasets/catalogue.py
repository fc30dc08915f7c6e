"""The paper's fifteen datasets: where they come from and how a row becomes a binary label.

In every source file the label is the last column. A recipe says which of its values make class
2; the rest is class 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from trisect.experiments.datasets.formats import Reader, csv, weka, xls


@dataclass(frozen=True)
class Recipe:
    """How to fetch and read one dataset, and what must come out.

    `uci_id` and `slug` make the archive's address, `files` are members of its zip file, `drop`
    are columns that identify a row, `second` says which label values are class 2, `counts` are
    the rows with label 1 and 2 that a correct copy has, `known_hash` is the zip's SHA-256.
    """

    title: str
    uci_id: int
    slug: str
    files: tuple[str, ...]
    read: Reader
    second: Callable[[Any], Any]
    n_features: int
    counts: tuple[int, int]
    drop: tuple[str, ...] = ()
    numeric_first: bool = False
    notes: str = ""
    archive_rows: int | None = None
    known_hash: str | None = None

    @property
    def rows(self) -> int:
        """Number of rows of the development copy."""
        return sum(self.counts)


def _equals(value: object) -> Callable[[pd.Series], pd.Series]:
    return lambda labels: labels.astype(str).str.strip() == str(value)


RECIPES: dict[str, Recipe] = {
    "ONP": Recipe(
        "Online news popularity", 332, "online+news+popularity",
        ("OnlineNewsPopularity.csv",), csv(), lambda shares: shares >= 10_000,
        58, (34_564, 2_042), drop=("url", "timedelta"), archive_rows=39_644,
        notes="2 = shares of 10,000 or more. The development copy has 36,606 of the archive's "
        "39,644 rows; the archive's file gives all of them.",
    ),
    "QSAR": Recipe(
        "QSAR oral toxicity", 508, "qsar+oral+toxicity",
        ("qsar_oral_toxicity.csv",), csv(";", None), _equals("positive"),
        1024, (8_251, 741), notes="Bits. 2 = very toxic.",
    ),
    "OSP": Recipe(
        "Online shoppers purchasing intention", 468,
        "online+shoppers+purchasing+intention+dataset",
        ("online_shoppers_intention.csv",), csv(), _equals(True),
        17, (10_422, 1_908), notes="2 = the visit ended in a purchase.",
    ),
    "EGSS": Recipe(
        "Electrical grid stability simulated", 471, "electrical+grid+stability+simulated+data",
        ("Data_for_UCI_named.csv",), csv(), _equals("unstable"),
        13, (3_620, 6_380),
        notes="The last feature (f12, stab) is the value whose sign is the label; it is kept, "
        "as in the paper.",
    ),
    "SE": Recipe(
        "Skin segmentation", 229, "skin+segmentation",
        ("Skin_NonSkin.txt",), csv("\t", None), _equals(2),
        3, (50_859, 194_198), notes="1 = skin. 79 % of the rows are duplicates.",
    ),
    "HTRU": Recipe(
        "HTRU2 pulsar candidates", 372, "htru2",
        ("HTRU_2.csv",), csv(",", None), _equals(1),
        8, (16_259, 1_639), notes="2 = pulsar.",
    ),
    "DCC": Recipe(
        "Default of credit card clients", 350, "default+of+credit+card+clients",
        ("default of credit card clients.xls",), xls(1), _equals(1.0),
        23, (23_364, 6_636), drop=("ID",), notes="2 = default.",
    ),
    "ESR": Recipe(
        "Epileptic seizure recognition", 388, "epileptic+seizure+recognition",
        ("data.csv",), csv(), _equals(1),
        178, (9_200, 2_300), drop=("Unnamed: 0", "Unnamed"),
        notes="2 = seizure (class 1 of the source), 1 = the other four classes.",
    ),
    "BM": Recipe(
        "Bank marketing", 222, "bank+marketing",
        ("bank-additional-full.csv",), csv(";"), _equals("yes"),
        20, (36_548, 4_640), numeric_first=True,
        notes="bank-additional-full: the paper's table of datasets names another file, its "
        "numbers are of this one. 2 = subscribed.",
    ),
    "PCB": Recipe(
        "Polish companies bankruptcy, year 3", 365, "polish+companies+bankruptcy+data",
        ("3year.arff",), weka, _equals(1),
        64, (10_008, 495),
        notes="All rows; 9,888 missing cells, to be filled with medians of the training fold. "
        "2 = bankrupt.",
    ),
    "SB": Recipe(
        "Shill bidding", 562, "shill+bidding+dataset",
        ("Shill Bidding Dataset.csv",), csv(), _equals(1),
        9, (5_646, 675), drop=("Record_ID", "Auction_ID", "Bidder_ID"), notes="2 = shill.",
    ),
    "EOL": Recipe(
        "Estimation of obesity levels", 544,
        "estimation+of+obesity+levels+based+on+eating+habits+and+physical+condition",
        ("ObesityDataSet_raw_and_data_sinthetic.csv",), csv(), _equals("Normal_Weight"),
        16, (1_824, 287), notes="2 = normal weight.",
    ),
    "OD": Recipe(
        "Occupancy detection", 357, "occupancy+detection",
        ("datatest.txt", "datatest2.txt", "datatraining.txt"), csv(), _equals(1),
        5, (15_810, 4_750), drop=("date",),
        notes="Three files of a time-ordered sensor log, one after the other. 2 = occupied.",
    ),
    "ROE": Recipe(
        "Room occupancy estimation", 864, "room+occupancy+estimation",
        ("Occupancy_Estimation.csv",), csv(), lambda people: people > 0,
        16, (8_228, 1_901), drop=("Date", "Time"), notes="1 = empty room.",
    ),
    "SSMCR": Recipe(
        "Sepsis survival minimal clinical records", 827,
        "sepsis+survival+minimal+clinical+records",
        ("s41598-020-73558-3_sepsis_survival_primary_cohort.csv",), csv(), _equals(1),
        3, (8_105, 102_099),
        notes="1 = died. 99 % of the rows are duplicates: accuracy cannot leave the majority "
        "rate, look at the AUC.",
    ),
}  # fmt: skip
