"""The paper's tables, questions and rankings, and the ablation."""

import pickle

import pytest

from trisect_experiments.datasets import load_dataset
from trisect_experiments.datasets.uci import RECIPES
from trisect_experiments.study import plan_study
from trisect_experiments.wu2023 import ABLATION, PAPER
from trisect_experiments.wu2023.ablation import BASELINE, VARIANTS
from trisect_experiments.wu2023.commands import reproduce

DATA = load_dataset("xor", n_samples=200)


def test_the_help_of_the_command_names_every_table():
    assert all(table.name in reproduce.__doc__ for table in PAPER.tables)


@pytest.mark.parametrize("study", [PAPER, ABLATION], ids=["paper", "ablation"])
def test_a_study_refers_to_what_it_has(study):
    assert set(study.datasets) == set(RECIPES) and set(study.dataset_notes) <= set(RECIPES)
    for question in study.questions:
        for contest in question.contests:
            names = [model.name for model in study.table(contest.table).models]
            assert {study.subject, *contest.rivals} <= set(names)
    for ranking in study.rankings:
        assert {study.table(name).n_splits for name in ranking.tables} == {10}


def test_the_shared_model_is_fitted_once():
    planned = plan_study(PAPER, [DATA], folds=[0], limit=1)
    ours = [job.key.protocol for job in planned.plan.jobs if job.key.model == "STWD-SFNN"]
    assert sorted(ours) == ["10-fold", "5-fold"]


def test_the_five_fold_table_searches_the_same_six_for_both():
    (five,) = plan_study(PAPER, [DATA], ["twd-5fold"], folds=[0]).sections
    first, second = ([job.key.configuration for job in cell.jobs] for cell in five.plan.cells)
    assert first == second and len(set(first)) == 6
    assert all("6 of its 12 configurations" in model.limits for model in five.models)


@pytest.mark.parametrize("model", ABLATION.tables[0].models, ids=lambda model: model.name)
def test_every_variant_can_be_fitted_by_a_worker(model):
    other = pickle.loads(pickle.dumps(model))
    (configuration,) = other.configurations(2)
    fitted = other.build(configuration, 0).fit(DATA.X, DATA.y, X_val=DATA.X, y_val=DATA.y)
    assert 1 <= fitted.n_hidden_ <= 10


def test_variants_differ_from_the_baseline_in_one_parameter():
    assert VARIANTS[BASELINE][1] == {}
    for name, (_, change) in VARIANTS.items():
        parent = VARIANTS["paper"][1] if name.startswith("paper-") else {}
        assert parent.items() <= change.items()
        assert name == BASELINE or len(change) == len(parent) + 1
