"""The published figures are complete, and shown beside the problems that they are of."""

import csv
from importlib.resources import files

import numpy as np
import pytest

from trisect_experiments.wu2023 import PAPER
from trisect_experiments.wu2023.published import published


def test_every_row_can_be_found():
    text = (files("trisect_experiments.wu2023") / "published.csv").read_text("utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert len(rows) == 225
    ours = {"PCB": "PCB-complete"}
    for row in rows:
        found = published(row["table"], ours.get(row["dataset"], row["dataset"]), row["model"])
        assert found["accuracy"].mean == float(row["accuracy"])


def test_figures_by_hand():
    assert published("classic", "SB", "STWD-SFNN")["accuracy"].mean == 65.80
    assert published("static", "ONP", "m1-SFNN-R")["accuracy"] == (85.43, 0.37)
    assert np.isnan(published("static", "ONP", "STWD-SFNN")["auc"].half_width)


def test_the_papers_pcb_is_the_selection_of_complete_rows():
    assert published("static", "PCB-complete", "STWD-SFNN")["accuracy"].mean == 97.31
    assert published("static", "PCB", "STWD-SFNN") == {}


@pytest.mark.parametrize("table", PAPER.tables[:4], ids=lambda table: table.name)
def test_every_model_of_the_papers_tables_has_figures(table):
    for model in table.models:
        assert published(table.name, "EOL", model.name), model.name
    assert published("modern", "EOL", "STWD-SFNN") == {}
