"""The outputs of a run: every backend, in the order in which they write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from apigen.backends import copying, deprecations, features, hand_written, losses, runtime_copy, scheme, singulars
from apigen.backends.conversions import backend as conversions
from apigen.backends.defaults import backend as defaults
from apigen.backends.docs import backend as docs
from apigen.backends.generated_tests import gate_tests, property_tests, rollback_tests, singular_tests, strategy_tests
from apigen.backends.json_codec import backend as json_codec
from apigen.backends.json_schema import backend as json_schema
from apigen.backends.layouts import backend as layouts
from apigen.backends.layouts import conversion_layouts
from apigen.backends.proto_text import backend as proto_text
from apigen.backends.protobuf_codec import backend as protobuf_codec
from apigen.backends.rules import backend as rules
from apigen.backends.strategies import backend as strategies
from apigen.backends.types import backend as types
from apigen.backends.validation import backend as validation
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
    "layouts": layouts.plan,
    "defaults": defaults.plan,
    "deprecations": deprecations.plan,
    "conversions": conversions.plan,
    "conversion layouts": conversion_layouts.plan,
    "losses": losses.plan,
    "property tests": property_tests.plan,
    "rollback tests": rollback_tests.plan,
    "strategies": strategies.plan,
    "validation": validation.plan,
    "rules": rules.plan,
    "singulars": singulars.plan,
    "gate tests": gate_tests.plan,
    "strategy tests": strategy_tests.plan,
    "singular tests": singular_tests.plan,
    "hand-written copies": hand_written.plan,
    "features": features.plan,
    "scheme": scheme.plan,
    "docs": docs.plan,
    "runtime": runtime_copy.plan,
}
"""Name -> backend."""

WORDED = ("types", "proto", "json schema", "docs")
"""The backends that repeat what specs document (`Known.text`); of all others the output is the same without a word of it."""

FOUNDATION = ("types", "layouts", "deprecations", "features", "scheme", "runtime")
"""What every output has."""

NEEDS: Mapping[str, tuple[str, ...]] = {
    "defaults": ("hand-written copies",),
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
}
"""Backend -> those whose modules its modules import, besides the foundation."""


def chosen(names: Iterable[str] | None) -> Mapping[str, Backend]:
    """The backends of these names, with what they need, in order; all of them for None."""
    if names is None:
        return BACKENDS
    wanted = reached((*FOUNDATION, *names), lambda name: NEEDS.get(name, ()))
    return {name: backend for name, backend in BACKENDS.items() if name in wanted}
