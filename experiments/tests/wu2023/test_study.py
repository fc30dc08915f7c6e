"""The paper's tables, questions and rankings, and the ablation."""

import pickle

import pytest

from trisect_experiments.datasets import load_dataset
from trisect_experiments.datasets.uci import RECIPES
from trisect_experiments.study import plan_study
from trisect_experiments.wu2023 import ABLATION, MODELS, PAPER
from trisect_experiments.wu2023.ablation import BASELINE, READING, VARIANTS
from trisect_experiments.wu2023.commands import ablate, reproduce
from trisect_experiments.wu2023.models import NO_KMEANS, STWD

DATA = load_dataset("xor", n_samples=200)


@pytest.mark.parametrize(("study", "command"), [(PAPER, reproduce), (ABLATION, ablate)])
def test_the_help_of_the_command_names_every_table(study, command):
    assert all(table.name in command.__doc__ for table in study.tables)


@pytest.mark.parametrize("study", [PAPER, ABLATION], ids=["paper", "ablation"])
def test_a_study_refers_to_what_it_has(study):
    assert set(study.datasets) == set(RECIPES) and set(study.dataset_notes) <= set(RECIPES)
    for question in study.questions:
        for contest in question.contests:
            names = [model.name for model in study.table(contest.table).models]
            assert {contest.subject or study.subject, *contest.rivals} <= set(names)
    for ranking in study.rankings:
        assert {study.table(name).n_splits for name in ranking.tables} == {10}


def test_the_others_of_a_table_are_compared_with_a_model_that_it_has():
    assert {PAPER.subject_of(table.name) for table in PAPER.tables} == {PAPER.subject}
    assert [ABLATION.subject_of(table.name) for table in ABLATION.tables] == [BASELINE, READING]


@pytest.mark.parametrize("question", PAPER.questions[:5], ids=lambda question: question.title[:4])
def test_every_question_is_asked_of_both_growths(question):
    assert {contest.subject for contest in question.contests} == set(PAPER.subjects)
    for contest in question.contests:
        growth = contest.subject.partition(" ")[2]
        assert all(name.endswith(growth) for name in contest.rivals if name.endswith(")"))


def test_without_kmeans_the_granules_alone_differ():
    for growth, model in NO_KMEANS.items():
        with_kmeans = STWD[growth].space(2)
        assert model.space(2) == [{**c, "granules": "rows"} for c in with_kmeans]


def test_the_shared_model_is_fitted_once():
    planned = plan_study(PAPER, [DATA], folds=[0], limit=1)
    ours = [job.key.protocol for job in planned.plan.jobs if job.key.model == PAPER.subject]
    assert sorted(ours) == ["10-fold", "5-fold"]


def test_the_five_fold_table_searches_the_same_for_both():
    (five,) = plan_study(PAPER, [DATA], ["twd-5fold"], folds=[0]).sections
    searched = [[job.key.configuration for job in cell.jobs] for cell in five.plan.cells]
    assert searched[:2] == searched[2:] and [len(set(jobs)) for jobs in searched[:2]] == [6, 1]
    limited = ["6 of its 12 configurations" in model.limits for model in five.models]
    assert limited == [True, False, True, False]


VARIANT_MODELS = {model.name: model for table in ABLATION.tables for model in table.models}


def test_every_variant_has_a_row():
    assert VARIANT_MODELS.keys() == VARIANTS.keys()
    parts, readings = ({model.name for model in table.models} for table in ABLATION.tables)
    assert parts & readings == {READING}


@pytest.mark.parametrize("model", VARIANT_MODELS.values(), ids=lambda model: model.name)
def test_every_variant_can_be_fitted_by_a_worker(model):
    other = pickle.loads(pickle.dumps(model))
    (configuration,) = other.configurations(2)
    fitted = other.build(configuration, 0).fit(DATA.X, DATA.y, X_val=DATA.X, y_val=DATA.y)
    assert 1 <= fitted.n_hidden_ <= 10


def test_variants_differ_from_the_baseline_in_one_parameter():
    assert VARIANTS[BASELINE][1] == {}
    paper = MODELS["STWD-SFNN (Algorithm 1)"].space(2)[0]
    for model in VARIANT_MODELS.values():
        _, change = VARIANTS[model.name]
        (configuration,) = model.space(2)
        assert change.items() <= configuration.items()
        assert model.name in (BASELINE, READING) or len(change) == 1
        assert configuration.keys() - change.keys() <= paper.keys()
