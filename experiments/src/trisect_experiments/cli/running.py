"""From options to a report: load, plan, run, write."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from trisect.cli import typed
from trisect_experiments.cli.options import (
    QUICK_CONFIGURATIONS,
    QUICK_DATASETS,
    QUICK_ROWS,
    RunOptions,
    split,
)
from trisect_experiments.cli.progress import Display, Progress, plan_view
from trisect_experiments.datasets import (
    Dataset,
    DatasetUnavailableError,
    dataset_names,
    load_dataset,
)
from trisect_experiments.datasets.loading import GENERATED_ROWS, SUFFIXES
from trisect_experiments.executors import Dask, Executor, Local
from trisect_experiments.naming import counted, duration, resolve
from trisect_experiments.report import check_target, write_report
from trisect_experiments.report.machine import command_text
from trisect_experiments.results_file import read_results, write_results
from trisect_experiments.run import run
from trisect_experiments.store import ResultStore
from trisect_experiments.study import PlannedStudy, Study, plan_study

NOTHING_SUCCEEDED = 1
INTERRUPTED = 130
LISTED_FAILURES = 10


def run_study(study: Study, tables: Sequence[str], options: RunOptions, default_out: str) -> int:
    """Run some tables of a study and write their report; returns the exit code.

    0 when at least one fit of the plan succeeded, now or before: failures are listed and the
    report shows what there is. 1 when none did. 130 when interrupted.
    """
    console = Console(highlight=False)
    out = options.out or Path(default_out)
    # Mistakes are found before anything is computed.
    check_target(out)
    if options.save is not None and not options.save.parent.is_dir():
        raise FileNotFoundError(f"--save {options.save}: there is no folder {options.save.parent}.")
    loaded = [] if options.load is None else read_results(options.load)
    folds = options.chosen_folds
    study.choose(tables)
    executor: Executor = Local(options.n_jobs)
    if options.dask is not None and not options.report_only:
        executor = Dask(options.dask)
    workers, where = executor.workers, str(executor)
    planned = plan_study(
        study,
        load_chosen(study, options, console),
        tables,
        models=split(options.models) or None,
        folds=folds,
        seed=options.seed,
        limit=QUICK_CONFIGURATIONS if options.quick else None,
    )
    try:
        with ResultStore(options.store) as store:
            for result in loaded:
                store.add(result)
            progress = Progress(planned, store.results(), workers, options.retry_failed)
            console.print(plan_view(progress, where, options.store.name))
            if options.dry_run:
                return 0
            note: str | None = ""
            if not options.report_only:
                note = _compute(console, progress, store, executor, where, options)
            if options.save is not None:
                _save(console, planned, store, options.save)
            if note is None:
                return INTERRUPTED
            return _report(console, planned, store, out, note)
    except sqlite3.Error as error:
        raise OSError(f"{options.store}: {error}.") from error


def load_chosen(study: Study, options: RunOptions, console: Console) -> list[Dataset]:
    """Load the datasets of a run.

    A dataset that was named and cannot be loaded is an error. Of the study's own, when none was
    named, those that cannot be loaded are left out with a warning.
    """

    def load(name: str) -> Dataset:
        rows = QUICK_ROWS if options.quick else GENERATED_ROWS
        return load_dataset(name, options.data_folder, target=options.target, n_samples=rows)

    if options.datasets:
        known = dataset_names()
        return [
            load(name if Path(name).suffix in SUFFIXES else resolve("dataset", name, known))
            for name in split(options.datasets)
        ]
    if options.quick and options.data_folder is None:
        return [load(name) for name in QUICK_DATASETS]
    found: list[Dataset] = []
    missing: dict[str, str] = {}
    for name in study.datasets:
        try:
            found.append(load(name))
        except DatasetUnavailableError as error:
            missing[name] = str(error)
    why = next(iter(missing.values()), "")
    if not found:
        raise DatasetUnavailableError(
            f"None of the study's datasets is available. {why} With --quick, or with --datasets "
            f"{' '.join(QUICK_DATASETS)}, nothing needs to be fetched."
        )
    if missing:
        console.print(f"[yellow]Left out:[/] {', '.join(missing)}. {why}", soft_wrap=True)
    return found


def _compute(
    console: Console,
    progress: Progress,
    store: ResultStore,
    executor: Executor,
    where: str,
    options: RunOptions,
) -> str | None:
    """Run what is missing; returns a sentence about it, or None when the user stopped it."""
    try:
        with Display(console, progress) as shown:
            summary = run(
                progress.planned.plan,
                store,
                executor,
                on_result=shown.finished,
                retry_failed=options.retry_failed,
            )
    except KeyboardInterrupt:
        console.print(
            f"\n[bold]Stopped.[/] {progress.done:,} of {progress.total:,} fits are safe in "
            f"{options.store}. The same command goes on from there:\n"
            f"  {command_text(typed())}\n"
            "With --report-only it writes a report of what there is.",
            soft_wrap=True,
        )
        return None
    took = duration(summary.seconds)
    console.print(f"Computed {counted(summary.computed, 'fit')} in {took}.")
    if not summary.computed:
        return ""
    whole = summary.computed == progress.total
    subject = "All of them" if whole else f"The last {counted(summary.computed, 'fit')}"
    return f"{subject} took {took} on {where}."


def _save(console: Console, planned: PlannedStudy, store: ResultStore, path: Path) -> None:
    """Write the results of the plan to a file, and say so."""
    results = planned.plan.results(store.results())
    write_results(path, results, {result.key for result in planned.plan.outcome(results)})
    console.print(f"{counted(len(results), 'result')} saved in [bold]{path}[/].")


def _report(
    console: Console, planned: PlannedStudy, store: ResultStore, out: Path, note: str
) -> int:
    results = planned.plan.results(store.results())
    failed = [result for result in results if result.failed]
    for result in failed[:LISTED_FAILURES]:
        console.print("[red]failed[/]  ", end="")
        console.print(result.failure, markup=False, soft_wrap=True)
    if len(failed) > LISTED_FAILURES:
        console.print(f"[red]failed[/]  and {len(failed) - LISTED_FAILURES} more")
    if len(failed) == len(results):
        console.print("[bold red]No fit succeeded[/], so there is nothing to report.")
        return NOTHING_SUCCEEDED
    write_report(planned, store, out, command=command_text(typed()), note=note)
    console.print(f"Report: [bold]{out / 'README.md'}[/], answers: [bold]{out / 'answers.md'}[/]")
    if failed:
        console.print(
            f"{counted(len(failed), 'failure')} in {out / 'failures.md'}; --retry-failed tries "
            "again."
        )
    return 0
