"""The fix of a diagnostic, pasted as it is printed, removes the diagnostic and causes no other error."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics.model import Severity
from tests.diagnostics.harness import check_specs

GROUP = """\
group: things.example.com
versions:
  v1beta1: {introduced: "1.0", deprecated: "1.1", removed: "1.4"}
  v1: {introduced: "1.1", storage: true}
hub: v1
kinds:
  Thing: {scope: Namespaced, plural: things}
"""
V1 = """\
types:
  Thing:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
      count: {type: int32, omitEmpty: true, protobuf: 2}
      name: {type: string, omitEmpty: true, protobuf: 3}
      mode: {type: Mode, omitEmpty: true, protobuf: 4}
      parts: {type: "[]Part", omitEmpty: true, protobuf: 5, listType: map, listMapKeys: [name]}
  Part:
    fields:
      name: {type: string, protobuf: 1}
      size: {type: int32, optional: true, protobuf: 2}
  Mode: {enum: {Flat: {}, Round: {}}, unknown: Flat}
"""
GATES = """\
Wide: {stages: [{release: "1.0", stage: alpha}, {release: "1.1", stage: beta, default: true}]}
"""
FILES = {
    "group.yaml": GROUP,
    "v1.yaml": V1,
    "v1beta1.yaml": V1,
    "../features.yaml": GATES,
}
NAME = "name: {type: string, omitEmpty: true, protobuf: 3}"
COUNT = "count: {type: int32, omitEmpty: true, protobuf: 2}"
MODE = "mode: {type: Mode, omitEmpty: true, protobuf: 4}"

Edit = tuple[str, str, str]
"""A file, a text in it, and what replaces the text."""

# Code, the mistake, the part of the help that is pasted, and where it is pasted: a part of the mistake and its replacement.
CASES: dict[str, tuple[str, Edit, str, tuple[str, str]]] = {
    "list of another language": ("AG0207", ("*", NAME, 'name: {type: "list[string]", omitEmpty: true}'), '"[]string"', ('"list[string]"', '"[]string"')),
    "brackets behind": ("AG0207", ("*", NAME, 'name: {type: "string[]", omitEmpty: true}'), '"[]string"', ('"string[]"', '"[]string"')),
    "dict": ("AG0207", ("*", NAME, 'name: {type: "dict[str, int]", omitEmpty: true}'), '"map[string]int64"', ('"dict[str, int]"', '"map[string]int64"')),
    "optional type": ("AG0207", ("*", NAME, 'name: {type: "string?"}'), '`type: "string"` and `optional: true`', ('type: "string?"', 'type: "string", optional: true')),
    "int": ("AG0301", ("*", COUNT, "count: {type: int, omitEmpty: true}"), "int64", ("type: int,", "type: int64,")),
    "datetime": ("AG0301", ("*", NAME, "name: {type: datetime, optional: true}"), "Time", ("datetime", "Time")),
    "boolean": ("AG0301", ("*", NAME, "name: {type: boolean, omitEmpty: true}"), "bool", ("boolean", "bool")),
    "number": ("AG0301", ("*", NAME, "name: {type: number, omitEmpty: true}"), "float64", ("type: number", "type: float64")),
    "misspelled type": ("AG0301", ("*", MODE, "mode: {type: Mod, omitEmpty: true, protobuf: 4}"), "Mode", ("type: Mod,", "type: Mode,")),
    "misspelled key": ("AG0201", ("*", NAME, "name: {tpye: string, omitEmpty: true, protobuf: 3}"), "type", ("tpye", "type")),
    "min": ("AG0201", ("*", COUNT, "count: {type: int32, omitEmpty: true, protobuf: 2, min: 0}"), "minimum:", ("min:", "minimum:")),
    "description": ("AG0201", ("*", NAME, "name: {type: string, omitEmpty: true, protobuf: 3, description: x}"), "doc:", ("description:", "doc:")),
    "yes": ("AG0202", ("*", NAME, "name: {type: string, omitEmpty: yes, protobuf: 3}"), "true", ("yes", "true")),
    "type as a list": ("AG0202", ("*", NAME, "name: {type: [string], omitEmpty: true}"), '"[]string"', ("[string]", '"[]string"')),
    "list of enum values": ("AG0202", ("*", "{enum: {Flat: {}, Round: {}}, unknown: Flat}", "{enum: [Flat, Round], unknown: Flat}"), "{Flat: {}, Round: {}}", ("[Flat, Round]", "{Flat: {}, Round: {}}")),
    "scope": ("AG0206", ("group.yaml", "Namespaced", "Namespace"), "Namespaced", ("scope: Namespace,", "scope: Namespaced,")),
    "list type": ("AG0206", ("*", "listType: map", "listType: mpa"), "map", ("mpa", "map")),
    "default that is not in the enum": ("AG0507", ("*", MODE, "mode: {type: Mode, omitEmpty: true, protobuf: 4, default: Flatt}"), "Flat", ("Flatt", "Flat")),
    "number as a default of a string": ("AG0505", ("*", NAME, "name: {type: string, omitEmpty: true, protobuf: 3, default: 7}"), "in quotes", ("default: 7", 'default: "7"')),
    "unknown path of a default": ("AG0510", ("*", NAME, "name: {type: string, omitEmpty: true, protobuf: 3, default: {from: nmae}}"), "name", ("{from: nmae}", "{value: x}")),
    "format": ("AG0523", ("*", NAME, "name: {type: string, omitEmpty: true, protobuf: 3, format: k8s-short-nam}"), "k8s-short-name", ("k8s-short-nam}", "k8s-short-name}")),
    "list map keys": ("AG0525", ("*", "listType: map, listMapKeys: [name]", "listType: map"), "listMapKeys: [name]", ("listType: map", "listType: map, listMapKeys: [name]")),
    "gate": ("AG0550", ("*", "size: {type: int32, optional: true, protobuf: 2}", "size: {type: int32, optional: true, protobuf: 2, featureGate: Wied}"), "Wide", ("Wied", "Wide")),
    "gate of a required field": ("AG0555", ("*", "name: {type: string, protobuf: 1}", "name: {type: string, protobuf: 1}\n      wide: {type: int32, protobuf: 9, featureGate: Wide}"), "optional: true", ("wide: {type: int32,", "wide: {type: int32, optional: true,")),
    "loss": ("AG0701", ("v1.yaml", COUNT, COUNT + "\n      size: {type: int32, optional: true, protobuf: 9}"), "hubOnly: {size: {annotation: things.example.com/size}}", ("", "")),
    "optional on one side": ("AG0606", ("v1beta1.yaml", COUNT, "count: {type: int32, optional: true, protobuf: 2}"), "hub: {absent: 0}", ("count: {type: int32, optional: true", "count: {type: int32, optional: true, hub: {absent: 0}")),
    "moved, and optional on one side": ("AG0606", ("v1beta1.yaml", COUNT, "number: {type: int32, optional: true, protobuf: 2, hub: count}"), "hub: {to: count, absent: 0}", ("hub: count", "hub: {to: count, absent: 0}")),
    "two storage versions": ("AG0324", ("group.yaml", 'removed: "1.4"', 'removed: "1.4", storage: true'), "remove `storage: true`", (', storage: true}\n  v1:', '}\n  v1:')),
    "default of a required field": ("AG1104", ("*", NAME, "name: {type: string, protobuf: 3, default: x}"), "required: false", ("default: x", "default: x, required: false")),
    "unsorted stages": ("AG0551", ("../features.yaml", '"1.1"', '"0.9"'), "order of their releases", ('{release: "1.0", stage: alpha}, {release: "0.9", stage: beta, default: true}', '{release: "0.9", stage: alpha}, {release: "1.0", stage: beta, default: true}')),
}  # fmt: skip


def write(folder: Path, files: dict[str, str]) -> None:
    group = folder / "specs" / "things.example.com"
    group.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (group / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("name", CASES)
def test_pasted_fix_removes_its_diagnostic(name: str, tmp_path: Path) -> None:
    code, (where, right, wrong), pasted, (old, new) = CASES[name]
    broken = {file: text.replace(right, wrong) if where in ("*", file) else text for file, text in FILES.items()}
    write(tmp_path, broken)
    found = [each for each in check_specs(tmp_path / "specs", tmp_path).diagnostics if each.code == code]
    assert found, f"{code} is not reported"
    assert all(pasted in (each.hint or "") for each in found), [each.hint for each in found]
    if name == "loss":
        old, new = "  Thing:\n", f"  Thing:\n    {pasted}\n"
        where = "v1beta1.yaml"
    fixed = {file: text.replace(old, new) if where in ("*", file) else text for file, text in broken.items()}
    assert fixed != broken
    write(tmp_path, fixed)
    left = check_specs(tmp_path / "specs", tmp_path).diagnostics
    assert [str(each.message) for each in left if each.code == code or each.severity is Severity.ERROR] == []
