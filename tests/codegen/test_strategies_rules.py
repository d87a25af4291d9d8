"""Rules by path, in the `gates:` of hub types: what they drop, when, and which marks they replace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.codegen.gated_packages import Gated, build, specs

Build = Callable[..., Gated]

TYPES = """
    Frobber:
      fields:
        metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
        spec: {type: FrobberSpec, required: false, protobuf: 2}
        status: {type: FrobberStatus, required: false, protobuf: 3}
    FrobberSpec:
      fields:
        parts: {type: "[]Part", omitEmpty: true, protobuf: 1}
        spares: {type: "[]Part", omitEmpty: true, protobuf: 2}
        source: {type: Source, optional: true, protobuf: 3}
        labels: {type: "map[string]string", omitEmpty: true, protobuf: 4}
        policy: {type: Policy, optional: true, protobuf: 5}
    Part:
      fields:
        name: {type: string, protobuf: 1}
        restart: {type: string, optional: true, protobuf: 2, featureGate: GateC}
        rules: {type: "[]string", omitEmpty: true, protobuf: 3, featureGate: GateC}
    Source:
      fields:
        name: {type: string, protobuf: 1}
        namespace: {type: string, optional: true, protobuf: 2, featureGate: GateC}
        other: {type: string, optional: true, protobuf: 3, featureGate: GateB}
    Policy:
      fields:
        rules: {type: "[]Rule", nullable: true, protobuf: 1}
    Rule:
      fields:
        action: {type: string, protobuf: 1}
        on: {type: string, omitEmpty: true, protobuf: 2}
    FrobberStatus:
      fields:
        count: {type: int32, omitEmpty: true, protobuf: 1}
    """


@pytest.fixture
def built(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Build:
    def run(hub: str) -> Gated:
        return build(specs(TYPES, hub=hub), tmp_path_factory.mktemp("rules"), monkeypatch)

    return run


def create(package: Gated, obj: Any, text: str = "") -> list[str]:
    return [
        w.path for w in package.strategy("Frobber").prepare_for_create(obj, features=package.features("1.13", text))
    ]


def update(package: Gated, obj: Any, old: Any, text: str = "") -> list[str]:
    strategy = package.strategy("Frobber")
    return [w.path for w in strategy.prepare_for_update(obj, old, features=package.features("1.13", text))]


def frobber(package: Gated, **spec: Any) -> Any:
    return package.types.Frobber(spec=package.types.FrobberSpec(**spec))


def test_a_representative_and_a_selection_decide(built: Build) -> None:
    """Containers with restart rules, in small: use is determined by another field, and one value depends on another
    gate.
    """
    package = built("""
        FrobberSpec:
          gates:
            - gate: GateC
              drop: ["spares[restart!=Always].restart", "parts[].restart", "spares[].rules", "parts[].rules"]
              inUse:
                any:
                  - {set: "spares[restart!=Always].restart"}
                  - {set: "parts[].restart"}
        """)
    part = package.types.Part
    parts = {
        "parts": [part(name="a", restart="Always", rules=["x"])],
        "spares": [part(name="b", restart="Always", rules=["y"]), part(name="c", restart="Never")],
    }
    obj = frobber(package, **parts)
    assert create(package, obj) == [
        "spec.spares[1].restart",
        "spec.parts[0].restart",
        "spec.spares[0].rules",
        "spec.parts[0].rules",
    ]
    assert obj.spec.parts == [part(name="a")]
    assert [p.restart for p in obj.spec.spares] == ["Always", None]
    rules_only = frobber(package, parts=[part(name="a", rules=["x"])], spares=[part(restart="Always")])
    assert update(package, frobber(package, parts=[part(rules=["x"])]), rules_only) == ["spec.parts[0].rules"]
    used = frobber(package, spares=[part(restart="Never")])
    assert update(package, frobber(package, parts=[part(rules=["x"])]), used) == []


def test_gated_field_drops_its_parent_under_a_condition(built: Build) -> None:
    package = built("""
        FrobberSpec:
          gates:
            - gate: GateC
              when: {not: {source.namespace: [null, ""]}}
              drop: source
              inUse: {set: source}
        """)
    source = package.types.Source
    obj = frobber(package, source=source(name="a", namespace="b"))
    assert create(package, obj) == ["spec.source"]
    assert obj.spec.source is None
    for kept in (source(name="a"), source(name="a", namespace="")):
        obj = frobber(package, source=kept)
        assert create(package, obj) == []
        assert obj.spec.source is kept
    old = frobber(package, source=source(name="other"))
    assert update(package, frobber(package, source=source(namespace="b")), old) == []


def test_rule_overrides_feature_gate_at_and_below_its_paths(built: Build) -> None:
    package = built("""
        FrobberSpec:
          gates:
            - {gate: GateC, drop: source, during: []}
            - {gate: GateC, drop: "spares[].rules", during: []}
        """)
    part, source = package.types.Part, package.types.Source
    obj = frobber(
        package,
        parts=[part(restart="x", rules=["x"])],
        spares=[part(restart="x", rules=["x"])],
        source=source(namespace="x", other="x"),
    )
    assert create(package, obj, "GateB=false") == [
        "spec.parts[0].restart",
        "spec.parts[0].rules",
        "spec.spares[0].restart",
        "spec.source.other",
    ]
    old = frobber(package, spares=[part(rules=["x"])], source=source(namespace="x"))
    assert update(package, frobber(package, parts=[part(restart="x")]), old) == ["spec.parts[0].restart"]


def test_rule_of_outer_type_overrides_rule_of_nested_type(built: Build) -> None:
    package = built("""
        Frobber:
          gates:
            - {gate: GateC, drop: "spec.parts[].rules", inUse: never}
        FrobberSpec:
          gates:
            - {gate: GateC, drop: ["parts[].rules", "parts[].restart"], during: []}
        """)
    part = package.types.Part
    obj = frobber(package, parts=[part(restart="x", rules=["x"])], spares=[part(rules=["x"])])
    assert create(package, obj) == ["spec.parts[0].rules", "spec.spares[0].rules"]
    old = frobber(package, parts=[part(rules=["x"])])
    assert update(package, frobber(package, parts=[part(rules=["x"])]), old) == ["spec.parts[0].rules"]


def test_elements_are_removed_by_value(built: Build) -> None:
    package = built("""
        FrobberSpec:
          gates:
            - {gate: GateC, drop: "policy.rules[action=FailIndex]", during: [create]}
        """)
    types = package.types

    def made() -> Any:
        rules = [types.Rule(action=action) for action in ("FailIndex", "Ignore", "FailIndex")]
        return frobber(package, policy=types.Policy(rules=rules))

    obj = made()
    assert create(package, obj) == ["spec.policy.rules[0]", "spec.policy.rules[2]"]
    assert [rule.action for rule in obj.spec.policy.rules] == ["Ignore"]
    assert update(package, made(), frobber(package)) == []
    for policy in (None, types.Policy(), types.Policy(rules=[])):
        obj = frobber(package, policy=policy)
        assert create(package, obj) == [] and obj.spec == frobber(package, policy=policy).spec


def test_selections_join_their_comparisons(built: Build) -> None:
    package = built("""
        FrobberSpec:
          gates:
            - {gate: GateC, drop: "policy.rules[action=Fail,on!=start]"}
        """)
    types = package.types
    rules = [types.Rule(action=a, on=o) for a, o in (("Fail", "start"), ("Fail", "end"), ("Go", "end"), ("Fail", ""))]
    obj = frobber(package, policy=types.Policy(rules=list(rules)))
    assert create(package, obj) == ["spec.policy.rules[1]", "spec.policy.rules[3]"]
    assert obj.spec.policy.rules == [rules[0], rules[2]]
    old = frobber(package, policy=types.Policy(rules=[rules[0]]))
    assert update(package, frobber(package, policy=types.Policy(rules=[rules[1]])), old) == ["spec.policy.rules[0]"]


def test_map_entries_and_entire_lists_are_dropped(built: Build) -> None:
    package = built("""
        FrobberSpec:
          gates:
            - {gate: GateC, drop: ["labels[a/b]", "parts[]"]}
        Frobber:
          gates:
            - {gate: GateB, drop: "metadata.annotations[x]", inUse: field}
        """)
    obj = frobber(package, labels={"a/b": "", "c": "d"}, parts=[package.types.Part(name="x")])
    obj.metadata.annotations = {"x": "1", "y": "2"}
    assert create(package, obj, "GateB=false") == ["metadata.annotations[x]", "spec.labels[a/b]", "spec.parts"]
    assert (obj.metadata.annotations, obj.spec.labels, obj.spec.parts) == ({"y": "2"}, {"c": "d"}, None)
    assert create(package, frobber(package, labels=None), "GateB=false") == []
    old = frobber(package, labels={"a/b": "x"})
    assert update(package, frobber(package, labels={"a/b": "y"}, parts=[package.types.Part()]), old) == []


def test_when_is_evaluated_after_the_previous_rules(built: Build) -> None:
    package = built("""
        FrobberSpec:
          gates:
            - {gate: GateC, drop: source}
            - {gate: GateB, drop: labels, when: {unset: source}}
        """)
    obj = frobber(package, source=package.types.Source(), labels={"a": "b"})
    assert create(package, obj, "GateB=false") == ["spec.source", "spec.labels"]
    obj = frobber(package, source=package.types.Source(), labels={"a": "b"})
    assert create(package, obj, "GateB=false,GateC=true") == []


def test_conditions_can_depend_on_gates(built: Build) -> None:
    package = built("""
        FrobberSpec:
          gates:
            - {gate: GateC, drop: source, when: {gate: GateA}, inUse: {gate: GateB, set: labels}}
        """)
    source = package.types.Source
    assert create(package, frobber(package, source=source())) == ["spec.source"]
    assert create(package, frobber(package, source=source()), "GateA=false") == []
    old = frobber(package, labels={"a": "b"})
    assert update(package, frobber(package, source=source()), old) == []
    assert update(package, frobber(package, source=source()), old, "GateB=false") == ["spec.source"]


def test_rule_removes_emptied_optional_parent(built: Build) -> None:
    package = built("""
        FrobberSpec:
          gates:
            - {gate: GateC, drop: source.namespace, prune: true}
        """)
    source = package.types.Source
    obj = frobber(package, source=source(namespace="x"))
    create(package, obj)
    assert obj.spec.source is None
    obj = frobber(package, source=source(name="n", namespace="x"))
    create(package, obj)
    assert obj.spec.source == source(name="n")


def test_functions_of_structs_from_other_groups_are_generated(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    files = specs(
        """
        Frobber:
          fields:
            metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
            template: {type: base.example.com/v1.Template, protobuf: 2}
            more: {type: "[]base.example.com/v1.Template", omitEmpty: true, protobuf: 3}
            status: {type: FrobberStatus, required: false, protobuf: 4}
        FrobberStatus:
          fields:
            count: {type: int32, omitEmpty: true, protobuf: 1}
        """,
        hub="""
        Frobber:
          gates:
            - {gate: GateC, drop: "more[].width", during: []}
        """,
    )
    files["base.example.com/group.yaml"] = """
        group: base.example.com
        versions: {v1: {introduced: "1.8", storage: true}}
        hub: v1
        kinds: {Base: {scope: Cluster, plural: bases}}
        """
    files["base.example.com/v1.yaml"] = """
        types:
          Base:
            fields:
              metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
              template: {type: Template, optional: true, protobuf: 2}
          Template:
            fields:
              width: {type: int32, optional: true, protobuf: 1, featureGate: GateC}
              depth: {type: int32, optional: true, protobuf: 2, featureGate: GateC}
        """
    package = build(files, tmp_path, monkeypatch)
    template = package.module("base_example_com.hub.types").Template
    obj = package.types.Frobber(template=template(width=1), more=[template(width=1, depth=1)])
    assert create(package, obj) == ["template.width", "more[0].depth"]
    text = package.text("things_example_com/hub/strategies")
    assert "def drop_gate_c_from_template_in_frobber(" in text
    assert (
        "def drop_gate_c_from_template(" not in text
    ), "fields without a rule of their own are dropped with their struct"
    assert "def drop_gate_c_from_template(" in package.text("base_example_com/hub/strategies")
    base = package.module("base_example_com.hub.types").Base(template=template(width=1))
    dropped = package.strategy("Base").prepare_for_create(base, features=package.features())
    assert [w.path for w in dropped] == ["template.width"]
    assert base.metadata.generation == 0, "a kind without status has no generation"
