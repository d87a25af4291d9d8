"""A new field comes to all versions that are served."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.ir.model import Field, Group, Struct, Version
from apigen.ir.stability import Stability, stability
from apigen.ir.types import TypeId
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.rule import finding


class NewFieldIsInAllVersions(EvolutionRule):
    """Objects go from version to version and back without loss. (Deprecation policy, rule 2; api_changes.md)

    A version that carries the field in an annotation, or by a lens, has it. Those in alpha may lag behind. Where there is
    a hub, a version that says nothing of the field is rejected anyway, as nothing could be converted.
    """

    code = "AG1326"
    can_be_acknowledged = True

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        before = evolution.before
        for group in evolution.now.groups if before is not None else ():
            for version in group.versions if group.folder in evolution.groups else ():
                for now in evolution.now.structs(group.folder, version.name):
                    was = before.types.get(now.id) if before is not None else None
                    if isinstance(was, Struct) and now.taken_from is None:
                        known = {field.json_name for field in was.own_fields}
                        new = (field for field in now.own_fields if field.json_name not in known)
                        for field in new:
                            yield from self._missing(field, now, version, group, evolution)

    def _missing(
        self, field: Field, struct: Struct, version: Version, group: Group, evolution: Evolution
    ) -> Iterator[Diagnostic]:
        if field.hub is not None or not version.served:
            return
        for other in group.versions:
            there = evolution.now.types.get(TypeId(group.folder, other.name, struct.id.name))
            if other is version or not other.served or stability(other.name) is Stability.ALPHA:
                continue
            is_said = group.hub is None or (isinstance(there, Struct) and _drops(there, field.json_name))
            if is_said and isinstance(there, Struct) and not _has(there, field.json_name):
                yield finding(
                    field.place,
                    f"`{struct.id.name}.{field.json_name}` is new in {version.name}, and {other.name}, which is served"
                    " too, does not have it",
                    f"add it to {other.name} as well; where it cannot, carry it there in an annotation:"
                    f" `hubOnly: {{{field.json_name}: {{annotation: KEY}}}}`",
                    (Related(there.place, f"{other.name} has no `{field.json_name}`"),),
                )


def _has(struct: Struct, name: str) -> bool:
    """Whether a struct has the field, or carries what the hub has in its place."""
    if struct.field(name) is not None or any(t.json_name == name for t in struct.tombstones):
        return True
    kept = (lens.path for lens in struct.hub_only if lens.lens.drop is None)
    taken = (field.hub.to for field in struct.fields if field.hub is not None and field.hub.to is not None)
    return any(str(path).partition(".")[0] == name for path in (*kept, *taken))


def _drops(struct: Struct, name: str) -> bool:
    """Whether a struct says that it has no place for what the hub has under a name."""
    dropped = (lens.path for lens in struct.hub_only if lens.lens.drop is not None)
    return any(str(path).partition(".")[0] == name for path in dropped)
