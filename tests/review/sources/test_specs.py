"""What the surface of a spec folder says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.ir.model import Presence, Release
from apigen.ir.surface import (
    Alias,
    Enum,
    GateMark,
    Keyword,
    ListOf,
    MapOf,
    Named,
    Scalar,
    Scalars,
    Surface,
    TypeName,
)
from apigen.review.changes.comparing import compare
from apigen.review.sources.loading import load
from tests.lenses.test_lens_cases import CASES
from tests.review.sources.things import GROUP, HEADER, TYPES, loaded, rejected, struct, write_things

MANY = """\
types:
  Thing:
    doc: A thing.
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
      spec: {type: Spec, protobuf: 2}
    defaults:
      spec.size: {value: 1, when: {set: spec.names}}
  Spec:
    fields:
      source: {type: Source, inline: true, protobuf: 1}
      size: {type: int32, optional: true, protobuf: 2, minimum: 1, ifEnabled: {Big: {maximum: 9}}}
      names: {type: "[]string", omitEmpty: true, protobuf: 3, items: {maxLength: 5}, listType: set}
      modes: {type: "map[string]Mode", omitEmpty: true, protobuf: 4}
      old: {type: string, optional: true, protobuf: 5, featureGate: {gate: Big, during: []}}
      gone: {type: string, optional: true, protobuf: 6, hub: {annotation: example.com/gone}, deprecated: "1.3"}
    unions: [{members: [a, b], optional: true}]
    rules: [{rule: "self.size > 0", message: too small}]
    tombstones: {dead: {protobuf: 7, removed: "1.1", reason: unused}}
    reserved: [9]
  Source:
    fields:
      a: {type: string, optional: true, protobuf: 1}
      b: {type: Names, optional: true, protobuf: 2, items: {minLength: 1}}
  Names: {is: "[]string", maxItems: 4}
  Mode: {enum: {On: {}, Off: {featureGate: Big}}, unknown: On}
"""
FEATURES = """\
Big:
  owner: us
  stages: [{release: "1.4", stage: alpha}]
"""


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Surface:
    folder = tmp_path_factory.mktemp("many")
    specs = write_things(folder / "specs", MANY)
    (specs / "features.yaml").write_text(FEATURES, encoding="utf-8")
    return loaded("specs", Setting(folder))


def test_locations_refer_to_the_files(many: Surface) -> None:
    assert str(struct(many, "Spec").place) == f"specs/{GROUP}/v1.yaml:9:3"
    assert str(struct(many, "Spec").fields["size"].place) == f"specs/{GROUP}/v1.yaml:12:7"


def test_fields_have_wire_properties(many: Surface) -> None:
    size = struct(many, "Spec").fields["size"]
    assert (size.presence, size.required, size.number, size.wire_name) == (Presence.OPTIONAL, False, 2, "size")
    assert size.slot.type == Scalar(Scalars.INT32)
    assert struct(many, "Thing").fields["spec"].slot.type == Named(TypeName(GROUP, "v1", "Spec"))


def test_inline_fields_have_their_message(many: Surface) -> None:
    spec = struct(many, "Spec")
    assert spec.fields["a"].via == ("source",)
    assert spec.inlines == (("source", "Source = 1"),)
    assert [sorted(union.members) for union in spec.unions] == [["a", "b"]]


def test_constraints_are_by_keyword_and_nested_ones_are_json(many: Surface) -> None:
    constraints = struct(many, "Spec").fields["size"].slot.constraints
    assert constraints[Keyword.MINIMUM].value == 1
    assert constraints[Keyword.IF_ENABLED].value == '{"Big":{"maximum":9}}'


def test_items_have_their_own_location(many: Surface) -> None:
    type_ = struct(many, "Spec").fields["names"].slot.type
    assert isinstance(type_, ListOf) and type_.item.constraints[Keyword.MAX_LENGTH].value == 5
    modes = struct(many, "Spec").fields["modes"].slot.type
    assert isinstance(modes, MapOf) and modes.value.type == Named(TypeName(GROUP, "v1", "Mode"))


def test_constraints_on_items_of_an_alias_are_a_branch(many: Surface) -> None:
    (branch,) = struct(many, "Spec").fields["b"].slot.branches
    assert (branch.keyword, branch.slot.constraints[Keyword.MIN_LENGTH].value) == ("items", 1)
    names = many.type(TypeName(GROUP, "v1", "Names"))
    assert isinstance(names, Alias) and names.slot.constraints[Keyword.MAX_ITEMS].value == 4


def test_defaults_are_json_or_text(many: Surface, tmp_path: Path) -> None:
    slot = struct(many, "Thing").defaults["spec.size"]
    assert slot.default is not None and slot.default.is_computed
    assert (slot.default.text, slot.type) == ("1 when spec.names is set", Scalar(Scalars.INT32))
    size = struct(loaded(str(write_things(tmp_path)), Setting(tmp_path)), "Thing").fields["size"].slot.default
    assert size is not None and (size.text, size.is_computed, size.is_read_time) == ("3", False, True)


def test_gates_mark_fields_and_values(many: Surface) -> None:
    assert struct(many, "Spec").fields["old"].gate == GateMark(("Big",), words="during nothing", is_dropped=False)
    mode = many.type(TypeName(GROUP, "v1", "Mode"))
    assert isinstance(mode, Enum)
    assert mode.values["Off"].gate == GateMark(("Big",)) and mode.unknown == "On"
    assert many.gates["Big"].stages[0].release == Release(1, 4)


def test_tombstones_and_annotation_keys(many: Surface) -> None:
    spec = struct(many, "Spec")
    assert [(each.name, str(each.numbers)) for each in spec.tombstones] == [("dead", "7"), ("", "9")]
    assert spec.annotation_keys == ("example.com/gone",)
    assert spec.fields["gone"].lifecycle.deprecated == Release(1, 3)


def test_rules_are_identified_by_their_text(many: Surface) -> None:
    assert [rule.text for rule in struct(many, "Spec").slot.rules] == ["self.size > 0"]


def test_kinds_have_roots_and_lists(many: Surface) -> None:
    version = many.groups[GROUP].versions["v1"]
    kind = version.kinds["Thing"]
    assert (kind.root.name, kind.storage, kind.subresources) == ("Thing", True, ("status",))
    assert "ThingList" in version.types
    assert many.groups[GROUP].kinds["Thing"].short_names == ("th",)


def test_release_is_the_newest_declared_release(many: Surface) -> None:
    assert many.release == Release(1, 4)


def test_next_release_is_from_the_project_configuration(tmp_path: Path) -> None:
    specs = write_things(tmp_path / "api-specs")
    assert loaded("api-specs", Setting(tmp_path, specs, release=Release(1, 7))).release == Release(1, 7)


def test_built_in_dependencies_are_not_reviewed(tmp_path: Path) -> None:
    old = loaded("old", Setting(write_things(tmp_path / "old").parent))
    pods = TYPES + "      pod: {type: core/v1.PodSpec, optional: true, protobuf: 3}\n"
    new = loaded("new", Setting(write_things(tmp_path / "new", pods).parent))
    assert new.groups[""].borrowed and not new.groups[GROUP].borrowed
    assert [str(change.element) for change in compare(old, new)] == [f"{GROUP}/v1.Thing.pod"]


def test_specs_rejected_only_by_lint_can_be_compared(tmp_path: Path) -> None:
    """A default that its own bound rejects: an error of `apigen lint`, and nothing that stops a review."""
    specs = write_things(tmp_path, TYPES.replace("default: 3", "default: -3"))
    assert struct(loaded(str(specs), Setting(tmp_path)), "Thing").fields["size"].slot.default is not None


def test_unresolvable_specs_are_reported_as_by_lint(tmp_path: Path) -> None:
    write_things(tmp_path / "specs", TYPES.replace("int32", "int33"))
    error = rejected("specs", Setting(tmp_path))
    assert error.code.startswith("AG0") and str(error.place).startswith(f"specs/{GROUP}/v1.yaml:6:")


def test_folder_without_specs_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert rejected("specs:empty", Setting(tmp_path)).code == "AG1401"
    assert rejected("empty", Setting(tmp_path)).code == "AG1400"


def test_folder_of_a_group_is_rejected_with_a_hint(tmp_path: Path) -> None:
    write_things(tmp_path / "specs")
    error = rejected(f"specs/{GROUP}", Setting(tmp_path))
    assert error.message == f"`specs/{GROUP}` is the folder of a group; specs are compared as a whole folder"
    assert (error.code, error.hint) == ("AG1400", "pass the folder that contains the groups: specs")


def test_duplicate_group_is_rejected(tmp_path: Path) -> None:
    write_things(tmp_path / "specs")
    other = tmp_path / "specs" / "again"
    other.mkdir()
    (other / "group.yaml").write_text(HEADER, encoding="utf-8")
    (other / "v1.yaml").write_text(TYPES, encoding="utf-8")
    assert rejected("specs", Setting(tmp_path)).code == "AG0320"


@pytest.mark.parametrize(
    ("name", "text", "message", "hint"),
    [
        (
            "specs/v1.yaml",
            TYPES,
            "`specs/v1.yaml` is a single spec file; specs are compared as a whole folder",
            "pass the folder that contains the groups: .",
        ),
        (
            "group.yaml",
            HEADER,
            "`group.yaml` is a single spec file; specs are compared as a whole folder",
            "pass the folder that contains the groups: ..",
        ),
        (
            "d.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nspec:\n  template: {type: object}\n",
            "`d.yaml` is a Kubernetes object of kind Deployment, not the definition of an API",
            "pass a CustomResourceDefinition, or a file that only contains a JSON Schema",
        ),
    ],
)
def test_similar_inputs_are_rejected_with_a_hint(tmp_path: Path, name: str, text: str, message: str, hint: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text, encoding="utf-8")
    error = rejected(name, Setting(tmp_path))
    assert (error.code, error.message, error.hint) == ("AG1400", message, hint)


@pytest.mark.parametrize(("name", "text"), [("a.yaml", "a: [1,\nb: }\n"), ("a.json", '{"a": [1,\n"b": }')])
def test_broken_yaml_of_no_known_form_is_reported_at_its_line(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    error = rejected(name, Setting(tmp_path))
    assert (error.code, error.place.file, error.place.line) == ("AG0110", name, 2)
    assert error.message.startswith("invalid YAML: ")


@pytest.mark.parametrize("said", ["/", "specs:/", "crd:/", "jsonschema:/.."])
def test_root_of_the_file_system_is_rejected(said: str, tmp_path: Path) -> None:
    error = rejected(said, Setting(tmp_path))
    assert (error.code, error.message) == ("AG1400", f"`{said}` is the root of the file system")


@pytest.mark.parametrize("case", sorted(CASES.iterdir()), ids=lambda folder: folder.name)
def test_words_of_lenses_do_not_depend_on_lines(case: Path, tmp_path: Path) -> None:
    shutil.copytree(case / "specs", tmp_path / "api")
    shutil.copytree(case / "specs", tmp_path / "commented")
    for file in (tmp_path / "commented").rglob("*.yaml"):
        file.write_text(f"# A comment.\n{file.read_text(encoding='utf-8')}", encoding="utf-8")
    sides = (load(folder, Setting(tmp_path), Report()) for folder in ("api", "commented"))
    lenses = [[each.lenses for each in side.structs(own=True)] for side in sides if side is not None]
    assert lenses[0] == lenses[1]
