"""From options to a report: load, plan, run, tell, write."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from pathlib import Path

from rich.console import Console

from trisect.cli.display import display
from trisect.cli.loading import load_chosen
from trisect.cli.options import RunOptions
from trisect.cli.planning import Outlook, print_plan
from trisect.cli.run_state import RunState, name_of
from trisect.experiments.estimate import seconds_text
from trisect.experiments.executors import cluster_cores
from trisect.experiments.naming import counted
from trisect.experiments.report import check_target, write_report
from trisect.experiments.report.machine import command_text
from trisect.experiments.runner import run
from trisect.experiments.store import ResultStore
from trisect.experiments.study import Study, make_study, resolve_tables

TYPED: ContextVar[tuple[str, ...]] = ContextVar("TYPED", default=())
"""What the user typed, for messages and for the first page of a report."""

NOTHING_SUCCEEDED = 1
INTERRUPTED = 130
LISTED_FAILURES = 10


def run_study(tables: Sequence[str], options: RunOptions, default_out: str) -> int:
    """Run some tables and write their report; returns the exit code.

    0 when at least one fit of the plan succeeded, now or before: failures are listed and the
    report shows what there is. 1 when none did. 130 when interrupted.
    """
    console = Console(highlight=False)
    out = options.out or Path(default_out)
    # What can be wrong is found before anything is computed.
    check_target(out)
    folds = options.chosen_folds
    resolve_tables(tables)
    workers, where = _workers(options)
    datasets = load_chosen(options, console)
    study = make_study(
        tables,
        datasets,
        models=options.chosen_models,
        folds=folds,
        seed=options.seed,
        limit=options.limit,
    )
    with ResultStore(options.store) as store:
        outlook = Outlook(study, store.results(), options.retry_failed)
        print_plan(console, outlook, where, workers, options.store.name)
        if options.dry_run:
            return 0
        note: str | None = ""
        if not options.report_only:
            note = _compute(console, study, store, outlook, options, (workers, where))
        if note is None:
            return INTERRUPTED
        return _report(console, study, store, out, note)


def _workers(options: RunOptions) -> tuple[int, str]:
    from joblib import effective_n_jobs

    if options.dask is not None and not options.report_only:
        workers = cluster_cores(options.dask)
        return max(1, workers), f"Dask at {options.dask}, {counted(workers, 'core')}"
    workers = effective_n_jobs(options.n_jobs)
    return workers, "1 process" if workers == 1 else f"{workers} processes"


def _compute(
    console: Console,
    study: Study,
    store: ResultStore,
    outlook: Outlook,
    options: RunOptions,
    place: tuple[int, str],
) -> str | None:
    """Run what is missing; a sentence about it, or None when the user stopped it."""
    shown: RunState | None = None
    workers, where = place
    try:
        with display(console, outlook, workers) as shown:
            summary = run(
                study.plan,
                store,
                n_jobs=options.n_jobs,
                dask=options.dask,
                listener=shown,
                retry_failed=options.retry_failed,
            )
    except KeyboardInterrupt:
        done = 0 if shown is None else shown.done
        console.print(
            f"\n[bold]Stopped.[/] {done:,} of {study.plan.n_fits:,} fits are safe in "
            f"{options.store}. The same command goes on from there:\n"
            f"  {command_text(TYPED.get())}\n"
            "With --report-only it writes a report of what there is.",
            soft_wrap=True,
        )
        return None
    duration = seconds_text(summary.seconds)
    console.print(f"Computed {counted(summary.computed, 'fit')} in {duration}.")
    if not summary.computed:
        return ""
    last = (
        f"The last {counted(summary.computed, 'fit')}" if summary.computed < summary.total else ""
    )
    return f"{last or 'All of them'} took {duration} on {where}."


def _report(console: Console, study: Study, store: ResultStore, out: Path, note: str) -> int:
    results = study.results(store.results())
    failed = [result for result in results if result.failed]
    for result in failed[:LISTED_FAILURES]:
        reason = (result.error or "").partition("\n")[0]
        console.print(f"[red]failed[/]  {name_of(result.key)}: ", end="")
        console.print(reason, markup=False, soft_wrap=True)
    if len(failed) > LISTED_FAILURES:
        console.print(f"[red]failed[/]  and {len(failed) - LISTED_FAILURES} more")
    if len(failed) == len(results):
        console.print("[bold red]No fit succeeded[/], so there is nothing to report.")
        return NOTHING_SUCCEEDED
    write_report(study, store, out, command=command_text(TYPED.get()), note=note)
    console.print(f"Report: [bold]{out / 'README.md'}[/], answers: [bold]{out / 'answers.md'}[/]")
    if failed:
        console.print(
            f"{counted(len(failed), 'failure')} in {out / 'failures.md'}; --retry-failed tries "
            "again."
        )
    return 0
