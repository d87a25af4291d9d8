"""The outputs of a run: every backend, in the order in which they write."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from apigen.backends import (
    conversions,
    copying,
    defaults,
    features,
    json_codec,
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

Backend = Callable[[Compilation], Iterator[OutputFile]]

BACKENDS: Mapping[str, Backend] = {
    "types": types.plan,
    "json": json_codec.plan,
    "protobuf": protobuf_codec.plan,
    "proto": proto_text.plan,
    "copying": copying.plan,
    "defaults": defaults.plan,
    "conversions": conversions.plan,
    "strategies": strategies.plan,
    "validation": validation.plan,
    "features": features.plan,
    "scheme": scheme.plan,
    "runtime": runtime_copy.plan,
}
"""Name -> backend."""
