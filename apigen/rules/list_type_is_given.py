"""A list of structs says how it is merged."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics.quoting import quote
from apigen.ir.model import Alias, Api, Field, Struct
from apigen.ir.types import ListType, NamedType, StructType, underlying
from apigen.rules.rule import Finding, Rule, Surroundings


class ListTypeIsGiven(Rule):
    """Without a list type, two appliers overwrite each other's elements. (Kubernetes' API rule `list_type_missing`)"""

    code = "AG1107"

    def check_field(self, field: Field, struct: Struct, around: Surroundings) -> Iterator[Finding]:
        behind = underlying(field.type)
        if not isinstance(behind, ListType) or field.merge.list_type is not None:
            return
        item = underlying(behind.item)
        is_list_of_objects = isinstance(item, StructType) and struct.id.name == f"{item.id.name}List"
        if isinstance(item, StructType) and not is_list_of_objects and not _is_given_by_name(field, around.api):
            yield Finding(
                field.place,
                f"{quote(field.json_name)} is a list of {behind.item} and does not say how it is merged",
                "add `listType: map` with `listMapKeys`, or `listType: atomic`",
            )


def _is_given_by_name(field: Field, api: Api) -> bool:
    """Whether the name for the list, not the field, says it."""
    alias = api.types.get(field.type.id) if isinstance(field.type, NamedType) else None
    return isinstance(alias, Alias) and alias.merge.list_type is not None
