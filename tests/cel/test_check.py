"""What is wrong with rules, as `lint` says it: code, place and sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report
from apigen.lint import cel as cel_check

GROUP = """
group: things.example.com
versions: {v1: {storage: true}}
hub: v1
kinds: {Frobber: {scope: Namespaced, plural: frobbers}}
"""
TYPES = """types:
  Frobber:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
      spec: {type: FrobberSpec, required: false, protobuf: 2}
    rules: [%s]
  FrobberSpec:
    rules: [%s]
    fields:
      count: {type: int32, required: false, protobuf: 1}
      ratio: {type: float64, omitEmpty: true, protobuf: 2}
      name: {type: string, omitEmpty: true, protobuf: 3}
      labels: {type: "map[string]string", omitEmpty: true, protobuf: 4}
      names: {type: "[]string", omitEmpty: true, protobuf: 5, listType: atomic, items: {rules: [%s]}}
      since: {type: Time, optional: true, protobuf: 6}
      target: {type: IntOrString, required: false, protobuf: 7}
      maybe: {type: int32, nullable: true, protobuf: 8}
      child: {type: FrobberSpec, optional: true, protobuf: 9}
      matrix: {type: "[]Row", omitEmpty: true, protobuf: 10, listType: atomic}
      byName: {type: "map[string]FrobberSpec", omitEmpty: true, protobuf: 11}
      raw: {type: RawExtension, optional: true, protobuf: 12}
      data: {type: bytes, omitEmpty: true, protobuf: 13}
      import: {type: "[]string", omitEmpty: true, protobuf: 20, listType: atomic}
      package: {type: "map[string]string", omitEmpty: true, protobuf: 21}
      type: {type: Kind, omitEmpty: true, protobuf: 14}
      x-odd.name: {type: string, omitEmpty: true, protobuf: 15, pyName: odd, protobufName: odd}
      inside: {type: "[]Frobber", omitEmpty: true, protobuf: 16, listType: atomic}
  Row: {is: "[]int32", nullable: true}
  Kind: {enum: {A: {}, B: {}}, open: true}
"""


def diagnostics(folder: Path, *, root: str = "", spec: str = "", item: str = "") -> list[tuple[str, str]]:
    group = folder / "specs" / "things.example.com"
    group.mkdir(parents=True)
    (group / "group.yaml").write_text(GROUP)
    (group / "v1.yaml").write_text(TYPES % (root, spec, item), encoding="utf-8")
    report = Report()
    check(Sources(folder / "specs", None, folder / "specs"), report)
    return [
        (d.code, f"{d.place.line}:{d.place.column} {d.message}" + (f" [{d.hint}]" if d.hint else ""))
        for d in report.diagnostics
        if d.code.startswith("AG13") or d.severity.value == "error"
    ]


@pytest.mark.parametrize(
    "rule",
    [
        "self.count > 0 && self.ratio < 1.5",
        "self.import.size() > 0 && self.package['a'] == 'b' && self.child.__package__.size() > 0",
        "self.ratio > 1",
        "self.count > self.ratio",
        "has(self.name) && self.name.startsWith('a')",
        "'a' in self.labels && self.labels['a'].size() > 0 && self.labels.all(k, k != '')",
        "self.names.all(n, n.matches('^[a-z]+$'))",
        "has(self.since) && self.since < timestamp('2030-01-01T00:00:00Z')",
        "self.target == 1 || self.target == 'x'",
        "self.maybe == null || self.maybe > 1",
        "self.child.child.child.count == 1",
        "self.matrix[0][1] == 3",
        "self.byName['x'].count == 1 && self.byName.exists(k, self.byName[k].count > 0)",
        "self.raw.anything.goes == 1",
        "self.data == b'x' && self.type == 'A' && self.x__dash__odd__dot__name == ''",
        "self.count >= oldSelf.count",
        "self.?name.orValue('x') == 'x'",
        "self.name == 'äöü😀'",
        "!format.uuid().validate(self.name).hasValue()",
    ],
)
def test_valid_rules(tmp_path: Path, rule: str) -> None:
    assert diagnostics(tmp_path, spec=f'{{rule: "{rule}"}}') == []


BAD = {
    "self.count >": ("AG1360", 12, "Syntax error: mismatched input '<EOF>'"),
    "self.count ++ 1": ("AG1360", 12, "Syntax error: extraneous input '+'"),
    "self.cout > 1": ("AG1361", 5, "`FrobberSpec` has no field `cout` [did you mean `count`?]"),
    "self.count == 'a'": ("AG1361", 11, "found no matching overload for '_==_' applied to '(int, string)'"),
    "self.child.child.nme == ''": ("AG1361", 17, "`FrobberSpec` has no field `nme` [did you mean `name`?]"),
    "count > 1": ("AG1361", 0, "undeclared reference to 'count'"),
    "self.name.size()": ("AG1362", None, "a rule must be a boolean, but this is of type int"),
    "self.since > '2030'": ("AG1361", 11, "found no matching overload for '_>_' applied to"),
    "authorizer.path('/x') == null": ("AG1361", 0, "undeclared reference to 'authorizer'"),
    "format.mine().validate(self.name).hasValue()": ("AG1361", 0, "undeclared reference to 'format'"),
    "!format.uuid().validate(self.name).hasValue() && self.cout > 1": (
        "AG1361",
        54,
        "`FrobberSpec` has no field `cout`",
    ),
    "self.labels.a.b == ''": ("AG1361", 13, "expression of type 'string' cannot be the operand of a select operation"),
}


@pytest.mark.parametrize(("rule", "expected"), BAD.items())
def test_invalid_rules(tmp_path: Path, rule: str, expected: tuple[str, int | None, str]) -> None:
    (code, message), *_ = diagnostics(tmp_path, spec=f'{{rule: "{rule}"}}')
    place, _, text = message.partition(" ")
    assert code == expected[0]
    assert text.startswith(expected[2]), text
    assert place == ("8:20" if expected[1] is None else f"8:{21 + expected[1]}")


def test_metadata_has_two_fields(tmp_path: Path) -> None:
    assert diagnostics(tmp_path, root="{rule: self.metadata.name != '' || self.metadata.generateName == 'x'}") == []
    found = diagnostics(tmp_path / "b", root="{rule: self.metadata.labels.size() == 0}")
    message = "a rule can use `name` and `generateName` of metadata, not `labels`"
    assert found == [("AG1361", f"6:34 {message} [check other metadata in an admission webhook]")]


def test_metadata_of_objects_inside_has_all_fields(tmp_path: Path) -> None:
    rule = "self.inside.all(t, !has(t.metadata.__namespace__) && t.metadata.creationTimestamp < timestamp('2030-01-01T00:00:00Z'))"
    assert diagnostics(tmp_path, spec=f'{{rule: "{rule}"}}') == []
    assert diagnostics(tmp_path / "b", spec='{rule: "self.inside.all(t, !has(t.metadata.namespace))"}') == []
    found = diagnostics(tmp_path / "c", spec='{rule: "self.inside.all(t, !has(t.metadata.namespaces))"}')
    message = "`ObjectMeta` has no field `namespaces` [did you mean `__namespace__`?]"
    assert [(code, text.partition(" ")[2]) for code, text in found] == [("AG1361", message)]


def test_multiline_rule_error_has_line_and_column(tmp_path: Path) -> None:
    found = diagnostics(tmp_path, spec="{rule: \"self.count > 0 &&\\n  self.nme == ''\"}")
    assert [code for code, _ in found] == ["AG1361"]
    assert found[0][1].endswith("(line 2, 7) [did you mean `name`?]")


def test_old_self_without_old_value_is_rejected(tmp_path: Path) -> None:
    assert [code for code, _ in diagnostics(tmp_path, item="{rule: self == oldSelf}")] == ["AG1364"]


def test_unused_optional_value(tmp_path: Path) -> None:
    found = diagnostics(tmp_path, spec="{rule: self.count > 0, optionalOldSelf: true}")
    assert [code for code, _ in found] == ["AG1363"]


def test_non_string_message(tmp_path: Path) -> None:
    ((code, text),) = diagnostics(tmp_path, spec="{rule: self.count > 0, messageExpression: self.count}")
    assert code == "AG1362"
    assert text.startswith("8:55 a message must be a string, but this is of type int [")


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        (".nme", "is not a field: FrobberSpec has no `nme` [did you mean `name`?]"),
        (".child.nme", "is not a field: FrobberSpec has no `nme` [did you mean `name`?]"),
        ("name", "is not a field path"),
        (".names[0]", "is not a field path"),
        (".name.x", "is not a field: string has no `x`"),
    ],
)
def test_invalid_field_paths(tmp_path: Path, path: str, problem: str) -> None:
    found = diagnostics(tmp_path, spec=f'{{rule: self.count > 0, fieldPath: "{path}"}}')
    assert [code for code, _ in found] == ["AG1365"]
    assert problem in found[0][1]


@pytest.mark.parametrize("path", [".name", ".child.name", ".labels['a.b']", ".byName['x'].name"])
def test_valid_field_paths(tmp_path: Path, path: str) -> None:
    assert diagnostics(tmp_path, spec=f'{{rule: self.count > 0, fieldPath: "{path}"}}') == []


def test_invalid_reason_is_rejected(tmp_path: Path) -> None:
    found = diagnostics(tmp_path, spec="{rule: self.count > 0, reason: FieldValueInvald}")
    assert [code for code, _ in found] == ["AG0206"]


def test_missing_library_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cel_check, "find_cel", lambda: None)
    found = diagnostics(tmp_path, spec="{rule: self.count >}, {rule: self.cout > 0}")
    assert [code for code, _ in found] == ["AG1368"]
    assert "2 CEL rules are not checked" in found[0][1]


RENAMED = """types:
  Frobber:
    fields:
      metadata: {{type: meta/v1.ObjectMeta, required: false, protobuf: 1}}
      {name}: {{type: int32, omitEmpty: true, protobuf: 2{lens}}}
    rules: [{{rule: "{rule}"}}]
"""


@pytest.mark.parametrize(
    ("rule", "hints"),
    [
        ("self.count < 9", []),
        ("self.count < 8", ['declare it in v1, too: `{rule: "self.size < 8"}`']),
        ("self.metadata.name != ''", ["declare it in v1, too"]),
    ],
)
def test_rule_of_another_version_is_compared_by_names_of_the_hub(tmp_path: Path, rule: str, hints: list[str]) -> None:
    group = tmp_path / "specs" / "things.example.com"
    group.mkdir(parents=True)
    (group / "group.yaml").write_text(GROUP.replace("{v1:", "{v1beta1: {}, v1:"), encoding="utf-8")
    (group / "v1.yaml").write_text(RENAMED.format(name="size", lens="", rule="self.size < 9"), encoding="utf-8")
    other = RENAMED.format(name="count", lens=", hub: size", rule=rule)
    (group / "v1beta1.yaml").write_text(other, encoding="utf-8")
    report = Report()
    check(Sources(tmp_path / "specs", None, tmp_path / "specs"), report)
    assert [each.hint for each in report.diagnostics if each.code == "AG1367"] == hints
