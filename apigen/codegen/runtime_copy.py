"""Copy the runtime next to the output, so that generated code needs only the standard library."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.output import OutputFile
from apigen.codegen.python.source_text import HEADER

_RUNTIME = Path(__file__).resolve().parent.parent / "runtime"


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """Yield the modules of `apigen.runtime`, unchanged."""
    for path in sorted(_RUNTIME.iterdir()):
        if path.suffix == ".py" or path.name == "py.typed":
            mark = f"{HEADER}\n".encode() if path.suffix == ".py" else b""
            yield OutputFile(f"runtime/{path.name}", mark + path.read_bytes(), is_source=True)
