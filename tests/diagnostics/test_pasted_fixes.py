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
    "list in a flow mapping": ("AG0110", ("*", NAME, "name: {type: list[Part], omitEmpty: true}"), '"[]Part"', ("list[Part]", '"[]Part"')),
    "list without quotes": ("AG0110", ("*", NAME, "name: {type: []string, omitEmpty: true}"), '"[]string"', ("[]string", '"[]string"')),
    "map without quotes": ("AG0110", ("*", NAME, "name: {type: map[string]Part, omitEmpty: true}"), '"map[string]Part"', ("map[string]Part", '"map[string]Part"')),
    "map without key type": ("AG0207", ("*", NAME, 'name: {type: "map[Part]", omitEmpty: true}'), '"map[string]Part"', ('"map[Part]"', '"map[string]Part"')),
    "map of interfaces": ("AG0207", ("*", NAME, 'name: {type: "map[string]interface{}", omitEmpty: true}'), '"map[string]RawExtension"', ("interface{}", "RawExtension")),
    "type of a Go package": ("AG0207", ("*", "meta/v1.ObjectMeta", "metav1.ObjectMeta"), "meta/v1.ObjectMeta", ("metav1.", "meta/v1.")),
    "type of another group": ("AG0301", ("*", "meta/v1.ObjectMeta", "ObjectMeta"), "meta/v1.ObjectMeta", ("ObjectMeta", "meta/v1.ObjectMeta")),
    "uuid": ("AG0301", ("*", NAME, "name: {type: uuid, omitEmpty: true}"), "`string`, with `format: k8s-uuid`", ("type: uuid", "type: string, format: k8s-uuid")),
    "date": ("AG0301", ("*", NAME, "name: {type: date, optional: true}"), "Time", ("type: date", "type: Time")),
    "lowercase type": ("AG0304", ("*", "  Part:\n", "  part:\n"), "write `Part`", ("  part:", "  Part:")),
    "format of OpenAPI": ("AG0523", ("*", NAME, "name: {type: string, optional: true, protobuf: 3, format: date-time}"), "type: Time", ("type: string, optional: true, protobuf: 3, format: date-time", "type: Time, optional: true, protobuf: 3")),
    "keys of JSON Schema on a field": ("AG0201", ("*", NAME, "name: {type: Part, properties: {a: {type: string}}}"), "type: NAME", (", properties: {a: {type: string}}", ", optional: true")),
    "type of a type": ("AG0201", ("*", "  Part:\n", "  Part:\n    type: object\n"), "remove it", ("    type: object\n", "")),
    "list of required fields": ("AG0201", ("*", "  Part:\n", "  Part:\n    required: [name]\n"), "remove it", ("    required: [name]\n", "")),
    "fields as a list": ("AG0202", ("*", "      size: {type: int32, optional: true, protobuf: 2}\n", "      size: {type: int32, optional: true, protobuf: 2}\n  Extra:\n    fields: [{name: name, type: string}]\n"), "`name: {…}`, without `name:`", ("[{name: name, type: string}]", "{name: {type: string}}")),
    "type without keys": ("AG0202", ("*", "  Mode: {", "  Extra:\n  Mode: {"), "fields: {}", ("  Extra:\n", "  Extra: {fields: {}}\n")),
    "versions as a list": ("AG0202", ("group.yaml", '\n  v1beta1: {introduced: "1.0", deprecated: "1.1", removed: "1.4"}\n  v1: {introduced: "1.1", storage: true}\nhub: v1\n', " [v1beta1, v1]\n"), "{v1beta1: {}, v1: {}}", ("[v1beta1, v1]", "{v1beta1: {}, v1: {}}")),
    "kinds as a list": ("AG0202", ("group.yaml", "\n  Thing: {scope: Namespaced, plural: things}", " [Thing]"), "{Thing: {}}", ("[Thing]", "{Thing: {}}")),
    "keys of a list map as a string": ("AG0202", ("*", "listMapKeys: [name]", "listMapKeys: name"), "[name]", ("listMapKeys: name", "listMapKeys: [name]")),
    "group without a name": ("AG0203", ("group.yaml", "group: things.example.com\n", ""), "group: shop.example.com", ("versions:\n", "group: shop.example.com\nversions:\n")),
    "version with a letter": ("AG0210", ("group.yaml", 'introduced: "1.0"', 'introduced: "v1.0"'), '"1.0"', ('"v1.0"', '"1.0"')),
    "path of JSONPath": ("AG0208", ("v1beta1.yaml", COUNT, "number: {type: int32, omitEmpty: true, protobuf: 2, hub: .count}"), "count", ("hub: .count", "hub: count")),
    "rename": ("AG0201", ("v1beta1.yaml", COUNT, "number: {type: int32, omitEmpty: true, protobuf: 2, rename: count}"), "hub: PATH", ("rename: count", "hub: count")),
    "rename in a lens": ("AG0201", ("v1beta1.yaml", COUNT, "number: {type: int32, omitEmpty: true, protobuf: 2, hub: {rename: count}}"), "to: PATH", ("rename: count", "to: count")),
    "renamed without a lens": ("AG0701", ("v1beta1.yaml", COUNT, "number: {type: int32, omitEmpty: true, protobuf: 2}"), "add `hub: count` to `number` of v1beta1 `Thing`", ("number: {", "number: {hub: count, ")),
    "gate of a field by another key": ("AG0201", ("*", COUNT, "count: {type: int32, optional: true, protobuf: 2, gate: Wide}"), "featureGate: NAME", ("gate: Wide", "featureGate: Wide")),
    "wrong comparison in CEL": ("AG1360", ("*", COUNT, 'count: {type: int32, omitEmpty: true, protobuf: 2, rules: [{rule: "self => 0"}]}'), ">=", ("=>", ">=")),
    "and in CEL": ("AG1360", ("*", COUNT, 'count: {type: int32, omitEmpty: true, protobuf: 2, rules: [{rule: "self > 0 and self < 5"}]}'), "&&", (" and ", " && ")),
    "one equals sign in CEL": ("AG1360", ("*", COUNT, 'count: {type: int32, omitEmpty: true, protobuf: 2, rules: [{rule: "self = 1"}]}'), "==", ("self = 1", "self == 1")),
    "rule as a string": ("AG0202", ("*", COUNT, 'count: {type: int32, omitEmpty: true, protobuf: 2, rules: ["self > 0"]}'), '{rule: "self > 0"}', ('["self > 0"]', '[{rule: "self > 0"}]')),
    "validations of a CRD": ("AG0201", ("*", COUNT, 'count: {type: int32, omitEmpty: true, protobuf: 2, validations: [{rule: "self > 0"}]}'), "rules: ", ("validations:", "rules:")),
    "oneOf": ("AG0201", ("*", "  Part:\n", "  Part:\n    oneOf: [size, weight]\n"), "unions: [{members: [a, b]}]", ("    oneOf: [size, weight]\n    fields:\n", "    unions: [{members: [size, weight]}]\n    fields:\n      weight: {type: int32, optional: true, protobuf: 3}\n")),
    "range": ("AG0201", ("*", COUNT, "count: {type: int32, omitEmpty: true, protobuf: 2, range: [0, 5]}"), "minimum:", ("range: [0, 5]", "minimum: 0, maximum: 5")),
    "status of a kind": ("AG0201", ("group.yaml", "plural: things}", "plural: things, status: true}"), "subresources: {status: {}}", ("status: true", "subresources: {status: {}}")),
    "snake case": ("AG1103", ("*", COUNT, "max_count: {type: int32, omitEmpty: true, protobuf: 2}"), "write `maxCount`", ("max_count", "maxCount")),
    "abbreviation first": ("AG1103", ("*", COUNT, "IPCount: {type: int32, omitEmpty: true, protobuf: 2}"), "write `ipCount`", ("IPCount", "ipCount")),
    "diacritics": ("AG1103", ("*", COUNT, "für_dich: {type: int32, pyName: fur_dich, omitEmpty: true, protobuf: 2}"), "write `furDich`", ("für_dich", "furDich")),
    "letters outside of ASCII": ("AG1103", ("*", COUNT, "größe: {type: int32, pyName: size, omitEmpty: true, protobuf: 2}"), "use ASCII letters and digits", ("größe", "size")),
    "enum in a field": ("AG0207", ("*", NAME, "name: {type: enum, values: [A, B]}"), "`Name: {enum: {A: {}, B: {}}, unknown: A}` to `types:`", ("name: {type: enum, values: [A, B]}", "name: {type: Name, omitEmpty: true}\n  Name: {enum: {A: {}, B: {}}, unknown: A}\n  Other:\n    fields:")),
    "field as the name of its type": ("AG0202", ("*", NAME, "name: string"), "{type: string}", ("name: string", "name: {type: string}")),
    "number in quotes as a default": ("AG0505", ("*", COUNT, 'count: {type: int32, omitEmpty: true, protobuf: 2, default: "7"}'), "without quotes: 7", ('default: "7"', "default: 7")),
    "default null": ("AG0202", ("*", COUNT, "count: {type: int32, omitEmpty: true, protobuf: 2, default: null}"), "remove it", (", default: null", "")),
    "stable stage": ("AG0206", ("../features.yaml", 'stage: beta, default: true', 'stage: stable, default: true'), "write `ga`", ("stage: stable", "stage: ga")),
    "gate that is not declared": ("AG0550", ("*", "size: {type: int32, optional: true, protobuf: 2}", "size: {type: int32, optional: true, protobuf: 2, featureGate: Deep}"), '`Deep: {stages: [{release: "1.0", stage: alpha}]}`', ("Wide: {stages", 'Deep: {stages: [{release: "1.0", stage: alpha}]}\nWide: {stages')),
    "release with the letter only": ("AG0210", ("group.yaml", 'introduced: "1.0"', "introduced: v1"), '"1.10"', ("introduced: v1,", 'introduced: "1.0",')),
    "storage of the group": ("AG0201", ("group.yaml", ', storage: true}\n', "}\nstorage: v1\n"), "declare it on a version", ('{introduced: "1.1"}\nstorage: v1', '{introduced: "1.1", storage: true}')),
    "hub of another version": ("AG0325", ("group.yaml", "hub: v1", "hub: v3"), "`v1beta1` or `v1`", ("hub: v3", "hub: v1")),
    "types without `types:`": ("AG0201", ("v1.yaml", V1, V1.partition("\n")[2]), "write `types:` above them", ("  Thing:\n    fields:", "types:\n  Thing:\n    fields:")),
    "string for a number": ("AG0604", ("v1beta1.yaml", COUNT, "count: {type: string, omitEmpty: true, protobuf: 2}"), "`hub: {to: count, format: decimal}`", ("count: {type: string,", 'count: {type: string, hub: {to: count, format: decimal},')),
    "duration for seconds": ("AG0604", ("v1beta1.yaml", COUNT, "count: {type: Duration, omitEmpty: true, protobuf: 2}"), "`hub: {to: count, seconds: truncate, outOfRange: cap}`", ("count: {type: Duration,", "count: {type: Duration, hub: {to: count, seconds: truncate, outOfRange: cap},")),
    "number as a version": ("AG0112", ("group.yaml", "  v1: {", "  1: {"), "versions are named like `v1`, `v2beta3` or `v1alpha1`: write `v1`", ("  1: {", "  v1: {")),
    "number in quotes as a version": ("AG0321", ("group.yaml", "  v1: {", '  "1": {'), "write `v1`", ('  "1": {', "  v1: {")),
    "minor number in a version": ("AG0321", ("group.yaml", "  v1: {", "  v1.0: {"), "write `v1`", ("  v1.0: {", "  v1: {")),
    "capital letter in a version": ("AG0321", ("group.yaml", "  v1: {", "  V1: {"), "write `v1`", ("  V1: {", "  v1: {")),
    "underscore in a version": ("AG0321", ("group.yaml", "  v1beta1: {", "  v1_beta1: {"), "write `v1beta1`", ("  v1_beta1: {", "  v1beta1: {")),
    "beta version without a number": ("AG0321", ("group.yaml", "  v1beta1: {", "  v1beta: {"), "write `v1beta1`", ("  v1beta: {", "  v1beta1: {")),
    "path from a containing type": ("AG0510", ("*", NAME, "name: {type: string, omitEmpty: true, protobuf: 3, default: {from: spec.title}}\n      title: {type: string, omitEmpty: true, protobuf: 9}"), "did you mean `title`?", ("spec.title", "title")),
    "stages as a mapping": ("AG0202", ("../features.yaml", '[{release: "1.0", stage: alpha}, {release: "1.1", stage: beta, default: true}]', '{"1.0": alpha}'), '[{release: "1.0", stage: alpha}]', ('{"1.0": alpha}', '[{release: "1.0", stage: alpha}]')),
    "misspelled hub field": ("AG0701", ("v1beta1.yaml", NAME, "title: {type: string, omitEmpty: true, protobuf: 3, hub: nmae}"), "write `hub: name` in place of `hub: nmae` on `title` of v1beta1 `Thing`", ("hub: nmae", "hub: name")),
    "keys without a list map": ("AG0525", ("*", "listType: map, listMapKeys", "listMapKeys"), "add `listType: map`", ("listMapKeys", "listType: map, listMapKeys")),
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
