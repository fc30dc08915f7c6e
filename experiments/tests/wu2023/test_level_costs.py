"""Research question 6, answered from the levels."""

from studies import levels, scored

from trisect_experiments.records import Key
from trisect_experiments.report.templating import render
from trisect_experiments.wu2023 import PAPER
from trisect_experiments.wu2023.level_costs import level_costs


def process_answer(outcome):
    content = {"model": PAPER.subject, "costs": level_costs(outcome, PAPER.subject)}
    return render("level_costs.md.j2", content, PAPER.package)


def run(dataset, test_costs, delay_costs, fold=0, model=PAPER.subject):
    key = Key(dataset, model, "10-fold", fold, "{}", 0, "", "")
    return scored(key, 0.9, details={"levels": levels(test_costs, delay_costs)})


def test_growing_and_constant():
    text = process_answer(
        [
            run("A", [3, 7, 9], [3, 3, 3]),
            run("B", [3, 7, 12], [3, 4, 5]),
            run("C", [3, 7, 12], [3, 4, 4]),
            run("C", [1, 2], [1, 1], fold=1),
            run("C", [9, 1], [9, 1], model="TWD-SFNN-R (refined)"),
        ]
    )
    assert "The test cost grows with every level on 3 of 3 datasets." in text
    assert "never falls: it is constant on A; it grows with every level on B; it grows at" in text
    assert "stays as it is at others on C." in text
    assert "| C | 2 | 2.5 | 2 | 7 | 3 / 0 / 0 | 2 | 2 | 1 / 2 / 0 |" in text


def test_a_level_without_a_mistake_costs_nothing():
    text = process_answer([run("A", [3, 7], [3, 4]), run("B", [3, 3, 5], [3, 3, 3])])
    assert "grows with every level on 1 of 2 datasets; elsewhere it grows in some" in text
    assert (
        "B (1 of 2 steps)" in text
        and "in 1 step, because a level without a mistake costs nothing" in text
    )


def test_costs_that_fall_are_called_out():
    text = process_answer([run("A", [7, 3], [7, 3])])
    assert "on 0 of 1 dataset" in text and "It falls on A, which a sum of costs should not" in text
    assert "The delay cost falls, which a maximum should not, on A." in text
    assert "never falls" not in text


def test_nothing_to_say():
    assert "has no levels of STWD-SFNN (refined)" in process_answer([])
    assert "stopped at its first level" in process_answer([run("A", [3], [3])])
    assert level_costs([run("A", [3], [3])], PAPER.subject)[0].test.total == 0
