"""Constraints that do not apply to the type of the value, and unknown names in constraints."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.ir.resolve import resolve
from apigen.language.load import load_api
from tests.validation.case_files import CaseFile
from tests.validation.test_cases import GROUP, spec_files

TYPES = """
    Row: {fields: {name: {type: string, protobuf: 1}, part: {type: Part, required: false, protobuf: 2}}}
    Part: {fields: {size: {type: int32, omitEmpty: true, protobuf: 1}}}
    Mode: {unknown: On, enum: {On: {}, Off: {}}}
    """

REJECTED = {
    "monotonic of text": ("x: {type: string, monotonic: true, protobuf: 1}", "AG0520", "applies to integers"),
    "monotonic of a float": ("x: {type: float64, monotonic: true, protobuf: 1}", "AG0520", "applies to integers"),
    "monotonic of elements": (
        'x: {type: "[]int32", omitEmpty: true, items: {monotonic: true}, protobuf: 1}',
        "AG0520",
        "`monotonic` applies to fields",
    ),
    "a default that it must not have": (
        "x: {type: int32, required: false, default: 7, not: 7, protobuf: 1}",
        "AG0506",
        "7 is an excluded value",
    ),
    "not of a struct": (
        "x: {type: Part, not: 1, required: false, protobuf: 1}",
        "AG0520",
        "strings, integers and booleans",
    ),
    "not of another type": ("x: {type: int32, not: one, protobuf: 1}", "AG0521", "can never have this value"),
    "not a flag that is a number": ("x: {type: int32, not: true, protobuf: 1}", "AG0521", "can never have this value"),
    "not a list": ("x: {type: string, not: [a], protobuf: 1}", "AG0521", "can never have this value"),
    "noAddItem of text": ("x: {type: string, update: [noAddItem], protobuf: 1}", "AG0520", "applies to lists and maps"),
    "noAddItem without identity": (
        'x: {type: "[]string", omitEmpty: true, listType: atomic, update: [noAddItem], protobuf: 1}',
        "AG0520",
        "requires a map, or a list with",
    ),
    "noRemoveItem of a set of structs": (
        'x: {type: "[]Part", omitEmpty: true, uniqueItems: true, update: [noRemoveItem], protobuf: 1}',
        "AG0520",
        "requires a map, or a list with",
    ),
    "noModify of a list": (
        'x: {type: "[]string", omitEmpty: true, listType: set, update: [noModify], protobuf: 1}',
        "AG0520",
        "with `items` or `values`",
    ),
    "noModify of what is not paired": (
        'x: {type: "[]string", omitEmpty: true, listType: set, items: {update: [noModify]}, protobuf: 1}',
        "AG0520",
        "requires an old value",
    ),
    "immutable elements that are not paired": (
        'x: {type: "[]Part", omitEmpty: true, listType: atomic, items: {immutable: true}, protobuf: 1}',
        "AG0520",
        "`immutable` requires an old value",
    ),
    "immutable keys": (
        'x: {type: "map[string]string", omitEmpty: true, keys: {immutable: true}, protobuf: 1}',
        "AG0520",
        "`immutable` requires an old value",
    ),
    "noSet of elements": (
        'x: {type: "[]Row", omitEmpty: true, listType: map, listMapKeys: [name], items: {update: [noSet]}, protobuf: 1}',
        "AG0520",
        "applies to fields",
    ),
    "noUnset of what is always there": (
        "x: {type: Part, required: false, update: [noUnset], protobuf: 1}",
        "AG0520",
        "always present",
    ),
    "forbidden and always there": (
        "x: {type: Part, required: false, forbidden: true, protobuf: 1}",
        "AG0520",
        "always present",
    ),
    "uniqueBy of text": ("x: {type: string, uniqueBy: [name], protobuf: 1}", "AG0520", "lists of structs"),
    "uniqueBy of a list of strings": (
        'x: {type: "[]string", omitEmpty: true, uniqueBy: [name], protobuf: 1}',
        "AG0520",
        "lists of structs",
    ),
    "uniqueBy twice": (
        'x: {type: "[]Row", omitEmpty: true, listType: map, listMapKeys: [name], uniqueBy: [name], protobuf: 1}',
        "AG0520",
        "already declares the identity",
    ),
    "uniqueBy what is not there": (
        'x: {type: "[]Row", omitEmpty: true, listType: atomic, uniqueBy: [nam], protobuf: 1}',
        "AG0524",
        "no field `nam`",
    ),
    "an unknown gate": (
        "x: {type: int32, ifEnabled: {Of: {minimum: 1}}, protobuf: 1}",
        "AG0550",
        "unknown feature gate `Of`",
    ),
    "a constraint of strings on an integer, under a gate": (
        "x: {type: int32, ifDisabled: {Off: {maxLength: 1}}, protobuf: 1}",
        "AG0520",
        "`maxLength` applies to strings",
    ),
    "subfields of a string": (
        "x: {type: string, subfields: {a: {minLength: 1}}, protobuf: 1}",
        "AG0520",
        "applies to structs",
    ),
    "an unknown subfield": (
        "x: {type: Part, required: false, subfields: {siz: {minimum: 1}}, protobuf: 1}",
        "AG0524",
        "no field `siz`",
    ),
    "a subfield that is always there": (
        "x: {type: Row, required: false, subfields: {part: {required: true}}, protobuf: 1}",
        "AG0520",
        "always present",
    ),
    "a mode of no field": (
        "x: {type: int32, optional: true, ifMode: {mod: {a: {}}}, protobuf: 1}",
        "AG0524",
        "no field `mod`",
    ),
    "a mode that is a number": (
        "x: {type: int32, optional: true, ifMode: {y: {a: {}}}, protobuf: 1}\ny: {type: int32, protobuf: 2}",
        "AG0520",
        "a mode must be a string or a boolean",
    ),
    "a mode that never is": (
        "x: {type: int32, optional: true, ifMode: {y: {Of: {}}}, protobuf: 1}\ny: {type: Mode, protobuf: 2}",
        "AG0521",
        "`y` is never `Of`",
    ),
    "a mode of what is always there": (
        "x: {type: Part, required: false, ifMode: {y: {Off: {}}}, protobuf: 1}\ny: {type: Mode, protobuf: 2}",
        "AG0520",
        "always present",
    ),
    "requires in a gate": (
        "x: {type: int32, optional: true, ifEnabled: {Off: {requires: [y]}}, protobuf: 1}\ny: {type: int32, protobuf: 2}",
        "AG0205",
        "requires",
    ),
}


def codes(fields: str, folder: Path, types: str = TYPES) -> list[tuple[str, str]]:
    """What is wrong with a spec."""
    file = CaseFile("", "", "", "", "", "", "", fields, types, "", "", ())
    for path, text in spec_files(file).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    report = Report()
    resolve(load_api(folder, report, display_root=folder), report)
    assert all(d.place.file == f"{GROUP}/v1.yaml" for d in report.diagnostics)
    return [(d.code, d.message) for d in report.diagnostics]


@pytest.mark.parametrize("name", REJECTED)
def test_words_that_the_value_has_nothing_for(name: str, tmp_path: Path) -> None:
    fields, code, says = REJECTED[name]
    ((found, message),) = codes(fields, tmp_path)
    assert found == code
    assert says in message


@pytest.mark.parametrize("word", ["immutable: true", "update: [noModify]", "monotonic: true"])
@pytest.mark.parametrize("type_", ["Named: {is: int32, %s}", "Named: {fields: {a: {type: int32, protobuf: 1}}, %s}"])
def test_types_reject_update_keywords(word: str, type_: str, tmp_path: Path) -> None:
    """What changes is a field or an element; a word on a type that nothing heeded would be worse than none."""
    found = codes("x: {type: Named, required: false, protobuf: 1}", tmp_path, type_ % word)
    assert [code for code, _ in found] == ["AG0520"]
