"""What apigen's generated code does with an object, by operation."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.generated.objects import SUBJECTS

Call = Callable[[Any], object]
YAML = "application/yaml"
PROTOBUF = "application/vnd.kubernetes.protobuf"


def apigen_calls(built: Path, name: str) -> dict[str, Call]:
    """Operation -> the call. JSON, YAML and conversions go through the scheme; protobuf, as in Go, through the functions.

    Where the optional extension is installed, protobuf goes through the scheme too: only that knows it.
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
        **(_through_scheme(scheme) if find_spec("apigen_native") else {}),
        "deep_copy": scheme.copy,
        "default": scheme.default,
        "to_hub": lambda obj: convert(obj, "hub"),
        "from_hub": lambda hub: convert(hub, other),
        "to_hub_shared": lambda obj: convert(obj, "hub", share=True),
        "from_hub_shared": lambda hub: convert(hub, other, share=True),
        "full_way": full_way,
    }


def _through_scheme(scheme: Any) -> dict[str, Call]:
    """Protobuf in Kubernetes' envelope; `wire` makes an object what `pb_decode` reads."""
    decode, encode = scheme.decode, scheme.encode
    return {
        "pb_decode": lambda wire: decode(wire, PROTOBUF, default=False),
        "pb_encode": lambda obj: encode(obj, PROTOBUF),
        "wire": lambda obj: encode(obj, PROTOBUF),
    }


def versioned(data: bytes, name: str) -> bytes:
    """The object in the version that is read."""
    tree = json.loads(data) | {"apiVersion": SUBJECTS[name].version}
    return json.dumps(tree, separators=(",", ":")).encode()
