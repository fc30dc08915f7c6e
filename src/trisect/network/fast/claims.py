"""How threads share the tasks of a pass, without locks.

A pass is a sequence of phases of some tasks each. A thread takes tasks of the current phase that
no other has taken, first those that it had in the phases before, whose numbers are in its cache.
A thread that the system has put aside holds up the others by one task at most, and one thread
alone does all. Which thread does a task has no influence on its result.
"""

import sys

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from trisect.network.fast.compiler import exact

__all__ = ["claim", "finish", "new_counters", "wait_for"]

# Numbers on cache lines of their own: how many tasks are done, then the last phase in which
# each task has been taken.
LINE = 8
DONE, TAKEN = LINE, 2 * LINE
# Looks before a waiting thread lets others run: some microseconds, as long as a task may take.
PATIENCE = 4_000

_INT = ir.IntType(64)
_give_way = types.ExternalFunction(
    "SwitchToThread" if sys.platform == "win32" else "sched_yield", types.int32()
)


def new_counters(n_tasks: int) -> np.ndarray:
    """Return counters for a pass whose phases have so many tasks at most."""
    return np.zeros(TAKEN + n_tasks * LINE, dtype=np.int64)


def _pointer(context, builder, signature, arguments):
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    return builder.gep(data, [arguments[1]])


@intrinsic
def _read(typing_context, counters, index):
    """Read a counter, and all that was written before it was set."""

    def codegen(context, builder, signature, arguments):
        pointer = _pointer(context, builder, signature, arguments)
        return builder.load_atomic(pointer, "acquire", 8)

    return types.int64(counters, types.int64), codegen


@intrinsic
def _increase(typing_context, counters, index):
    """Add one to a counter after all that was written before."""

    def codegen(context, builder, signature, arguments):
        pointer = _pointer(context, builder, signature, arguments)
        return builder.atomic_rmw("add", pointer, _INT(1), "acq_rel")

    return types.int64(counters, types.int64), codegen


@intrinsic
def _replace(typing_context, counters, index, expected, value):
    """Set a counter that still has the expected value; say whether it had."""

    def codegen(context, builder, signature, arguments):
        pointer = _pointer(context, builder, signature, arguments)
        pair = builder.cmpxchg(pointer, arguments[2], arguments[3], "acq_rel", "acquire")
        return builder.extract_value(pair, 1)

    return types.boolean(counters, types.int64, types.int64, types.int64), codegen


@exact
def claim(counters, phase, n_tasks, first):
    """Take a task of a phase, from 1, starting with the first; return -1 if all are taken."""
    for i in range(n_tasks):
        task = (first + i) % n_tasks
        index = TAKEN + task * LINE
        before = _read(counters, index)
        if before < phase and _replace(counters, index, before, phase):
            return task
    return -1


@exact
def finish(counters):
    """Say that a task is done."""
    _increase(counters, DONE)


@exact
def wait_for(counters, n_done):
    """Wait until so many tasks are done; one that takes long lets other threads run."""
    looks = 0
    while _read(counters, DONE) < n_done:
        looks += 1
        if looks > PATIENCE:
            _give_way()
