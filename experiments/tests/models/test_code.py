"""A result is known by the code that decides what is learned, and by nothing else."""

import shutil
import sys
from pathlib import Path

import pytest
from sklearn.datasets import make_classification

import trisect
from trisect.estimators.sfnn import SFNNClassifier
from trisect.estimators.stwd_sfnn import STWDSFNNClassifier
from trisect.growth import PaperGrowth, RefinedGrowth
from trisect_experiments.models.code import imported_files, source_digest, trisect_code
from trisect_experiments.models.network import decision_measures, level_records
from trisect_experiments.wu2023 import ABLATION, MODELS

ROOT = Path(trisect.__file__).parent
STWD, SFNN = "estimators/stwd_sfnn.py", "estimators/sfnn.py"
PAPER, REFINED = "growth/paper.py", "growth/refined.py"

PARTS = {
    "Algorithm 1": (STWD, REFINED),
    "refined": (STWD, PAPER),
    "fixed size": (SFNN,),
}
"""The file of the estimator of some models, and that of the growth they do not use."""


class Sources:
    """A copy of the library to change, and the digests of models in it."""

    def __init__(self, folder):
        self.folder = folder
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns("__pycache__"))

    def files(self, model):
        start, *without = (self.folder / name for name in PARTS[model])
        return imported_files(start, self.folder, without)

    def digests(self):
        return {model: source_digest(self.files(model), self.folder) for model in PARTS}

    def stale_after(self, file, code):
        """Which models have another digest when code is added to a file."""
        before, path = self.digests(), self.folder / file
        path.write_text(f"{path.read_text('utf-8')}\n{code}\n", "utf-8")
        after = self.digests()
        return {model for model in PARTS if before[model] != after[model]}


@pytest.fixture
def sources(tmp_path):
    return Sources(tmp_path / "trisect")


def test_the_digests_are_those_of_the_library(sources):
    assert trisect_code(STWDSFNNClassifier, RefinedGrowth).endswith(
        sources.digests()["Algorithm 1"]
    )
    assert trisect_code(STWDSFNNClassifier, PaperGrowth).endswith(sources.digests()["refined"])
    assert trisect_code(SFNNClassifier).endswith(sources.digests()["fixed size"])


@pytest.mark.parametrize(
    ("file", "stale"),
    [
        ("growth/refined.py", {"refined"}),
        ("growth/nodes.py", {"refined"}),
        ("growth/paper.py", {"Algorithm 1"}),
        ("growth/granules.py", {"Algorithm 1", "refined"}),
        ("decisions/chains.py", {"Algorithm 1", "refined"}),
        ("estimators/sizes.py", {"fixed size"}),
        ("network/training.py", set(PARTS)),
        ("network/fast/__init__.py", set(PARTS)),
        ("network/fast/sweep.py", set(PARTS)),
        ("scaling/kinds.py", set(PARTS)),
        ("decisions/guarantees.py", set()),
        ("estimators/cascade.py", set()),
        ("cli/fit.py", set()),
        ("desk/monitor.py", set()),
        ("plots/flow.py", set()),
        ("growth/__init__.py", set()),
    ],
)
def test_code_makes_stale_what_it_takes_part_in(sources, file, stale):
    assert sources.stale_after(file, "_STEP = 0.1") == stale


def test_a_changed_constant_changes_the_key(sources):
    added = sources.stale_after(REFINED, "_STEP = 0.1")
    assert sources.stale_after(REFINED, "_STEP = 0.2") == added == {"refined"}


def test_a_docstring_a_comment_or_layout_keeps_the_key(sources):
    before = sources.digests()
    for file in sources.folder.rglob("*.py"):
        text = file.read_text("utf-8").replace('"""', '"""Reworded: ', 1)
        file.write_text(f"{text}\n\n# a comment\n\n\n'''A string that stands alone.'''\n", "utf-8")
    assert sources.digests() == before


def test_an_import_inside_a_function_counts(sources):
    late = "def _late():\n    from trisect.demo import run\n    return run"
    assert sources.stale_after(PAPER, late) == {"Algorithm 1"}
    assert sources.folder / "demo.py" in sources.files("Algorithm 1")


def files_that_run(model):
    """The files of trisect with a function that runs in a fit and in what is measured of it."""
    X, y = make_classification(200, 5, random_state=0)
    seen = set()

    def note(frame, event, _):
        if event == "call":
            seen.add(frame.f_code.co_filename)

    estimator = model.build(model.configurations(5)[0], 0)
    sys.setprofile(note)
    try:
        estimator.fit(X, y, X_val=X, y_val=y).predict_proba(X)
        level_records(estimator, X, y)
        decision_measures(estimator, X, y)
    finally:
        sys.setprofile(None)
    return {path for path in map(Path, seen) if path.is_relative_to(ROOT)}


@pytest.mark.parametrize(
    "name",
    ["m1-SFNN-R", "GS-SFNN", "PSO-SFNN"]
    + [f"{kind} ({g})" for kind in ("STWD-SFNN", "TWD-SFNN-R") for g in ("Algorithm 1", "refined")],
)
def test_all_that_runs_in_a_fit_counts(name):
    model = MODELS[name]
    estimator, *others = model.code.args
    homes = [ROOT.joinpath(*kind.__module__.split(".")[1:]) for kind in (estimator, *others)]
    start, *without = (home.with_suffix(".py") for home in homes)
    ran = files_that_run(model)
    assert start in ran
    assert ran <= imported_files(start, ROOT, without)


def test_rows_of_either_growth_have_a_code_of_their_own():
    codes = {model.name: model.code() for table in ABLATION.tables for model in table.models}
    paper = {code for name, code in codes.items() if name.startswith("algorithm-1")}
    refined = {code for name, code in codes.items() if not name.startswith("algorithm-1")}
    assert len(paper) == len(refined) == 1
    assert paper != refined
