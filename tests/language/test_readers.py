"""What the words of the language become in the model."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from apigen.diagnostics import Report
from apigen.language.load import load_api
from apigen.language.model import (
    All,
    Any,
    Condition,
    Constraints,
    Equals,
    GateEnabled,
    GateJoin,
    GenerationSpec,
    IsSet,
    Items,
    Located,
    Not,
    Object,
    ScaleSpec,
    Stage,
    TypeForm,
    UnionSpec,
)
from apigen.language.releases import Release
from tests.language.reading import load, load_field, load_type, write_group


def condition_of(folder: Path, text: str) -> Condition:
    (case,) = load_field(folder, f"{{type: int32, default: {{when: {text}, value: 1}}}}").default
    assert case.when is not None
    return case.when


def shown(condition: Condition) -> str:
    """A condition as text, places omitted."""
    match condition:
        case Equals(path, values):
            return f"{path} in {values}"
        case IsSet(path):
            return f"set {path}"
        case GateEnabled(gate):
            return f"gate {gate}"
        case Not(inner):
            return f"not ({shown(inner)})"
        case All(conditions):
            return " and ".join(f"({shown(c)})" for c in conditions)
        case Any(conditions):
            return " or ".join(f"({shown(c)})" for c in conditions)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("{a: 1}", "a in (1,)"),
        ("{$.a.b: [x, null, true]}", "$.a.b in ('x', None, True)"),
        ("{set: a.b, unset: c}", "(set a.b) and (not (set c))"),
        ("{./set: a, set: ./unset}", "(./set in ('a',)) and (set ./unset)"),
        ("{gate: A, any: [{set: a}, {not: {b: 1}}]}", "(gate A) and ((set a) or (not (b in (1,))))"),
        ("{all: [{set: a}, {set: b}]}", "(set a) and (set b)"),
    ],
)
def test_conditions(tmp_path: Path, text: str, meaning: str) -> None:
    assert shown(condition_of(tmp_path, text)) == meaning


def test_presence_and_numbers(tmp_path: Path) -> None:
    field = load_field(tmp_path, "{type: int32, optional: true, required: false, protobuf: 0x10, introduced: 1.10}")
    assert (field.optional, field.nullable, field.omit_empty) == (True, False, False)
    assert field.required is not None
    assert not field.required.value
    assert field.protobuf is not None
    assert field.protobuf.value == 16
    assert field.lifecycle.introduced is not None
    assert field.lifecycle.introduced.value == Release(1, 10)


def test_constraints_of_elements_keys_and_values(tmp_path: Path) -> None:
    field = load_field(
        tmp_path,
        "{type: A, minProperties: 1, keys: {pattern: a}, values: {maxItems: 2}, items: {minLength: 3}}",
    )
    assert field.constraints.min_properties is not None
    assert field.key_constraints.pattern is not None
    assert field.value_constraints.max_items is not None
    assert field.item_constraints.min_length is not None
    assert field.constraints.pattern is None


def test_field_without_keywords_has_no_constraints(tmp_path: Path) -> None:
    assert load_field(tmp_path, "{type: string}").constraints == Constraints()


def test_a_default_is_a_scalar_a_case_or_cases(tmp_path: Path) -> None:
    (plain,) = load_field(tmp_path / "a", "{type: string, default: on}").default
    assert isinstance(plain.value, Located)
    assert plain.value.value == "on"
    (clearing,) = load_field(tmp_path / "b", "{type: string, default: {value: null, overwrite: true}}").default
    assert isinstance(clearing.value, Located)
    assert clearing.value.value is None
    assert clearing.overwrite
    first, last = load_field(
        tmp_path / "c", "{type: A, default: [{when: {set: a}, from: b}, {value: {c: [1]}}]}"
    ).default
    assert str(first.from_path) == "b"
    assert isinstance(last.value, Object)
    assert isinstance(last.value.members[0][1], Items)


def test_lens_is_a_path_or_a_map_of_options(tmp_path: Path) -> None:
    moved = load_field(tmp_path / "a", "{type: string, hub: a.b}").hub
    assert moved is not None
    assert str(moved.to) == "a.b"
    words = load_field(
        tmp_path / "b", "{type: A, hub: {to: a, absent: 0, keepZero: [{when: {set: b}, value: true}]}}"
    ).hub
    assert words is not None
    assert words.words() == {"to", "absent", "keep_zero"}
    pair = load_field(tmp_path / "c", "{type: A, hub: {split: [a.b, c], clamp: {below: 0, to: 1}}}").hub
    assert pair is not None
    assert pair.split is not None
    assert [str(path) for path in pair.split] == ["a.b", "c"]
    assert pair.clamp is not None
    assert [bound.value for bound in pair.clamp] == [0, 1]


def test_gates_of_a_field(tmp_path: Path) -> None:
    plain = load_field(tmp_path / "a", "{type: string, featureGate: A}").feature_gate
    assert plain is not None
    assert ([gate.value for gate in plain.gates], plain.join, plain.in_use) == (["A"], GateJoin.ALL, "gate")
    several = load_field(
        tmp_path / "b", "{type: string, featureGate: {any: [A, B], inUse: {set: c}, during: [], prune: true}}"
    ).feature_gate
    assert several is not None
    assert ([gate.value for gate in several.gates], several.join) == (["A", "B"], GateJoin.ANY)
    assert isinstance(several.in_use, IsSet)
    assert (several.during, several.prune) == ((), True)


@pytest.mark.parametrize("gate", ["A", "{all: [A]}"])
def test_rules_of_a_hub_type(tmp_path: Path, gate: str) -> None:
    hub = f"types: {{Frobber: {{gates: [{{gate: {gate}, drop: 'a[b=c]', when: {{d: 1}}}}]}}}}\n"
    file = load(tmp_path, hub=hub).groups[0].hub_file
    assert file is not None
    assert file.types[0].form is TypeForm.OVERRIDE
    (rule,) = file.types[0].gates
    assert [str(path) for path in rule.drop] == ["a[b=c]"]
    assert [one.value for one in rule.gate.gates] == ["A"]


@pytest.mark.parametrize(
    ("union", "members"),
    [
        ("{members: all}", []),
        ("{members: [a, b], optional: true}", [(None, "a"), (None, "b")]),
        ("{discriminator: t, members: {A: a}, empty: [B]}", [("A", "a")]),
    ],
)
def test_unions(tmp_path: Path, union: str, members: list[tuple[str | None, str]]) -> None:
    read: UnionSpec = load_type(tmp_path, f"{{fields: {{}}, unions: [{union}]}}").unions[0]
    assert [(value and value.value, field.value) for value, field in read.members] == members


def test_forms_of_types(tmp_path: Path) -> None:
    enum = load_type(tmp_path / "a", "{enum: {A: {}, no: {}}, unknown: no, tombstones: {B: {reason: gone}}}")
    assert (enum.form, [value.name for value in enum.values]) == (TypeForm.ENUM, ["A", "no"])
    assert [one.name for one in enum.tombstones] == ["B"]
    alias = load_type(tmp_path / "b", "{is: '[]string', nullable: true, items: {maxLength: 3}}")
    assert (alias.form, alias.nullable) == (TypeForm.ALIAS, True)
    assert alias.item_constraints.max_length is not None


def test_kinds(tmp_path: Path) -> None:
    group = """
group: things.example.com
versions: {v1: {served: false, storage: true}}
hub: v1
kinds:
  Frobber:
    scope: Cluster
    list: false
    subresources: {status: {}, scale: {specReplicasPath: spec.n, statusReplicasPath: status.n}}
    selectableFields: {spec.node: spec.nodeName}
    strategy:
      generation: {bump: [spec], before: drop}
      create: {reset: []}
      status: {keep: [spec, metadata], except: [metadata.managedFields]}
      hooks: [update]
"""
    read = load(tmp_path, group=group).groups[0]
    assert not read.versions[0].served
    kind = read.kinds[0]
    assert [each.value for each in kind.subresources] == ["status", "scale"]
    assert (kind.scale, kind.list) == (ScaleSpec("spec.n", "status.n"), False)
    assert [(label.value, str(path)) for label, path in kind.selectable_fields] == [("spec.node", "spec.nodeName")]
    assert [name for name, _ in kind.strategy.operations] == ["create", "status"]
    assert kind.strategy.operations[0][1].reset == ()
    assert [str(each.path) for each in kind.strategy.operations[1][1].except_] == ["metadata.managedFields"]
    assert kind.strategy.generation is not None
    assert (kind.strategy.generation.start, kind.strategy.generation.before_drop) == (1, True)


def test_a_kind_without_generation(tmp_path: Path) -> None:
    group = "group: g\nversions: {v1: {}}\nkinds: {A: {strategy: {generation: none}}}\n"
    assert load(tmp_path, group=group).groups[0].kinds[0].strategy.generation == GenerationSpec(none=True, start=None)


def test_exceptions_and_counters(tmp_path: Path) -> None:
    group = """\
group: g
versions: {v1: {}}
kinds:
  A:
    subresources: {resize: {}}
    strategy:
      generation: {from: new}
      counters: {spec.templates: {atLeast: 2, bump: [spec.template]}}
      resize: {keep: [spec], except: ["spec.parts[].size", {path: spec.size, gate: {any: [B, C]}}]}
"""
    strategy = load(tmp_path, group=group).groups[0].kinds[0].strategy
    assert strategy.generation == GenerationSpec(from_new=True)
    ((path, counter),) = strategy.counters
    assert (str(path), counter.start, counter.at_least) == ("spec.templates", 2, True)
    plain, gated = strategy.operations[0][1].except_
    assert (str(plain.path), plain.gate, str(gated.path)) == ("spec.parts[].size", None, "spec.size")
    assert gated.gate is not None
    assert ([gate.value for gate in gated.gate.gates], gated.gate.join) == (["B", "C"], GateJoin.ANY)


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        ("counters: {spec.n: {start: 1}}", "`spec.n` counts changes: declare the counted paths with `bump`"),
        ("generation: {start: 1, atLeast: 1}", "a new object has `start` or `atLeast`, not both"),
        ("generation: {from: old}", "new"),
        ("update: {keep: [spec], except: [{gate: A}]}", "`path`"),
    ],
)
def test_invalid_strategies(tmp_path: Path, strategy: str, message: str) -> None:
    report = Report()
    group = f"group: g\nversions: {{v1: {{}}}}\nkinds: {{A: {{strategy: {{{strategy}}}}}}}\n"
    load_api(write_group(tmp_path, group=group), report, display_root=tmp_path)
    assert [message in d.message for d in report.diagnostics] == [True]


def test_strategy_operations(tmp_path: Path) -> None:
    group = """\
group: g
versions: {v1: {}}
kinds:
  A:
    strategy:
      generation: {start: none, bump: [spec]}
      create: {set: {status.phase: Pending}, add: {spec.names: [x, y]}, when: {gate: Depth}}
      update: {reset: ["spec.parts[].token"], fill: [spec.type]}
"""
    strategy = load(tmp_path, group=group).groups[0].kinds[0].strategy
    assert strategy.generation is not None
    assert strategy.generation.start is None
    assert not strategy.generation.none
    (_, create), (_, update) = strategy.operations
    assert (create.reset, create.keep, create.fill) == (None, None, ())
    ((path, value),) = create.sets
    assert (str(path), isinstance(value, Located) and value.value) == ("status.phase", "Pending")
    ((path, values),) = create.adds
    assert (str(path), isinstance(values, Items) and len(values.items)) == ("spec.names", 2)
    assert isinstance(create.when, GateEnabled)
    assert [str(path) for path in (*(update.reset or ()), *update.fill)] == ["spec.parts[].token", "spec.type"]
    assert (update.keep, update.when) == (None, None)


def test_features(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    text = "A:\n  owner: me\n  stages: [{release: 1.30, stage: beta, default: true, locked: true}]\n  dependsOn: [B]\n"
    (tmp_path / "specs/features.yaml").write_text(text)
    (feature,) = load(tmp_path).features
    (stage,) = feature.stages
    assert (feature.owner, [one.value for one in feature.depends_on]) == ("me", ["B"])
    assert (stage.release.value, stage.stage, stage.default, stage.locked) == (Release(1, 30), Stage.BETA, True, True)
    assert (stage.min_compatibility, feature.removed, feature.ignore) == (None, None, ())


def test_features_of_several_releases(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    text = """\
        A:
          stages:
            - {release: "1.30", stage: beta}
            - {release: "1.30", stage: beta, default: true, minCompatibility: 1.30}
          removed: "1.40"
          ignore: {AG1312: a reason}
        """
    (tmp_path / "specs/features.yaml").write_text(dedent(text))
    (feature,) = load(tmp_path).features
    needed = [stage.min_compatibility and stage.min_compatibility.value for stage in feature.stages]
    assert needed == [None, Release(1, 30)]
    assert feature.removed is not None and feature.removed.value == Release(1, 40)
    assert [(code.value, reason.value) for code, reason in feature.ignore] == [("AG1312", "a reason")]
