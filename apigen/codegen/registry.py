"""The outputs of a run: every backend, in the order in which they write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.output import OutputFile
from apigen.diagnostics import Report
from apigen.ir.graphs import reached

Backend = Callable[[BackendInput], Iterator[OutputFile]]

BACKENDS: Mapping[str, str] = {
    "types": "types.backend",
    "json": "json_codec.backend",
    "protobuf": "protobuf_codec.backend",
    "proto": "proto_text.backend",
    "json schema": "json_schema.backend",
    "copying": "copying",
    "layouts": "layouts.backend",
    "required": "required",
    "defaults": "defaults.backend",
    "deprecations": "deprecations",
    "conversions": "conversions.backend",
    "conversion layouts": "layouts.conversion_layouts",
    "losses": "losses",
    "property tests": "generated_tests.property_tests",
    "rollback tests": "generated_tests.rollback_tests",
    "strategies": "strategies.backend",
    "validation": "validation.backend",
    "rules": "rules.backend",
    "singulars": "singulars",
    "gate tests": "generated_tests.gate_tests",
    "strategy tests": "generated_tests.strategy_tests",
    "singular tests": "generated_tests.singular_tests",
    "hand-written copies": "hand_written",
    "features": "features",
    "scheme": "scheme",
    "docs": "docs.backend",
    "version pages": "docs.version",
    "runtime": "runtime_copy",
    "crd": "crd.backend",
}
"""Name -> module, whose `plan` is the backend. A module is imported when its backend is first used."""

DEFAULT = "default"
"""The name for all backends that are not optional, in configurations."""

OPTIONAL = frozenset({"crd"})
"""Backends that must be named in the configuration. They write no Python, and do not depend on a package."""

CHECKS: Mapping[str, str] = {"crd": "crd.checks"}
"""Backend -> module whose `check` reports the parts of an API that the backend cannot express."""

FOUNDATION = ("types", "layouts", "required", "deprecations", "features", "scheme", "runtime")
"""Backends of every output with Python code."""

NEEDS: Mapping[str, tuple[str, ...]] = {
    "defaults": ("copying", "hand-written copies"),
    "conversions": ("conversion layouts", "copying", "json", "hand-written copies"),
    "losses": ("conversions",),
    "property tests": ("defaults", "losses"),
    "rollback tests": ("property tests", "strategies"),
    "strategies": ("copying", "validation", "singulars"),
    "validation": ("hand-written copies", "rules"),
    "rules": ("conversions", "json"),
    "singulars": ("conversions", "copying"),
    "gate tests": ("strategies",),
    "strategy tests": ("strategies",),
    "singular tests": ("singulars",),
    "docs": ("version pages",),
}
"""Backend -> those whose modules its modules import, or whose pages its pages link to, besides the foundation."""


def backend_of(name: str) -> Backend:
    """Return the backend of a name. Raises KeyError for an unknown one."""
    found: Backend = import_module(f"{__package__}.{BACKENDS[name]}").plan
    return found


def check_backends(backend_input: BackendInput, names: Iterable[str] | None, report: Report) -> None:
    """Report the parts of an API that the chosen backends cannot express."""
    for name in chosen(names):
        if name in CHECKS:
            import_module(f"{__package__}.{CHECKS[name]}").check(backend_input, report)


def chosen(names: Iterable[str] | None) -> tuple[str, ...]:
    """Return the backends of these names, with those that they need, in order; None and `default` select those that
    are not optional.
    """
    default = tuple(name for name in BACKENDS if name not in OPTIONAL)
    if names is None:
        return default
    requested = [each for name in names for each in (default if name == DEFAULT else (name,))]
    foundation = () if requested and OPTIONAL.issuperset(requested) else FOUNDATION
    needed = reached((*foundation, *requested), lambda name: NEEDS.get(name, ()))
    return tuple(name for name in BACKENDS if name in needed)
