"""A field is gone, and nothing keeps its name from coming back."""

from __future__ import annotations

import re

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.window_elapsed import WindowElapsed
from apigen.compat.rules.claims import removed
from apigen.compat.rules.fields.placing import removed_field
from apigen.compat.rules.fields.removal import removal_hits
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.types import Field
from apigen.compat.values.arriving import example_of
from apigen.compat.values.member import member_of
from apigen.compat.verdict.example import Side
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict
from apigen.diagnostics.quoting import visible

_PLAIN = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)
_OTHER_VALUES = frozenset({"null", "true", "false", "y", "n", "yes", "no", "on", "off"})


@change_rule(
    "field-removed", removed(ElementKind.FIELD), severities="W/E/E", mitigated_by=(WindowElapsed(),), presets=WIRE
)
def field_removed(change: AnyChange, context: Context) -> Verdict | None:
    """What was stored in it is lost, and what returns under its name may mean something else."""
    field = removed_field(change)
    if field is None:
        return None
    member = member_of(context.old_types, field)
    hits = removal_hits(change, field, context)
    return Verdict(
        f"{change.element} was removed, and nothing keeps its name from coming back",
        hits,
        patch=_tombstone(field),
        examples=example_of(member, Side.OLD),
    )


def _tombstone(field: Field) -> str:
    number = "" if field.number is None else f"protobuf: {field.number}, "
    return f'tombstones:\n  {_key(field.name)}: {{{number}removed: "<release>", reason: <why>}}'


def _key(name: str) -> str:
    """A name as a key of YAML, of which no character acts."""
    if _PLAIN.fullmatch(name) and name.lower() not in _OTHER_VALUES:
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{visible(escaped)}"'
