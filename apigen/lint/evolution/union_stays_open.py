"""Fields that could be set together can be set together."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.ir.model import Struct, Union
from apigen.lint.evolution.enum_steps import struct_steps
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.rule import finding


class UnionStaysOpen(EvolutionRule):
    """Valid objects do not become invalid: what was shipped does not join a union, and one that could be empty can.
    (api_changes.md, "On compatibility")
    """

    code = "AG1388"
    can_be_acknowledged = True

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for before, now in struct_steps(evolution):
            for union in now.unions:
                if not union.via:
                    for message, hint in _narrowed(union, now, before):
                        related = (Related(before.place, f"as {evolution.newest} shipped it"),)
                        yield finding(union.place, message, hint, related)


def _narrowed(union: Union, now: Struct, before: Struct) -> Iterator[tuple[str, str]]:
    members = {member.json_name for member in union.members}
    were = [other for other in before.unions if members & {member.json_name for member in other.members}]
    known = {member.json_name for other in were for member in other.members}
    joined = sorted(name for name in members - known if before.field(name) is not None)
    if joined:
        name = joined[0]
        message = f"`{name}` of `{now.id.name}` could be set beside others, and excludes them now"
        yield message, f"leave `{name}` out of the union"
    elif were and not union.optional and all(other.optional for other in were):
        yield f"one of {', '.join(sorted(members))} has to be set now in `{now.id.name}`", "put `optional: true` back"
