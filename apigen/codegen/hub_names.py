"""The names of hub fields in messages: those of the version that the hub follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from apigen.codegen.backend_input import BackendInput
from apigen.dataclass import dataclass, field, replace
from apigen.hub.second_hub_views import only_name
from apigen.ir.model import (
    Field,
    ListType,
    MapType,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    struct_behind,
    underlying,
)
from apigen.language.model import All, Any, Condition, Equals, IsSet, Located, Name, Not, Path, Step


@dataclass(slots=True)
class ShownNames:
    """The JSON names of hub fields in the version that the hub follows, or the hub's own names."""

    types: Mapping[TypeId, TypeDef]
    named: Mapping[TypeId, TypeId]
    _by_struct: dict[TypeId, dict[str, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, backend_input: BackendInput) -> ShownNames:
        """The names of all hubs."""
        return cls(backend_input.types, backend_input.hub.named)

    def shown(self, struct: Struct, member: Field) -> str:
        """The name of a field."""
        names = self._by_struct.get(struct.id)
        if names is None:
            names = self._by_struct[struct.id] = self._renamed(struct)
        return names.get(member.json_name, member.json_name)

    def field_named(self, struct: Struct, name: str) -> Field | None:
        """Return the field with a name in messages."""
        return next((f for f in struct.fields if self.shown(struct, f) == name), None) or struct.field(name)

    def keys(self, struct: Struct, names: Iterable[Located[str]]) -> list[Field]:
        """Return the fields with these names in messages, which exist: they are the keys of a list of the struct."""
        return [found for name in names if (found := self.field_named(struct, name.value)) is not None]

    def in_hub(self, condition: Condition, struct: Struct) -> Condition:
        """A condition about a struct, in the names of the version that its hub follows, in those of the hub."""
        match condition:
            case Equals(path):
                return replace(condition, path=self._hub_path(path, struct))
            case IsSet(path):
                return IsSet(self._hub_path(path, struct))
            case Not(inner):
                return Not(self.in_hub(inner, struct))
            case All(conditions):
                return All(tuple(self.in_hub(c, struct) for c in conditions))
            case Any(conditions):
                return Any(tuple(self.in_hub(c, struct) for c in conditions))
        return condition

    def _hub_path(self, path: Path, struct: Struct) -> Path:
        steps: list[Step] = []
        type_: Type = StructType(struct.id)
        for step in path.steps:
            behind = underlying(type_)
            holder = struct_behind(behind, self.types)
            if isinstance(step, Name) and holder is not None:
                found = next((f for f in holder.fields if self.shown(holder, f) == step.name), None)
                step = Name(found.json_name) if found is not None else step
                type_ = found.type if found is not None else type_
            elif isinstance(behind, ListType | MapType):
                type_ = behind.item if isinstance(behind, ListType) else behind.value
            steps.append(step)
        return replace(path, steps=tuple(steps))

    def _renamed(self, struct: Struct) -> dict[str, str]:
        version = self.types.get(self.named.get(struct.id, struct.id))
        if not isinstance(version, Struct):
            return {}
        return {hub: f.json_name for f in version.fields if (hub := _hub_name(f)) and hub != f.json_name}


def _hub_name(member: Field) -> str | None:
    """The name in the hub of a field that is one there, of the same struct."""
    if member.hub is None or member.hub.to is None:
        return member.json_name
    return only_name(member.hub.to)
