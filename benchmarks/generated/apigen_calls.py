"""What apigen's generated code does with an object, by operation."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.generated.objects import SUBJECTS

Call = Callable[[Any], object]
YAML = "application/yaml"


def apigen_calls(built: Path, name: str) -> dict[str, Call]:
    """Operation -> the call. JSON, YAML and conversions go through the scheme; protobuf, as in Go, through the functions.

    `versioned` makes of JSON what the object's version reads, `yaml` the same as YAML.
    """
    if str(built) not in sys.path:
        sys.path.insert(0, str(built))
    subject = SUBJECTS[name]
    scheme: Any = importlib.import_module("kubernetes_api.scheme")
    protobuf = importlib.import_module(f"kubernetes_api.{subject.package}.protobuf_codec")
    decode, encode, convert, other = scheme.decode, scheme.encode, scheme.convert, subject.other

    def full_way(data: bytes) -> bytes:
        hub = convert(decode(data), "hub", share=True)
        found: bytes = encode(convert(hub, other, share=True))
        return found

    return {
        "json_decode": lambda data: decode(data, default=False),
        "json_encode": encode,
        "yaml_decode": lambda text: decode(text, YAML, default=False),
        "pb_decode": getattr(protobuf, f"decode_{subject.function}"),
        "pb_encode": getattr(protobuf, f"encode_{subject.function}"),
        "deep_copy": scheme.copy,
        "default": scheme.default,
        "to_hub": lambda obj: convert(obj, "hub"),
        "from_hub": lambda hub: convert(hub, other),
        "to_hub_shared": lambda obj: convert(obj, "hub", share=True),
        "from_hub_shared": lambda hub: convert(hub, other, share=True),
        "full_way": full_way,
    }


def versioned(data: bytes, name: str) -> bytes:
    """The object in the version that is read."""
    tree = json.loads(data) | {"apiVersion": SUBJECTS[name].version}
    return json.dumps(tree, separators=(",", ":")).encode()
