"""The published figures are complete, and shown beside the problems that they are of."""

import csv
from importlib.resources import files

import numpy as np

from trisect_experiments.wu2023 import PAPER
from trisect_experiments.wu2023.published import published


def test_the_tables_hold_the_papers_models_in_its_order_with_their_figures():
    text = (files("trisect_experiments.wu2023") / "published.csv").read_text("utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert len(rows) == 225
    for table in PAPER.tables[:4]:
        printed = dict.fromkeys(row["model"] for row in rows if row["table"] == table.name)
        assert [model.name for model in table.models] == list(printed)
    for row in rows:
        dataset = "PCB-complete" if row["dataset"] == "PCB" else row["dataset"]
        found = published(row["table"], dataset, row["model"])
        assert found["accuracy"].mean == float(row["accuracy"])
    assert published("modern", "EOL", "STWD-SFNN") == {}


def test_figures_by_hand():
    assert published("classic", "SB", "STWD-SFNN")["accuracy"].mean == 65.80
    assert published("static", "ONP", "m1-SFNN-R")["accuracy"] == (85.43, 0.37)
    assert np.isnan(published("static", "ONP", "STWD-SFNN")["auc"].half_width)


def test_the_papers_pcb_is_the_selection_of_complete_rows():
    assert published("static", "PCB-complete", "STWD-SFNN")["accuracy"].mean == 97.31
    assert published("static", "PCB", "STWD-SFNN") == {}
