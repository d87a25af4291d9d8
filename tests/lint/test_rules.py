"""The findings of each rule, what it accepts, and how findings are suppressed."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Report, Severity
from apigen.lint.rules import RULES
from apigen.lint.run import run_rules
from tests.ir.resolving import META, resolved

GROUP = """
group: things.example.com
versions: {v1: {introduced: "1.9", storage: true}, v1beta1: {introduced: "1.9"}}
kinds: {Frobber: {}}
"""
GATES = 'New: {stages: [{release: "1.9", stage: alpha}]}\n'
PART = "\n  Part: {fields: {name: {type: string}}}"


def findings(folder: Path, types: str, beta: str = "types: {}\n") -> list[tuple[str, str]]:
    """The codes that rules find in v1, with the place of each."""
    files = {"group.yaml": GROUP, "v1.yaml": f"types:\n{types}\n", "v1beta1.yaml": beta, "features.yaml": GATES}
    report = Report()
    run_rules(resolved(folder, {**files, **META}), report)
    return [(d.code, str(d.place).partition("/")[2]) for d in report.diagnostics]


def frobber(field: str, more: str = "", ignore: str = "") -> str:
    """The kind with one field."""
    return f"  Frobber: {{fields: {{{field}}}{ignore}}}{more}"


@pytest.mark.parametrize(
    ("types", "code"),
    [
        (frobber("a: {type: float64}"), "AG1101"),
        (frobber('a: {type: "map[string]float32", omitEmpty: true}'), "AG1101"),
        (frobber("a: {type: uint32}"), "AG1102"),
        (frobber("a_b: {type: string}"), "AG1103"),
        (frobber("Ab: {type: string}"), "AG1103"),
        (frobber("a: {type: string, default: x}"), "AG1104"),
        (frobber("a: {type: Mode}", "\n  Mode: {enum: {A: {}, B: {featureGate: New}}}"), "AG1105"),
        (frobber('a: {type: "[]Part", omitEmpty: true}', PART), "AG1107"),
        (frobber("a: {type: Parts, omitEmpty: true}", f'{PART}\n  Parts: {{is: "[]Part"}}'), "AG1107"),
        (
            frobber(
                'a: {type: "[]Part", omitEmpty: true, listType: map, listMapKeys: [name], patchMergeKey: kind}',
                "\n  Part: {fields: {name: {type: string}, kind: {type: string}}}",
            ),
            "AG1108",
        ),
        (frobber("a: {type: string}", PART), "AG1109"),
        (frobber("a: {type: string}", "\n  Mode: {enum: {A: {}}}"), "AG1109"),
        (frobber("a: {type: string}", "\n  Label: {is: string}"), "AG1109"),
    ],
)
def test_rule_reports_finding(types: str, code: str, tmp_path: Path) -> None:
    assert [found for found, _ in findings(tmp_path, types)] == [code]


@pytest.mark.parametrize(
    "types",
    [
        frobber("a: {type: int64}"),
        frobber("podIPs: {type: '[]string', omitEmpty: true}"),
        frobber("a: {type: string, required: false, default: x}"),
        frobber("a: {type: string, default: {when: {a: y}, value: x}}"),
        frobber("a: {type: Mode}", "\n  Mode: {enum: {A: {}, B: {featureGate: New}}, unknown: A}"),
        frobber("a: {type: Mode}", "\n  Mode: {enum: {A: {}, B: {featureGate: New}}, open: true}"),
        frobber('a: {type: "[]Part", omitEmpty: true, listType: atomic}', PART),
        frobber("a: {type: Parts, omitEmpty: true}", f'{PART}\n  Parts: {{is: "[]Part", listType: atomic}}'),
        frobber("a: {type: '[]string', omitEmpty: true}"),
        frobber("a: {type: Part, inline: true}", PART),
        frobber("a: {type: 'map[Label]Part', omitEmpty: true}", f"{PART}\n  Label: {{is: string}}"),
    ],
)
def test_valid_specs_have_no_findings(types: str, tmp_path: Path) -> None:
    assert findings(tmp_path, types) == []


def test_type_used_only_by_lenses_is_used(tmp_path: Path) -> None:
    more = f"{PART}\n"
    lens = ", hubOnly: {b: {annotation: x.example.com/b, format: json, as: '[]Part'}}"
    assert findings(tmp_path, frobber("a: {type: string}", more, lens)) == []


def test_type_used_only_in_another_version_is_used(tmp_path: Path) -> None:
    """Carried in an annotation or converted by hand, it occurs in no field of this version."""
    beta = "types: {Frobber: {removed: '1.12', fields: {b: {type: Part, optional: true}}}, Part: {fields: {}}}\n"
    carried = ", hubOnly: {b: {annotation: x.example.com/b}}"
    assert findings(tmp_path, frobber("a: {type: string}", PART, carried), beta) == []
    assert findings(tmp_path, frobber("a: {type: string}", PART), beta) == [("AG1109", "v1.yaml:3:3")]


CIRCLE = {
    "one": "Crate: {fields: {lid: {type: 'map[string]two/v1.Lid', omitEmpty: true}, mode: {type: two/v1.Mode}}}",
    "two": "Lid: {fields: {part: {type: three/v1.Part}}}\n  Mode: {enum: {A: {}}}",
    "three": "Part: {fields: {crates: {type: 'one/v1.Crates'}}}",
}


def circle(folder: Path, **changed: str) -> list[str]:
    """Where a circle of three groups is found, when some of them are otherwise."""
    files = {"v1.yaml": "types: {}\n", **META}
    for name, types in {**CIRCLE, **changed}.items():
        files[f"{name}/group.yaml"] = f"group: {name}.example.com\nversions: {{v1: {{}}}}\n"
        files[f"{name}/v1.yaml"] = f"types:\n  {types}\n"
    files["one/v1.yaml"] += "  Crates: {is: '[]Crate', nullable: true}\n"
    report = Report()
    run_rules(resolved(folder, files), report)
    return [str(d.place) for d in report.diagnostics if d.code == "AG1110"]


def test_versions_that_refer_to_each_other(tmp_path: Path) -> None:
    assert circle(tmp_path) == ["one/v1.yaml:2:20", "three/v1.yaml:2:19", "two/v1.yaml:2:18"]


def test_versions_that_share_only_enums(tmp_path: Path) -> None:
    """An enum is text in protobuf, so naming one imports nothing."""
    assert circle(tmp_path, two="Lid: {fields: {}}\n  Mode: {enum: {A: {}}}", three="Part: {fields: {}}") == []
    assert circle(tmp_path, one="Crate: {fields: {mode: {type: two/v1.Mode}}}") == []


@pytest.mark.parametrize("where", ["field", "type"])
def test_suppressed_finding(where: str, tmp_path: Path) -> None:
    ignore = "ignore: {AG1101: measured, AG1109: for later}"
    field = f"a: {{type: float64, {ignore}}}" if where == "field" else "a: {type: string}"
    types = frobber(field, f"\n  Part: {{{ignore}, fields: {{}}}}" if where == "type" else "")
    # What is needed is silent, the other one is an error at its own place.
    needless = {"field": ("AG1001", "v1.yaml:2:68"), "type": ("AG1001", "v1.yaml:3:19")}[where]
    assert findings(tmp_path, types) == [needless]


def test_suppression_of_unknown_rule_is_reported(tmp_path: Path) -> None:
    assert findings(tmp_path, frobber("a: {type: string, ignore: {AG0301: no}}")) == [("AG1002", "v1.yaml:2:49")]


def test_suppressions_on_inline_fields_are_unused(tmp_path: Path) -> None:
    types = frobber("a: {type: Part, inline: true, ignore: {AG1101: no}}", PART)
    assert [code for code, _ in findings(tmp_path, types)] == ["AG1001"]


def test_findings_are_warnings(tmp_path: Path) -> None:
    report = Report()
    run_rules(resolved(tmp_path, {"v1.yaml": "types: {Frobber: {fields: {a_b: {type: string}}}}\n"}), report)
    assert {d.severity for d in report.diagnostics} == {Severity.WARNING}


def test_codes_are_sorted_and_unique() -> None:
    codes = [rule.code for rule in RULES]
    assert sorted(set(codes)) == codes
