"""Every code that apigen can report, by hundreds: a stage adds its codes in the module of its hundred."""

from __future__ import annotations

from apigen.diagnostics.catalog import (
    cel,
    compat_approvals,
    compat_proto,
    compat_schemas,
    compat_sources,
    evolution,
    fields,
    gates,
    grammar,
    handwritten,
    history,
    hub,
    importing,
    importing_results,
    lifecycles,
    names,
    numbers,
    output,
    proof,
    reading,
    rollback,
    rules,
    steps,
    values,
)
from apigen.diagnostics.catalog.code_info import CodeInfo
from apigen.diagnostics.catalog.reading import INPUT_CODES

CATALOG: tuple[CodeInfo, ...] = (
    *reading.CODES,
    *grammar.CODES,
    *names.CODES,
    *numbers.CODES,
    *fields.CODES,
    *lifecycles.CODES,
    *hub.CODES,
    *proof.CODES,
    *handwritten.CODES,
    *output.CODES,
    *rules.CODES,
    *importing.CODES,
    *importing_results.CODES,
    *history.CODES,
    *gates.CODES,
    *evolution.REMOVALS,
    *values.CODES,
    *evolution.LIFECYCLES,
    *rollback.CODES,
    *cel.CODES,
    *steps.CODES,
    *compat_sources.CODES,
    *compat_approvals.CODES,
    *compat_schemas.CODES,
    *compat_proto.CODES,
)
"""All codes in order."""

_BY_CODE = {info.code: info for info in CATALOG}


def code_info(code: str) -> CodeInfo | None:
    """What is known of a code, in capitals or not; None if there is no such code."""
    return _BY_CODE.get(code.upper())


def explanation(code: str) -> str | None:
    """What `apigen explain CODE` prints; None if there is no such code."""
    info = code_info(code)
    if info is None:
        return None
    example = "\n".join(f"    {line}".rstrip() for line in info.example.strip("\n").splitlines())
    return f"{info.code}: {info.title}\n\n{info.explanation.strip()}\n\nExample:\n\n{example}\n"


__all__ = ["CATALOG", "INPUT_CODES", "CodeInfo", "code_info", "explanation"]
