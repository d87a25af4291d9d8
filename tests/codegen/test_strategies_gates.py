"""Every rule of dropping, on random types: the patterns of Kubernetes' strategies, as data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.codegen.gated_packages import Gated, build, specs

Build = Callable[..., Gated]
META = "metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}"


@pytest.fixture
def built(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Build:
    def run(types: str, **parts: str) -> Gated:
        return build(specs(types, **parts), tmp_path_factory.mktemp("gates"), monkeypatch)

    return run


def create(package: Gated, obj: Any, text: str = "", release: str = "1.13") -> list[str]:
    return [
        w.path for w in package.strategy("Frobber").prepare_for_create(obj, features=package.features(release, text))
    ]


def update(package: Gated, obj: Any, old: Any, text: str = "", subresource: str = "") -> list[str]:
    strategy = package.strategy("Frobber", subresource)
    return [w.path for w in strategy.prepare_for_update(obj, old, features=package.features("1.13", text))]


def spec_type(fields: str, rest: str = "") -> str:
    """A Frobber whose spec has some fields, and other types."""
    return f"""
    Frobber:
      fields:
        {META}
        spec: {{type: FrobberSpec, required: false, protobuf: 2}}
        status: {{type: FrobberStatus, required: false, protobuf: 3}}
    FrobberSpec:
      fields:
        {fields}
    FrobberStatus:
      fields:
        count: {{type: int32, omitEmpty: true, protobuf: 1}}
    {rest}
    """


EVERY_PRESENCE = """a: {type: int32, optional: true, protobuf: 1, featureGate: GateC}
        b: {type: int32, omitEmpty: true, protobuf: 2, featureGate: GateC}
        c: {type: "[]string", omitEmpty: true, protobuf: 3, featureGate: GateC}
        d: {type: "map[string]string", nullable: true, protobuf: 4, featureGate: GateC}
        e: {type: Thing, optional: true, protobuf: 5, featureGate: GateC}
        f: {type: Quantity, omitEmpty: true, protobuf: 6, featureGate: GateC}
        g: {type: bool, omitEmpty: true, protobuf: 7, featureGate: GateC}
        h: {type: bytes, omitEmpty: true, protobuf: 8, featureGate: GateC}
        i: {type: Time, omitEmpty: true, protobuf: 9, featureGate: GateC}
        j: {type: Thing, omitEmpty: true, protobuf: 10, featureGate: GateC}
        k: {type: IntOrString, omitEmpty: true, protobuf: 11, featureGate: GateC}"""
THING = "Thing: {fields: {name: {type: string, omitEmpty: true, protobuf: 1}}}"


def test_fields_of_every_presence(built: Build) -> None:
    package = built(spec_type(EVERY_PRESENCE, THING))
    types = package.types
    runtime = package.module("runtime")
    values = {
        "a": 0,
        "b": 1,
        "c": ["x"],
        "d": {"x": "y"},
        "e": types.Thing(),
        "f": runtime.Quantity("1"),
        "g": True,
        "h": b"x",
        "i": runtime.Time.parse("2006-01-02T15:04:05Z"),
        "j": types.Thing(name="x"),
        "k": "50%",
    }
    full = types.Frobber(spec=types.FrobberSpec(**values))
    assert create(package, full) == [f"spec.{name}" for name in values]
    assert full.spec == types.FrobberSpec()
    assert create(package, types.Frobber()) == []
    for name, value in values.items():
        old = types.Frobber(spec=types.FrobberSpec(**{name: value}))
        obj = types.Frobber(spec=types.FrobberSpec(**values))
        assert update(package, obj, old) == [], f"{name} is in use"
    empty = types.Frobber(spec=types.FrobberSpec(c=[], d={}, h=b""))
    assert update(package, types.Frobber(spec=types.FrobberSpec(a=1)), empty) == ["spec.a"], "empty is not in use"


LISTS = spec_type(
    """boxes: {type: "[]Box", omitEmpty: true, protobuf: 1}
        byName: {type: "map[string]Box", omitEmpty: true, protobuf: 2}
        groups: {type: "map[string]Boxes", omitEmpty: true, protobuf: 3}
        box: {type: Box, required: false, protobuf: 4}""",
    """
    Boxes: {is: "[]Box", nullable: true}
    Box:
      fields:
        width: {type: int32, optional: true, protobuf: 1, featureGate: GateC}
        inner: {type: Box, optional: true, protobuf: 2}
    """,
)


def test_lists_maps_named_lists_and_recursive_structs(built: Build) -> None:
    package = built(LISTS)
    types = package.types
    box = types.Box
    spec = types.FrobberSpec(
        boxes=[box(), box(width=1, inner=box(inner=box(width=2)))],
        by_name={"b": box(width=3)},
        groups={"g": [box(width=4)], "n": None},
        box=box(width=5),
    )
    obj = types.Frobber(spec=spec)
    assert create(package, obj) == [
        "spec.boxes[1].width",
        "spec.boxes[1].inner.inner.width",
        "spec.byName[b].width",
        "spec.groups[g][0].width",
        "spec.box.width",
    ]
    assert spec.boxes == [box(), box(inner=box(inner=box()))]
    deep = types.Frobber(spec=types.FrobberSpec(groups={"n": None, "g": [box(inner=box(width=1))]}))
    assert update(package, types.Frobber(spec=types.FrobberSpec(box=box(width=1))), deep) == []


def test_field_with_several_gates(built: Build) -> None:
    package = built(spec_type("""both: {type: int32, optional: true, protobuf: 1, featureGate: {all: [GateA, GateB]}}
        either: {type: int32, optional: true, protobuf: 2, featureGate: {any: [GateA, GateB]}}"""))
    types = package.types

    def dropped(text: str) -> list[str]:
        obj = types.Frobber(spec=types.FrobberSpec(both=1, either=1))
        strategy = package.strategy("Frobber")
        return [str(w) for w in strategy.prepare_for_create(obj, features=package.features("1.13", text))]

    both = "spec.both: dropped because the features GateA, GateB are not all enabled"
    either = "spec.either: dropped because none of the features GateA, GateB is enabled"
    assert dropped("") == []
    assert dropped("GateA=false") == [both]
    assert dropped("GateB=false") == [both]
    assert dropped("GateA=false,GateB=false") == [both, either]


IN_USE = spec_type("""a: {type: int32, optional: true, protobuf: 1, featureGate: GateC}
        b: {type: int32, optional: true, protobuf: 2, featureGate: GateC}
        alone: {type: int32, optional: true, protobuf: 3, featureGate: {gate: GateC, inUse: field}}
        never: {type: int32, optional: true, protobuf: 4, featureGate: {gate: GateC, inUse: never}}
        mode: {type: string, omitEmpty: true, protobuf: 5}
        asked: {type: int32, optional: true, protobuf: 6, featureGate: {gate: GateC, inUse: {mode: Wide}}}
        marked: {type: int32, optional: true, protobuf: 7, featureGate: {gate: GateC, during: []}}""")


def test_in_use_by_gate_field_never_and_condition(built: Build) -> None:
    package = built(IN_USE)
    types = package.types
    everything = {"a": 1, "b": 1, "alone": 1, "never": 1, "asked": 1, "marked": 1}

    def dropped(**old: Any) -> set[str]:
        obj = types.Frobber(spec=types.FrobberSpec(**everything))
        return {p.removeprefix("spec.") for p in update(package, obj, types.Frobber(spec=types.FrobberSpec(**old)))}

    assert dropped() == {"a", "b", "alone", "never", "asked"}, "what says `during: []` is only marked"
    assert dropped(a=1) == {"alone", "never", "asked"}, "one field of the gate keeps the others"
    assert dropped(alone=1) == {"never", "asked"}, "it counts for its gate, too"
    assert dropped(marked=1) == {"a", "b", "alone", "never", "asked"}
    assert dropped(mode="Wide") == {"a", "b", "alone", "never"}
    assert dropped(**everything) == {"never", "asked"}


def test_dropped_to_a_value(built: Build) -> None:
    """The gate is in use only with another value; unset fields stay unset."""
    package = built(
        spec_type("""mode: {type: string, optional: true, protobuf: 1, featureGate: {gate: GateC, to: Default}}
        size: {type: Quantity, omitEmpty: true, protobuf: 2, featureGate: {gate: GateC, inUse: field, to: 1Gi}}""")
    )
    types = package.types
    quantity = package.module("runtime").Quantity
    obj = types.Frobber(spec=types.FrobberSpec(mode="Other", size=quantity("5")))
    assert create(package, obj) == ["spec.mode", "spec.size"]
    assert obj.spec == types.FrobberSpec(mode="Default", size=quantity("1Gi"))
    assert create(package, types.Frobber(spec=types.FrobberSpec(mode="Default"))) == []
    assert create(package, types.Frobber()) == []
    obj = types.Frobber(spec=types.FrobberSpec(mode="Other"))
    assert update(package, obj, types.Frobber(spec=types.FrobberSpec(mode="Default"))) == ["spec.mode"]
    obj = types.Frobber(spec=types.FrobberSpec(mode="Other"))
    assert update(package, obj, types.Frobber(spec=types.FrobberSpec(mode="Third"))) == []


def test_only_during_some_operations(built: Build) -> None:
    package = built(
        spec_type(
            "a: {type: int32, optional: true, protobuf: 1, featureGate: {gate: GateC, during: [create]}}"
        ).replace(
            "count: {type: int32, omitEmpty: true, protobuf: 1}",
            "seen: {type: int32, optional: true, protobuf: 1, featureGate: {gate: GateC, during: [status]}}",
        )
    )
    types = package.types

    def made() -> Any:
        return types.Frobber(spec=types.FrobberSpec(a=1), status=types.FrobberStatus(seen=1))

    assert create(package, made()) == ["spec.a"]
    assert update(package, made(), types.Frobber()) == []
    assert update(package, made(), types.Frobber(), subresource="status") == ["status.seen"]


def test_emptied_parent_is_removed(built: Build) -> None:
    package = built(
        spec_type(
            "hooks: {type: Hooks, optional: true, protobuf: 1}",
            """
    Hooks:
      fields:
        stop: {type: string, optional: true, protobuf: 1, featureGate: {gate: GateC, prune: true}}
        start: {type: string, optional: true, protobuf: 2}
    """,
        )
    )
    types = package.types
    for hooks, left in (
        (types.Hooks(stop="x"), None),
        (types.Hooks(stop="x", start="y"), types.Hooks(start="y")),
        (types.Hooks(), types.Hooks()),
    ):
        obj = types.Frobber(spec=types.FrobberSpec(hooks=hooks))
        create(package, obj)
        assert obj.spec.hooks == left


def test_removed_field_is_dropped_as_if_its_gate_were_disabled(built: Build) -> None:
    """A stable version may drop a field that was never enabled by default."""
    package = built(spec_type('old: {type: int32, optional: true, protobuf: 1, featureGate: GateC, removed: "1.13"}'))
    types = package.types
    obj = types.Frobber(spec=types.FrobberSpec(old=1))
    assert create(package, obj, "GateC=true", release="1.12") == []
    strategy = package.strategy("Frobber")
    dropped = strategy.prepare_for_create(obj, features=package.features("1.13", "GateC=true"))
    assert [str(w) for w in dropped] == ["spec.old: dropped because it is removed since release 1.13"]
    old = types.Frobber(spec=types.FrobberSpec(old=1))
    assert update(package, types.Frobber(spec=types.FrobberSpec(old=2)), old, "GateC=true") == []


def test_in_use_is_determined_for_whole_object_or_other_part(built: Build) -> None:
    """A status field whose gate is in use if a field of the spec is set."""
    package = built(
        spec_type("requests: {type: int32, optional: true, protobuf: 1}").replace(
            "count: {type: int32, omitEmpty: true, protobuf: 1}",
            "requested: {type: int32, optional: true, protobuf: 1}",
        ),
        hub="""
        Frobber:
          gates:
            - {gate: GateC, drop: status.requested, inUse: {set: spec.requests}}
        """,
    )
    types = package.types

    def dropped(requests: int | None) -> list[str]:
        old = types.Frobber(spec=types.FrobberSpec(requests=requests), status=types.FrobberStatus(requested=1))
        obj = types.Frobber(spec=types.FrobberSpec(requests=requests), status=types.FrobberStatus(requested=1))
        return update(package, obj, old, subresource="status")

    assert dropped(requests=None) == ["status.requested"]
    assert dropped(requests=1) == []
