"""The published figures are complete, and shown beside the problems that they are of."""

import csv
from importlib.resources import files

import numpy as np

from trisect_experiments.wu2023 import PAPER
from trisect_experiments.wu2023.models import MODELS
from trisect_experiments.wu2023.published import published

PAPERS = "STWD-SFNN (Algorithm 1)"
OURS = {name for name in MODELS if name.endswith("(refined)")}


def test_the_tables_hold_the_papers_models_in_its_order_with_their_figures():
    text = (files("trisect_experiments.wu2023") / "published.csv").read_text("utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert len(rows) == 225
    for table in PAPER.tables[:4]:
        printed = dict.fromkeys(row["model"] for row in rows if row["table"] == table.name)
        reproduced = [m.name for m in table.models if published(table.name, "EOL", m.name)]
        assert [name.removesuffix(" (Algorithm 1)") for name in reproduced] == list(printed)
        assert {m.name for m in table.models} - set(reproduced) <= OURS
    for row in rows:
        dataset = "PCB-complete" if row["dataset"] == "PCB" else row["dataset"]
        found = published(row["table"], dataset, row["model"])
        assert found["accuracy"].mean == float(row["accuracy"])
    assert published("modern", "EOL", PAPERS) == {}


def test_figures_by_hand():
    assert published("classic", "SB", PAPERS)["accuracy"].mean == 65.80
    assert published("static", "ONP", "m1-SFNN-R")["accuracy"] == (85.43, 0.37)
    assert np.isnan(published("static", "ONP", PAPERS)["auc"].half_width)


def test_the_papers_pcb_is_the_selection_of_complete_rows():
    assert published("static", "PCB-complete", PAPERS)["accuracy"].mean == 97.31
    assert published("static", "PCB", PAPERS) == {}
