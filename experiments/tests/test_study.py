"""A study plans several tables at once and fits what they share once."""

from entrants import BAYES, TREE
from studies import STUDY

from trisect_experiments.datasets import load_dataset
from trisect_experiments.records import Result
from trisect_experiments.study import Study, Table, plan_study

DATA = load_dataset("xor", n_samples=200)


def test_shared_fits_are_planned_once():
    tables = tuple(Table(name, name, name, (BAYES, TREE)) for name in ("one", "two"))
    planned = plan_study(Study("Twice", "tree", tables, ()), [DATA], folds=[0])
    assert [section.plan.n_fits for section in planned.sections] == [5, 5]
    assert planned.plan.n_fits == len({job.key for job in planned.plan.jobs}) == 5


def test_folds_that_a_table_lacks_are_left_out_there():
    planned = plan_study(STUDY, [DATA], folds=[4, 7])
    folds = {s.table.name: {job.key.fold for job in s.plan.jobs} for s in planned.sections}
    assert folds == {"trees": {4, 7}, "few": {4}}
    assert planned.folds_text() == ("test folds 4 and 7 of 10, and test folds 4 and 7 of 5 in few")
    assert [s.table.name for s in plan_study(STUDY, [DATA], folds=[9]).sections] == ["trees"]
    assert plan_study(STUDY, [DATA], ["few"]).folds_text() == "all 5 folds"


def test_a_table_may_search_a_sample_of_the_grids_and_says_so():
    trees, few = plan_study(STUDY, [DATA], folds=[0]).sections
    assert {len(cell.jobs) for cell in few.plan.cells} == {1}
    assert "1 of its 3 configurations" in few.models[-1].limits
    assert trees.models[-1].limits == () and len(trees.plan.cells[-1].jobs) == 3


def test_results_of_other_studies_do_not_count():
    planned = plan_study(STUDY, [DATA], ["few"], models=["bayes"], folds=[0])
    (job,) = planned.plan.jobs
    own, foreign = Result(job.key), Result(job.key._replace(seed=7))
    assert planned.plan.results([foreign, own]) == [own]
    assert planned.outcomes([foreign, own]) == {"few": [own]}


def test_tables_are_found_whatever_the_case():
    assert [table.name for table in STUDY.choose(["FEW", "few"])] == ["few"]
    assert STUDY.choose() == STUDY.choose(["few", "all"]) == STUDY.tables
