"""The outputs of a run: every backend, in the order in which they write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from apigen.backends import (
    conversions,
    copying,
    defaults,
    deprecations,
    docs,
    features,
    generated_tests,
    hand_written,
    json_codec,
    json_schema,
    losses,
    property_tests,
    proto_text,
    protobuf_codec,
    rollback_tests,
    rules,
    runtime_copy,
    scheme,
    singular_tests,
    singulars,
    strategies,
    strategy_tests,
    types,
    validation,
)
from apigen.compilation import Compilation
from apigen.emit.output import OutputFile
from apigen.ir.graphs import reached

Backend = Callable[[Compilation], Iterator[OutputFile]]

BACKENDS: Mapping[str, Backend] = {
    "types": types.plan,
    "json": json_codec.plan,
    "protobuf": protobuf_codec.plan,
    "proto": proto_text.plan,
    "json schema": json_schema.plan,
    "copying": copying.plan,
    "defaults": defaults.plan,
    "deprecations": deprecations.plan,
    "conversions": conversions.plan,
    "losses": losses.plan,
    "property tests": property_tests.plan,
    "rollback tests": rollback_tests.plan,
    "strategies": strategies.plan,
    "validation": validation.plan,
    "rules": rules.plan,
    "singulars": singulars.plan,
    "gate tests": generated_tests.plan,
    "strategy tests": strategy_tests.plan,
    "singular tests": singular_tests.plan,
    "hand-written copies": hand_written.plan,
    "features": features.plan,
    "scheme": scheme.plan,
    "docs": docs.plan,
    "runtime": runtime_copy.plan,
}
"""Name -> backend."""

FOUNDATION = ("types", "deprecations", "features", "scheme", "runtime")
"""What every output has."""

NEEDS: Mapping[str, tuple[str, ...]] = {
    "defaults": ("hand-written copies",),
    "conversions": ("copying", "json", "hand-written copies"),
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
}
"""Backend -> those whose modules its modules import, besides the foundation."""


def chosen(names: Iterable[str] | None) -> Mapping[str, Backend]:
    """The backends of these names, with what they need, in order; all of them for None."""
    if names is None:
        return BACKENDS
    wanted = reached((*FOUNDATION, *names), lambda name: NEEDS.get(name, ()))
    return {name: backend for name, backend in BACKENDS.items() if name in wanted}
