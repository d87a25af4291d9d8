"""One contender in a process of its own: `python -m benchmarks.generated.worker CONTENDER {times,memory,versions} …`.

It runs in the peers' environment and prints figures as JSON: `operation/object` -> seconds, or `memory/object` -> bytes.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from benchmarks.generated.apigen_calls import Call, apigen_calls, versioned
from benchmarks.generated.objects import json_of
from benchmarks.generated.timing import bytes_per_object, seconds_in_place, seconds_per_call

NO_ORJSON = "standard-library"
"""The form of apigen for which orjson cannot be imported."""


def main(arguments: Sequence[str]) -> None:
    """Measure one contender."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("contender", help="apigen, or a peer of the harness")
    parser.add_argument("what", choices=("times", "memory"))
    parser.add_argument("--harness", type=Path, required=True)
    parser.add_argument("--built", type=Path, required=True)
    parser.add_argument("--form", default="")
    parser.add_argument("--objects", type=lambda text: text.split(","), required=True)
    parser.add_argument("--operations", type=lambda text: text.split(","), default=[])
    chosen = parser.parse_args(arguments)
    if chosen.form == NO_ORJSON:
        sys.modules["orjson"] = None  # type: ignore[assignment]
    figures: dict[str, float] = {}
    for name in chosen.objects:
        calls = _calls(chosen.contender, name, chosen.harness, chosen.built)
        data = json_of(name, harness=chosen.harness)
        data = versioned(data, name) if chosen.contender == "apigen" else data
        if chosen.what == "memory":
            decode = calls["json_decode"]
            figures[f"memory/{name}"] = bytes_per_object(partial(decode, data))
        else:
            wire = Path(os.environ["PEERS_BUILD"], "wire", f"{name}.pb")
            wanted = [operation for operation in chosen.operations if operation in calls]
            figures |= dict(_times(name, calls, wanted, data, wire.read_bytes() if wire.exists() else None))
    print(json.dumps(figures))


def _calls(contender: str, name: str, harness: Path, built: Path) -> dict[str, Call]:
    if contender == "apigen":
        return apigen_calls(built, name)
    peers = _harness(harness / "python_runtime.py")
    found: dict[str, Call] = peers.PEERS[contender](name)
    return found


def _harness(path: Path) -> Any:
    """The harness' table of peers."""
    spec = importlib.util.spec_from_file_location("peers_of_the_harness", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _times(
    name: str, calls: dict[str, Call], operations: Sequence[str], data: bytes, wire: bytes | None
) -> Iterator[tuple[str, float]]:
    """Each operation on its argument; those without one, for want of Go's protobuf, are omitted."""
    fresh = _source(calls, data, wire)
    if fresh is None:
        return
    hub = calls["to_hub"](_defaulted(calls, fresh())) if "to_hub" in calls else None
    arguments = {
        "json_decode": data,
        "full_way": data,
        "pb_decode": calls["wire"](fresh()) if "wire" in calls else wire,
        "yaml_decode": yaml.safe_dump(json.loads(data), sort_keys=True).encode(),
        "from_hub": hub,
        "from_hub_shared": hub,
        "to_hub": _defaulted(calls, fresh()),
        "to_hub_shared": _defaulted(calls, fresh()),
    }
    obj = fresh()
    for operation in operations:
        call = calls[operation]
        argument = arguments.get(operation, obj)
        if operation == "default":
            yield f"{operation}/{name}", seconds_in_place(call, fresh)
        elif argument is not None:
            yield f"{operation}/{name}", seconds_per_call(partial(call, argument))


def _source(calls: dict[str, Call], data: bytes, wire: bytes | None) -> Callable[[], Any] | None:
    if "json_decode" in calls:
        return lambda: calls["json_decode"](data)
    return None if wire is None else lambda: calls["pb_decode"](wire)


def _defaulted(calls: dict[str, Call], obj: Any) -> Any:
    """Go converts what has its defaults; so does everybody."""
    if "default" in calls:
        calls["default"](obj)
    return obj


if __name__ == "__main__":
    main(sys.argv[1:])
