"""Every type, field, name, number and presence of all of Kubernetes' specs is that of the Go sources.

The facts of all packages were read from the sources by a parser of their own. `test_specs_against_facts` compares more
of the types that this project compiles: markers, limits, unions, lifecycles.
"""

from __future__ import annotations

import json
import re
import tarfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from apigen.diagnostics import Report
from apigen.language.load import load_api
from apigen.language.model import FieldSpec, ListExpr, MapExpr, TypeExpr, TypeForm, TypeSpec

ROOT = Path(__file__).resolve().parents[2]
FACTS = ROOT / "tests/data/kubernetes/facts/v0.36.6.tar.xz"
FOLDERS = {"": "core", "meta.k8s.io": "meta"}
META = "k8s.io/apimachinery/pkg/apis/meta/v1"
TEXT = {"k8s.io/apimachinery/pkg/types.UID", "k8s.io/apimachinery/pkg/types.NodeName"}
WELL_KNOWN = {
    "k8s.io/apimachinery/pkg/api/resource.Quantity": "Quantity",
    "k8s.io/apimachinery/pkg/runtime.RawExtension": "RawExtension",
    "k8s.io/apimachinery/pkg/util/intstr.IntOrString": "IntOrString",
    **{f"{META}.{name}": name for name in ("Time", "MicroTime", "Duration", "FieldsV1")},
}

Json = dict[str, Any]
Shape = tuple[tuple[str, str, str, int], ...]
"""A struct: for each field its name in JSON, the form of its type, its presence, and its number."""


@cache
def packages() -> dict[str, Json]:
    """The packages of the facts by the name of their version in specs (`apps/v1`)."""
    found = {}
    with tarfile.open(FACTS) as archive:
        for member in archive:
            stream = archive.extractfile(member)
            if stream is not None and not member.name.endswith("summary.json"):
                package = json.load(stream)
                if re.match(r"v\d", package["version"]):
                    found[f"{FOLDERS.get(package['group'], package['group'])}/{package['version']}"] = package
    return found


@cache
def written() -> dict[str, dict[str, TypeSpec]]:
    """The types of the specs, by version and name."""
    report = Report()
    spec = load_api(ROOT / "api-specs" / "kubernetes", report)
    assert not report.has_errors
    return {f"{g.folder}/{f.name}": {t.name: t for t in f.types} for g in spec.groups for f in g.version_files}


VERSIONS = sorted(packages().keys() & written().keys())


@cache
def types_of(package: str) -> dict[str, Json]:
    return next(({t["go"]: t for t in p["types"]} for p in packages().values() if p["package"] == package), {})


def structs(version: str) -> dict[str, Json]:
    return {t["go"]: t for t in packages()[version]["types"] if t["kind"] == "struct"}


def test_all_versions_are_compared() -> None:
    assert packages().keys() - written().keys() == {"meta/v1beta1"}, "PartialObjectMetadataList is that of meta/v1"
    assert len(VERSIONS) == len(written()) == 59


@pytest.mark.parametrize("version", VERSIONS)
def test_structs(version: str) -> None:
    ours = {n: ours_of(t, version) for n, t in written()[version].items() if t.form is TypeForm.STRUCT}
    known = {n: fact for n, fact in structs(version).items() if f"{META}.{n}" not in WELL_KNOWN or version != "meta/v1"}
    theirs = {name: theirs_of(fact, packages()[version]["package"]) for name, fact in known.items()}
    for name, shape in ours.items():
        assert shape == theirs[name], name
    assert ours or not theirs
    missing = {n for n in theirs.keys() - ours.keys() if n not in written()[version] and not is_left_out(n, version)}
    assert missing == set()


def test_comparison_covers_all_types_and_fields() -> None:
    """Exact numbers, so that a type missing in the comparison fails the test."""
    shapes = [ours_of(t, v) for v in VERSIONS for t in written()[v].values() if t.form is TypeForm.STRUCT]
    assert (len(shapes), sum(map(len, shapes))) == (995, 3594)


def is_left_out(name: str, version: str) -> bool:
    """Lists of kinds come by themselves; some types of meta are no types of their own in JSON or protobuf."""
    fact = structs(version)[name]
    if name.endswith("List") and name.removesuffix("List") in structs(version) and "items" in json_names(fact):
        return True
    return version == "meta/v1" or not any("protobuf" in field for field in fact.get("fields", ()))


def json_names(fact: Json) -> set[str]:
    return {field.get("json", "") for field in fact.get("fields", ())}


# --- both sides in one shape ------------------------------------------------------------------------------------------


def ours_of(type_: TypeSpec, version: str) -> Shape:
    return tuple(
        (f.name, form_of(f.type, version), presence_of(f), f.protobuf.value if f.protobuf else 0) for f in type_.fields
    )


def presence_of(field: FieldSpec) -> str:
    flags = {
        "nullable": field.nullable,
        "optional": field.optional,
        "omitEmpty": field.omit_empty,
        "inline": field.inline,
    }
    return next((name for name, said in flags.items() if said), "plain")


def form_of(expr: TypeExpr | None, version: str) -> str:
    """The type with names of text written out, as the facts name Go's own types in some places."""
    match expr:
        case ListExpr(item):
            return f"[]{form_of(item, version)}"
        case MapExpr(key, value):
            return f"map[{form_of(key, version)}]{form_of(value, version)}"
        case None:
            return ""
    where = f"{expr.group}/{expr.version}" if expr.group else version
    if expr.name not in written().get(where, {}):
        return expr.name
    target = written()[where][expr.name]
    return f"{where}.{expr.name}" if target.form is TypeForm.STRUCT or target.alias_of else text_or(target, where)


def text_or(target: TypeSpec, where: str) -> str:
    """Enums and named strings are strings; named lists and maps are lists and maps."""
    return "string" if target.form is TypeForm.ENUM else form_of(target.alias, where)


def theirs_of(fact: Json, package: str) -> Shape:
    shown = []
    for field in fact.get("fields", ()):
        if field.get("protobuf", {"skip": True}).get("skip") or field.get("jsonSkip"):
            continue
        go = field["go"]
        name = field["protobuf"].get("name", go[0].lower() + go[1:]) if field.get("inline") else field["json"]
        form = go_form(field.get("resolved") or field["type"], package)
        shown.append((name, form, go_presence(field, form), field["protobuf"]["number"]))
    return tuple(shown)


def go_form(go: str, package: str) -> str:
    go = go.removeprefix("*")
    if go == "[]byte":
        return "bytes"
    if go.startswith("[]"):
        return f"[]{go_form(go[2:], package)}"
    if match := re.fullmatch(r"map\[([^\]]+)\](.*)", go):
        return f"map[{go_form(match[1], package)}]{go_form(match[2], package)}"
    if go in WELL_KNOWN:
        return WELL_KNOWN[go]
    if go in TEXT:
        return "string"
    home, _, name = go.rpartition(".") if "." in go else (package, "", go)
    known = types_of(home).get(name)
    if known is None:
        return name
    if known["kind"] == "struct":
        full = f"{home}.{name}"
        return WELL_KNOWN.get(full) or f"{next(v for v, p in packages().items() if p['package'] == home)}.{name}"
    return go_form(known.get("resolved") or known["underlying"], home)


def go_presence(field: Json, form: str) -> str:
    """From the pointer, the tags and what the type is; `omitempty` on a struct does nothing."""
    if field.get("inline"):
        return "inline"
    if field.get("pointer"):
        return "optional" if field.get("omitempty") else "nullable"
    if form.startswith(("[]", "map[")) or form == "bytes":
        return "omitEmpty" if field.get("omitempty") else "nullable"
    if "/" in form or form in WELL_KNOWN.values():
        return "omitEmpty" if field.get("omitzero") else "plain"
    return "omitEmpty" if field.get("omitempty") else "plain"
