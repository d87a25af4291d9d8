"""The page on conversion losses of the Kubernetes API: findings, and the proof for `api-specs/kubernetes`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from textwrap import fill

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report
from apigen.diagnostics.printers.text import render
from apigen.hub.proof import KindProof, TypeProof, prove, prove_kinds
from apigen.hub.steps import Side
from apigen.ir.hand_written import Role
from apigen.ir.model import TypeId
from tests.kubernetes.compiling import HAND_WRITTEN, ROOT
from tests.kubernetes.findings import DEFAULT, Example, Finding, findings

WIDTH = 125

INTRODUCTION = """\
# Conversion losses of Kubernetes

A round trip of an object through another version should not change it. `apigen proof` reports each field for which it does.
This page has its report for all groups of Kubernetes 1.36. The specs declare the conversions of Kubernetes as they are, so every loss
on this page is one of Kubernetes. Fields that are not listed are always preserved.
"""

FINDINGS = """\
## Findings for maintainers of Kubernetes

Kubernetes cannot change this behavior without breaking clients, and apigen reproduces it. The examples were run through the code of
Kubernetes 1.36.3, and the tests run them through the generated code; the findings without an example result from reading the code.
*before* and *after* are the named part of the object.
"""

TABLES = """\
## Group by group

Each group with a loss has two tables. *In the hub*: fields of a version that are not preserved in a round trip through the
hub. *Through another version*: fields of the first versions that are not preserved in a round trip through the other one.
`list[]` is an element of a list. The other groups are lossless.
"""


def page() -> str:
    """`tests/records/what-kubernetes-loses.md`."""
    parts = [INTRODUCTION, FINDINGS, *map(_finding, findings()), TABLES]
    backend_input = _kubernetes()
    proofs = list(prove(backend_input.hub, backend_input.types))
    kinds = list(prove_kinds(backend_input.hub, backend_input.types))
    by_hand = {id_ for id_, role in backend_input.hand_written.functions if role in (Role.TO_HUB, Role.FROM_HUB)}
    groups = sorted({proof.version.group for proof in proofs})
    for group in groups:
        mine = [proof for proof in proofs if proof.version.group == group]
        tables = [*_own(mine), *_through(kinds, group), *_unproven(mine, by_hand)]
        if tables:
            parts += [f"### {group}\n", *tables]
    return "\n".join(parts)


def _kubernetes() -> BackendInput:
    report = Report()
    found = check(Sources(ROOT / "api-specs" / "kubernetes", HAND_WRITTEN, ROOT), report)
    assert found.backend_input is not None, render([d for d in report.diagnostics if d.severity == "error"])
    return found.backend_input


def _finding(finding: Finding) -> str:
    example = "" if finding.example is None else f"\n{_example(finding.example)}"
    return f"### {finding.title}\n\n{fill(finding.says, WIDTH)}\n\nWhere: `{finding.where}`\n{example}"


def _example(example: Example) -> str:
    way = " → ".join([example.before["apiVersion"], *("defaults" if s == DEFAULT else s for s in example.steps)])
    after = "rejected" if example.rejected else _json(example.after)
    return f"`{example.look}` of {example.before['kind']}, {way}:\n\n```text\nbefore  {_json(example.shown)}\nafter   {after}\n```\n"


def _json(value: object) -> str:
    return "(absent)" if value is None else json.dumps(value)


def _own(proofs: Iterable[TypeProof]) -> Iterator[str]:
    """In the hub: versions with the same loss share a row."""
    rows: dict[tuple[str, str], list[str]] = {}
    for proof in proofs:
        for sentences in proof.fields.values():
            for sentence in sentences:
                rows.setdefault((_name(proof.version), sentence), []).append(proof.version.version)
    if rows:
        yield "| in the hub: version | type | not preserved |\n|---|---|---|"
        for (type_, sentence), versions in rows.items():
            yield f"| {', '.join(versions)} | {type_} | {_cell(sentence)} |"
        yield ""


def _through(kinds: Iterable[KindProof], group: str) -> Iterator[str]:
    """Through another version: of all kinds that have this group's hub."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for kind in kinds:
        for lost in kind.lost if kind.hub.group == group else ():
            for each in lost.affected if lost.side is Side.HUB else ():
                key = (_version(lost.version, group), lost.type_plan.hub.name, lost.sentence())
                versions = rows.setdefault(key, [])
                versions += [v for v in (_version(each.version, group),) if v not in versions]
    if rows:
        yield "| of | through another version | type | not preserved |\n|---|---|---|---|"
        for (through, type_, sentence), versions in rows.items():
            yield f"| {', '.join(versions)} | {through} | {type_} | {_cell(sentence)} |"
        yield ""


def _name(id_: TypeId) -> str:
    return f"{id_.name} as {id_.seen_as}" if id_.seen_as else id_.name


def _version(id_: TypeId, group: str) -> str:
    """The version, with what is needed to tell it from others: its group, and its kind where it is a view of another one."""
    version = id_.version if id_.group == group else f"{id_.group}/{id_.version}"
    return f"{version} {id_.name}" if id_.seen_as else version


def _unproven(proofs: Iterable[TypeProof], by_hand: set[TypeId]) -> Iterator[str]:
    names = [f"{proof.version.version} {_name(proof.version)}" for proof in proofs if proof.version in by_hand]
    if names:
        yield f"Converted by hand-written functions, whose losses are not verified: {', '.join(names)}.\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
