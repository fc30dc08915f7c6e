"""A study plans several tables at once and fits what they share once."""

import pickle

import pytest

from trisect_experiments.ablation import ABLATION, BASELINE, VARIANTS
from trisect_experiments.datasets import load_dataset
from trisect_experiments.estimate import TimeEstimate
from trisect_experiments.records import Key, Result
from trisect_experiments.study import make_study

DATA = load_dataset("xor", n_samples=200)


def test_shared_fits_are_planned_once():
    study = make_study(["all"], [DATA], folds=[0], limit=1)
    keys = [job.key for job in study.plan.jobs]
    assert len(keys) == len(set(keys))
    ours = [key.protocol for key in keys if key.model == "STWD-SFNN"]
    assert sorted(ours) == ["10-fold", "5-fold"]
    assert all(section.models[-1].name == "STWD-SFNN" for section in study.sections)


def test_folds_that_a_table_lacks_are_left_out_there():
    study = make_study(["twd-5fold", "classic"], [DATA], folds=[4, 7], limit=1)
    folds = {s.table: {job.key.fold for job in s.plan.jobs} for s in study.sections}
    assert folds == {"twd-5fold": {4}, "classic": {4, 7}}
    assert [s.table for s in make_study(["all"], [DATA], folds=[9]).sections] == [
        "static",
        "dynamic",
        "classic",
        "modern",
    ]
    assert (
        study.folds_text() == "test folds 4 and 7 of 10, and test folds 4 and 7 of 5 in twd-5fold"
    )


def test_the_five_fold_table_searches_a_sample_of_the_grid_and_says_so():
    five, ten = make_study(["twd-5fold", "dynamic"], [DATA], folds=[0]).sections
    searched = {m.name: [c for c in five.plan.cells if c.jobs[0].model == m] for m in five.models}
    sampled = [[job.key.configuration for job in cells[0].jobs] for cells in searched.values()]
    assert sampled[0] == sampled[1] and len(set(sampled[0])) == 6, "both search the same six"
    assert all("6 of its 12 configurations" in model.caps() for model in five.models)
    assert {len(c.jobs) for c in ten.plan.cells if c.jobs[0].key.model == "STWD-SFNN"} == {12}


def test_results_of_other_studies_do_not_count():
    study = make_study(["classic"], [DATA], models=["knn"], folds=[0], limit=1)
    (job,) = study.plan.jobs
    own, foreign = Result(job.key), Result(job.key._replace(seed=7))
    assert study.results([foreign, own]) == [own]
    assert study.section("classic") is study.sections[0] and study.section("static") is None


def test_names_are_checked():
    with pytest.raises(ValueError, match="did you mean KNN"):
        make_study(["classic"], [DATA], models=["KN"])
    with pytest.raises(ValueError, match="None of LightGBM belongs to classic"):
        make_study(["classic"], [DATA], models=["LightGBM"])


@pytest.mark.parametrize("model", ABLATION, ids=lambda model: model.name)
def test_every_variant_can_be_fitted_by_a_worker(model):
    other = pickle.loads(pickle.dumps(model))
    (configuration,) = other.configurations(2)
    fitted = other.build(configuration, 0).fit(DATA.X, DATA.y, X_val=DATA.X, y_val=DATA.y)
    assert 1 <= fitted.n_hidden_ <= 10
    thresholds = {(level.alpha, level.beta) for level in fitted.levels_}
    if model.name == "fixed-thresholds":
        assert len(thresholds) == 1
    elif model.name == BASELINE:
        assert len(thresholds) == len(fitted.levels_)


def test_variants_differ_from_the_baseline_in_one_parameter():
    assert VARIANTS[BASELINE][1] == {}
    for name, (_, change) in VARIANTS.items():
        parent = VARIANTS["paper"][1] if name.startswith("paper-") else {}
        assert parent.items() <= change.items()
        assert name == BASELINE or len(change) == len(parent) + 1


def test_the_estimate_goes_from_the_particular_to_the_general():
    estimate = TimeEstimate({"A": 100, "B": 400})

    def learn(dataset, model, seconds):
        key = Key(dataset, model, "10-fold", 0, "{}", 0, "", "")
        estimate.learn(Result(key, train_seconds=seconds, test_seconds=0.0))

    learn("A", "RF", 1.0)
    learn("A", "RF", 3.0)
    assert estimate.of("A", "RF") == 2
    assert estimate.of("B", "RF") == 8, "four times the cells"
    assert estimate.of("B", "KNN") == 2, "nothing is known of it but the average"
    estimate.learn(Result(Key("A", "RF", "", 0, "", 0, "", ""), error="x"))
    assert estimate.of("A", "RF") == 2
