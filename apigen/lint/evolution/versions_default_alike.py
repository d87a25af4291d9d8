"""A field is defaulted in all versions that have it, or in none."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.history.comparing import is_same
from apigen.ir.model import Field, Group, Struct
from apigen.ir.types import TypeId
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.rule import finding


class VersionsDefaultAlike(EvolutionRule):
    """An object that is written in one version and read in another is defaulted by both: which one came first must not
    matter. Asked of what is new: a field, or a version. (api_changes.md, "Making a singular field plural" and "Adding a
    field": a default in one version needs an equivalent in all)
    """

    code = "AG1383"
    can_be_acknowledged = True

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        if evolution.before is None:
            return
        for group in evolution.now.groups:
            if group.folder in evolution.groups:
                for struct in _structs(group, evolution):
                    yield from self._judge(struct, group, evolution)

    def _judge(self, struct: Struct, group: Group, evolution: Evolution) -> Iterator[Diagnostic]:
        for field in struct.own_fields:
            if field.hub is not None or not _is_new(struct.id, field, evolution):
                continue
            for other in _structs(group, evolution):
                theirs = other.field(field.json_name) if _is_counterpart(other.id, struct.id) else None
                if theirs is None or theirs.hub is not None or is_same(field.default, theirs.default):
                    continue
                if _is_new(other.id, theirs, evolution) and (bool(field.default), str(other.id)) > (
                    bool(theirs.default),
                    str(struct.id),
                ):
                    continue  # told of the other one
                yield _finding(struct, field, other, theirs)
                break


def _structs(group: Group, evolution: Evolution) -> Iterator[Struct]:
    """The structs of the versions that promise anything."""
    for version in group.versions:
        for struct in evolution.now.structs(group.folder, version.name):
            if evolution.judges(struct.id) and struct.taken_from is None:
                yield struct


def _is_counterpart(id_: TypeId, of: TypeId) -> bool:
    return id_.name == of.name and id_.version != of.version


def _is_new(id_: TypeId, field: Field, evolution: Evolution) -> bool:
    assert evolution.before is not None
    before = evolution.before.types.get(id_)
    return not isinstance(before, Struct) or before.field(field.json_name) is None


def _finding(struct: Struct, field: Field, other: Struct, theirs: Field) -> Diagnostic:
    name, mine, them = f"{struct.id.name}.{field.json_name}", struct.id.version, other.id.version
    if not field.default:
        message, hint = f"`{name}` has a default in {them}, and none in {mine}", "say the same default here"
    elif not theirs.default:
        message, hint = (
            f"`{name}` has a default in {mine}, and none in {them}",
            f"say the same default in {them}, or none here",
        )
    else:
        message, hint = f"`{name}` has another default in {mine} than in {them}", f"say the default of {them} here"
    why = ": what an object means depends on the version that somebody reads it in"
    return finding(field.place, message + why, hint, (Related(theirs.place, f"the field in {them}"),))
