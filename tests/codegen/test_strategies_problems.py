"""Errors for paths of `gates:` and `strategy:` that do not exist, or that a strategy cannot change."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report, Severity
from tests.codegen.gated_packages import build, specs

TYPES = """
    Frobber:
      fields:
        metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
        spec: {type: FrobberSpec, required: false, protobuf: 2}
        status: {type: FrobberStatus, required: false, protobuf: 3}
    FrobberSpec:
      fields:
        size: {type: int32, optional: true, protobuf: 1}
        parts: {type: "[]Part", omitEmpty: true, protobuf: 2}
        pieces: {type: "[]Piece", omitEmpty: true, protobuf: 3, listType: map, listMapKeys: [name]}
        shelves: {type: "map[string]Part", omitEmpty: true, protobuf: 4}
        count: {type: int64, omitEmpty: true, protobuf: 5}
    Piece:
      fields:
        name: {type: string, protobuf: 1}
        width: {type: int32, omitEmpty: true, protobuf: 2}
        parts: {type: "[]Part", omitEmpty: true, protobuf: 3}
    Part: {fields: {name: {type: string, protobuf: 1}}}
    FrobberStatus: {fields: {a: {type: int32, protobuf: 1}}}
    """


@pytest.mark.parametrize(
    ("hub", "strategy", "problem"),
    [
        (
            "{gate: GateA, drop: spec.sise}",
            "",
            "`spec.sise` does not exist after `spec`: FrobberSpec has no field `sise`",
        ),
        (
            '{gate: GateA, drop: "spec.parts[0]"}',
            "",
            "`spec.parts[0]` is one element by its place, which cannot be dropped",
        ),
        (
            "{gate: GateA, drop: spec.size, when: {set: spec.sise}}",
            "",
            "`spec.sise` does not exist after `spec`: FrobberSpec has no field `sise`",
        ),
        (
            "{gate: GateA, drop: spec.size, inUse: {spec.sise: 1}}",
            "",
            "`spec.sise` does not exist after `spec`: FrobberSpec has no field `sise`",
        ),
        (
            "{gate: GateA, drop: spec.size, to: many}",
            "",
            "hub.yaml:4: ",
        ),
        (
            '{gate: GateA, drop: "spec.parts[name=x]", to: {}}',
            "",
            "`spec.parts[name=x]` is dropped to a value, and only a field can be",
        ),
        (
            "",
            "{generation: {bump: [spec.sise]}}",
            "`spec.sise` does not exist after `spec`: FrobberSpec has no field `sise`",
        ),
        (
            "",
            "{status: {keep: ['spec.parts[].name']}}",
            "`spec.parts[].name` is not one field, and only a field can be kept",
        ),
        ("", "{create: {reset: ['spec.parts[]']}}", "`spec.parts[]` does not end at a field, so it cannot be reset"),
        ("", "{status: {keep: [spec], except: [spec.nothing]}}", "`spec.nothing` does not exist"),
        ("{gate: GateA, drop: spec.size, inUse: place}", "", "`spec.size` is not a field of `Frobber` itself"),
        ("", "{update: {fill: [spec.sise]}}", "`spec.sise` does not exist after `spec`"),
        ("", "{update: {fill: ['spec.parts[].name']}}", "`spec.parts[].name` cannot be filled: the items of `parts`"),
        (
            "",
            "{update: {keep: [spec], except: ['spec.parts[]']}}",
            "`spec.parts[]` cannot be excepted: it names the items, and not what changes in them",
        ),
        (
            "",
            "{update: {keep: [metadata], except: ['metadata.labels[]']}}",
            "`metadata.labels[]` cannot be excepted: it names the items",
        ),
        (
            "",
            "{update: {fill: ['spec.pieces[].parts[].name']}}",
            "`spec.pieces[].parts[].name` cannot be filled: it leads into items of more than one list",
        ),
        (
            "",
            "{update: {fill: ['spec.shelves[].name']}}",
            "`spec.shelves[].name` cannot be filled: it leads into the values of a map",
        ),
        ("", "{update: {keep: [spec], except: ['spec.pieces[].width', {path: spec.size, gate: GateA}]}}", None),
        ("", "{create: {except: [status.a]}}", None),
        ("", "{create: {except: ['spec.pieces[].width']}}", "`spec.pieces[].width` is not one field"),
        ("", "{counters: {spec.sise: {bump: [spec.parts]}}}", "`spec.sise` does not exist after `spec`"),
        ("", "{counters: {spec.count: {bump: [spec.sise]}}}", "`spec.sise` does not exist after `spec`"),
        ("", "{counters: {spec.size: {bump: [spec.parts]}}}", "`spec.size` is no int64 that is always there"),
        ("", "{counters: {'spec.pieces[].width': {bump: [spec.parts]}}}", "`spec.pieces[].width` is not one field"),
        ("", "{counters: {spec.count: {atLeast: 1, bump: [spec.parts]}}}", None),
        ('{gate: GateA, drop: ["metadata.labels[a/*]", spec.size]}', "", None),
        ('{gate: GateA, drop: "spec.parts[a/*]"}', "", "`[a/*]` requires a map, but this is a list"),
        (
            '{gate: GateA, drop: "spec.shelves[a*].name"}',
            "",
            "`[a*]` is only allowed at the end of a path that a rule of `gates` drops",
        ),
        (
            '{gate: GateA, drop: spec.size, inUse: {set: "metadata.labels[a/*]"}}',
            "",
            "`[a/*]` is only allowed at the end of a path that a rule of `gates` drops",
        ),
        ("", "{create: {set: {spec.sise: 1}}}", "`spec.sise` does not exist after `spec`"),
        ("", "{create: {set: {spec.size: many}}}", "many"),
        ("", "{create: {set: {'spec.parts[]': {}}}}", "`spec.parts[]` does not end at a field, so it cannot be set"),
        ("", "{status: {add: {spec.size: [1]}}}", "`spec.size` is no list, so nothing can be added to it"),
        ("", "{status: {add: {spec.parts: [{nam: x}]}}}", "nam"),
        ("", "{status: {when: {spec.sise: 1}}}", "`spec.sise` does not exist after `spec`"),
        ("", "{update: {reset: ['spec.parts[].name'], set: {spec.size: 1}, when: {set: spec.size}}}", None),
        ('{gate: closed, drop: "spec.parts[].name"}', "{status: {add: {spec.parts: [{name: x}]}}}", None),
        ('{gate: GateA, drop: [spec.size, "spec.parts[name=x]"]}', "{status: {keep: [.], except: [status]}}", None),
    ],
)
def test_problems(tmp_path: Path, hub: str, strategy: str, problem: str | None) -> None:
    hub_types = f"Frobber:\n  gates:\n    - {hub}\n" if hub else ""
    for name, text in specs(TYPES, hub=hub_types, strategy=strategy).items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    report = Report()
    check(Sources(tmp_path, None, tmp_path), report)
    assert all(d.code == "AG0616" for d in report.diagnostics if d.severity is Severity.ERROR)
    found = [f"{d.place.file}:{d.place.line}: {d.message}" for d in report.diagnostics if d.code == "AG0616"]
    assert len(found) == (problem is not None)
    assert problem is None or problem in found[0]


def test_conditions_of_marks_are_in_the_names_of_their_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    types = """
    Frobber:
      fields:
        metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
        mode: {type: Mode, required: false, hub: kindOfMode, protobuf: 2}
        width: {type: int32, optional: true, protobuf: 3, featureGate: {gate: GateC, inUse: {mode.name: Wide}}}
        status: {type: FrobberStatus, required: false, protobuf: 4}
    Mode: {fields: {name: {type: string, hub: title, protobuf: 1}}}
    FrobberStatus: {fields: {a: {type: int32, protobuf: 1}}}
    """
    package = build(specs(types), tmp_path, monkeypatch)
    made = package.types
    for title, dropped in (("Wide", []), ("Narrow", ["width"])):
        old = made.Frobber(kind_of_mode=made.Mode(title=title))
        found = package.strategy("Frobber").prepare_for_update(made.Frobber(width=1), old, features=package.features())
        assert [w.path for w in found] == dropped
