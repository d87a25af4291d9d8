"""The page on fields that a server of 1.36 drops from objects stored by 1.37."""

from __future__ import annotations

from apigen.diagnostics import Report
from apigen.language.load import SpecFolder
from apigen.language.model import FeatureSpec
from tests.kubernetes.compiling import ROOT
from tests.kubernetes.whole.rollback import ListedField, listed

INTRODUCTION = """\
# Rollback losses of Kubernetes

During an upgrade from 1.36 to 1.37, servers of both releases write the same objects, and after a rollback the older server reads
objects that the newer one stored. It does not know the fields on this page and drops them on the next write. `apigen lint` reports
these fields from the specs of two recorded releases. To verify the report, objects of the 105 kinds that both releases store, with
every field set, were written by the generated code of 1.37 as JSON and as protobuf, then read, relabeled and written by that of 1.36.
The reported fields are exactly the lost ones; all other fields are preserved.

A field behind a feature gate that is disabled by default is lost only in clusters that enabled the gate, which is the accepted risk of an
alpha feature. A field without a gate is written by default, so every cluster can lose it.
"""


def page() -> str:
    """`tests/records/rollback-of-kubernetes.md`."""
    known = {f.name: f for f in SpecFolder(ROOT / "api-specs" / "kubernetes", Report()).features()}
    rows = listed()
    without = [row for row in rows if not row.gates]
    gated = [row for row in rows if row.gates]
    parts = [INTRODUCTION, f"## Without a gate\n\n{len(without)} of {len(rows)} fields.\n"]
    parts += ["| type | field |\n|---|---|", *(f"| {row.type} | `{row.field}` |" for row in without), ""]
    parts += [
        f"## Behind a gate\n\n{len(gated)} of {len(rows)} fields.\n",
        "| type | field | gate | in 1.36 |\n|---|---|---|---|",
    ]
    parts += [f"| {row.type} | `{row.field}` | {', '.join(row.gates)} | {_state(row, known)} |" for row in gated]
    return "\n".join([*parts, ""])


def _state(row: ListedField, known: dict[str, FeatureSpec]) -> str:
    """The last stage of each gate in 1.36."""
    states = []
    for gate in row.gates:
        stages = known[gate].stages if gate in known else ()
        states.append(f"{stages[-1].stage}, {'enabled' if stages[-1].default else 'disabled'}" if stages else "unknown")
    return "; ".join(states)
