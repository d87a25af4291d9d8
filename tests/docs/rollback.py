"""The page on what a server of 1.36 loses of objects that 1.37 has stored."""

from __future__ import annotations

from apigen.diagnostics import Report
from apigen.language.load import SpecFolder
from apigen.language.model import FeatureSpec
from tests.kubernetes.compiling import ROOT
from tests.kubernetes.whole.rollback import ListedField, listed

INTRODUCTION = """\
# What a rollback of Kubernetes loses

During an upgrade from 1.36 to 1.37 servers of both releases write the same objects, and a rollback leaves the older one with
what the newer one has stored. It does not know the fields below, and leaves them out when it writes an object again. `apigen
lint` says this of two recorded releases from the specs alone; here it was compared with what happens: objects of the 105 kinds
that both releases store, with every field filled, were written by the generated code of 1.37 as JSON and as protobuf, read,
relabelled and written by that of 1.36. Foretold and found agree, field by field; all else comes back as it was.

What is behind a gate that is off by default is lost only where somebody has switched it on, which is the risk of an alpha
feature. A field without gate is written by default: nothing protects it.
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
    """What 1.36 says of the gates."""
    states = []
    for gate in row.gates:
        stages = known[gate].stages if gate in known else ()
        states.append(f"{stages[-1].stage}, {'on' if stages[-1].default else 'off'}" if stages else "not there yet")
    return "; ".join(states)
