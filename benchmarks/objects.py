"""What generated code costs per object, beside the same written by hand, in one run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from benchmarks import by_hand
from benchmarks.measuring import Cost, cost_of_each, table
from generated import scheme
from generated.flowcontrol_apiserver_k8s_io.v1 import json_codec as v1_json
from generated.flowcontrol_apiserver_k8s_io.v1 import protobuf_codec as v1_protobuf
from generated.flowcontrol_apiserver_k8s_io.v1beta2 import conversions, defaults
from generated.flowcontrol_apiserver_k8s_io.v1beta2 import json_codec as old_json
from generated.flowcontrol_apiserver_k8s_io.v1beta2.types import PriorityLevelConfiguration as Old

OBJECT = Path(__file__).with_name("priority-level.json")
NEW = "flowcontrol.apiserver.k8s.io/v1"

Call = Callable[[], object]


def operations() -> dict[str, tuple[Call, Call]]:
    """Operation -> what does it that is generated, and by hand. That both give the same is checked."""
    text = OBJECT.read_bytes()
    tree = json.loads(text)
    raw = scheme.decode(text, default=False)
    old = scheme.decode(text)
    new = scheme.convert(old, NEW)
    message = v1_protobuf.encode_priority_level_configuration(new)
    features = scheme.features()
    found: dict[str, tuple[Call, Call]] = {
        "decode JSON": (
            lambda: old_json.decode_priority_level_configuration(tree),
            lambda: by_hand.decode(tree),
        ),
        "default": (
            lambda: defaults.default_priority_level_configuration(raw, features),
            lambda: by_hand.default(raw),
        ),
        "convert, one step": (
            lambda: conversions.priority_level_configuration_to_hub(old),
            lambda: by_hand.convert(old),
        ),
        "convert, to the hub and on": (lambda: scheme.convert(old, NEW), lambda: by_hand.convert(old)),
        "encode JSON": (
            lambda: v1_json.encode_priority_level_configuration(new),
            lambda: by_hand.encode(new),
        ),
        "encode protobuf": (
            lambda: v1_protobuf.encode_priority_level_configuration(new),
            lambda: by_hand.write(new),
        ),
        "decode protobuf": (
            lambda: v1_protobuf.decode_priority_level_configuration(message),
            lambda: by_hand.read(message),
        ),
    }
    _check_same(found, scheme.copy(raw), old)
    return found


def measure() -> dict[str, tuple[Cost, Cost]]:
    """Operation -> the cost of what is generated, and of what is written by hand."""
    calls = operations()
    flat = {f"{name}/{side}": call for name, pair in calls.items() for side, call in enumerate(pair)}
    costs = cost_of_each(flat)
    return {name: (costs[f"{name}/0"], costs[f"{name}/1"]) for name in calls}


def shown(costs: dict[str, tuple[Cost, Cost]]) -> str:
    """The costs as a table."""
    columns = ["per object", "generated µs", "by hand µs", "ratio", "generated peak B", "by hand peak B"]
    rows = [
        [
            name,
            f"{generated.seconds * 1e6:.1f}",
            f"{hand.seconds * 1e6:.1f}",
            f"{generated.seconds / hand.seconds:.2f}",
            f"{generated.peak_bytes:,}",
            f"{hand.peak_bytes:,}",
        ]
        for name, (generated, hand) in costs.items()
    ]
    return table(columns, rows)


def _check_same(calls: dict[str, tuple[Call, Call]], raw: Old, defaulted: Old) -> None:
    by_hand.default(raw)
    assert raw == defaulted
    for name, (generated, hand) in calls.items():
        ours, theirs = generated(), hand()
        same = ours == theirs or (type(ours) is not type(theirs) and scheme.convert(ours, NEW) == theirs)
        assert same, f"{name}: what is generated and what is written by hand differ\n{ours}\n{theirs}"
