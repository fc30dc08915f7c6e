"""How the loops are compiled, where the compiled code is kept, and what is said about it."""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numba import config, njit
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

from trisect.network.notices import log_once

__all__ = [
    "ONE",
    "TWO",
    "ZERO",
    "F",
    "announced",
    "exact",
    "exact_kernel",
    "in_order",
    "kernel",
    "reordered",
]

if config.DISABLE_JIT:
    raise ImportError("NUMBA_DISABLE_JIT is set")

F = np.float32
ZERO, ONE, TWO = F(0.0), F(1.0), F(2.0)

# Sums may be reordered, which vector lanes need; infinities and NaN keep their meaning.
REORDERED = {"reassoc", "contract", "nsz", "arcp"}
# Long products keep their order, which is written out in vector lanes.
IN_ORDER = {"contract", "nsz"}


class _PartLibrary(JITCodeLibrary):
    """Code that is optimised and loaded as a part of the kernels that call it, and not before.

    The compiler would do both for each function apart, again for each that calls it, and in the
    process that compiles would run code that a process that loads the kernel does not have.
    """

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return zero: there is no code to call yet."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """Where an environment is set, which a part does not have."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Leave it."""


class _PartCompiler(Compiler):
    def define_pipelines(self) -> list[Any]:
        state = self.state
        if state.library is None:
            state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()


# Whoever calls a kernel holds its arrays. Counting references to them would be a twentieth of the
# time of a fit, far more where threads count the same, and a third of the code to compile.
_common: dict[str, Any] = {"error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}
# Only compiled code calls these, so they need no entries from Python and from C.
_internal = _common | {"no_cpython_wrapper": True, "pipeline_class": _PartCompiler}
reordered = njit(fastmath=REORDERED, **_internal)
in_order = njit(fastmath=IN_ORDER, **_internal)
exact = njit(**_internal)


def _kernel(fastmath: Any) -> Callable[[Any], Any]:
    def compiled(function: Any) -> Any:
        dispatcher = njit(nogil=True, fastmath=fastmath, **_common)(function)
        try:
            dispatcher.enable_caching()
        except RuntimeError:  # no folder can be written to
            log_once("No folder for compiled code: each process compiles anew.")
            return dispatcher
        _stamp(dispatcher)
        return dispatcher

    return compiled


kernel = _kernel(REORDERED)
exact_kernel = _kernel(False)


def _stamp(dispatcher: Any) -> None:
    """Make a change in any file of the engine outdate the code that is kept.

    The compiler looks at the file of the kernel only, not at those that it calls. If a future
    version of it keeps its stamp elsewhere, that is how it stays.
    """
    kept: Any = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    if hasattr(kept, "_source_stamp"):
        kept._source_stamp = (kept._source_stamp, _digest())


@cache
def _digest() -> str:
    here = Path(__file__).parent
    constants = [here.parent / name for name in ("activations.py", "contract.py", "exact.py")]
    sources = [*sorted(here.glob("*.py")), *constants]
    return hashlib.sha256(b"\0".join(source.read_bytes() for source in sources)).hexdigest()


def announced(call: Callable[[], Any]) -> None:
    """Make a call, and log a line before the compiler starts, if it does."""
    try:
        from numba.core.event import Listener, install_listener
    except ImportError:  # the interface is experimental
        call()
        return

    class Announcer(Listener):
        def on_start(self, event: Any) -> None:
            log_once("Compiling; this happens once after an installation and takes seconds.")

        def on_end(self, event: Any) -> None:
            pass

    with install_listener("numba:compile", Announcer()):
        call()
