"""The outputs of a run: every backend, in the order in which they write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from apigen.backends import (
    conversions,
    copying,
    defaults,
    features,
    generated_tests,
    hand_written,
    json_codec,
    losses,
    property_tests,
    proto_text,
    protobuf_codec,
    runtime_copy,
    scheme,
    strategies,
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
    "copying": copying.plan,
    "defaults": defaults.plan,
    "conversions": conversions.plan,
    "losses": losses.plan,
    "property tests": property_tests.plan,
    "strategies": strategies.plan,
    "validation": validation.plan,
    "gate tests": generated_tests.plan,
    "hand-written copies": hand_written.plan,
    "features": features.plan,
    "scheme": scheme.plan,
    "runtime": runtime_copy.plan,
}
"""Name -> backend."""

FOUNDATION = ("types", "features", "scheme", "runtime")
"""What every output has."""

NEEDS: Mapping[str, tuple[str, ...]] = {
    "defaults": ("hand-written copies",),
    "conversions": ("copying", "json", "hand-written copies"),
    "losses": ("conversions",),
    "property tests": ("defaults", "losses"),
    "strategies": ("copying", "validation"),
    "validation": ("hand-written copies",),
    "gate tests": ("strategies",),
}
"""Backend -> those whose modules its modules import, besides the foundation."""


def chosen(names: Iterable[str] | None) -> Mapping[str, Backend]:
    """The backends of these names, with what they need, in order; all of them for None."""
    if names is None:
        return BACKENDS
    wanted = reached((*FOUNDATION, *names), lambda name: NEEDS.get(name, ()))
    return {name: backend for name, backend in BACKENDS.items() if name in wanted}
