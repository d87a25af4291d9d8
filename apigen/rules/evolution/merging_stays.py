"""What two clients may own side by side, and by what elements are told apart, stays."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic
from apigen.ir.model import Field
from apigen.ir.types import ListType, MapType, StructType, underlying
from apigen.rules.evolution.evolution import Evolution, EvolutionRule
from apigen.rules.evolution.shipped_fields import fields_in_use
from apigen.rules.rule import finding


class MergingStays(EvolutionRule):
    """Server-side apply merges what clients own by `listType` and its like, and validation pairs elements with their old
    ones. (structured-merge-diff: ownership is lost where a whole becomes parts, and values where parts become a whole)
    """

    code = "AG1385"
    can_be_acknowledged = True

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for step in fields_in_use(evolution):
            was, now = _merging(step.before), _merging(step.now)
            if was and now and was != now:
                message = f"`{step.name}` is merged by `{now}`, and was by `{was}` in {step.release}"
                harm = "clients that apply it lose what they own, or overwrite what others do"
                yield finding(step.now.place, f"{message}: {harm}", f"put `{was}` back", step.shipped)


def _merging(field: Field) -> str:
    """How a field is merged, with what holds where nothing is said; empty where there is nothing to choose."""
    merge = field.merge
    match underlying(field.type):
        case ListType():
            type_ = merge.list_type.value if merge.list_type else "atomic"
            keys = ", ".join(key.value for key in merge.list_map_keys)
            return f"listType: {type_}" + (f", listMapKeys: [{keys}]" if keys else "")
        case MapType():
            return f"mapType: {merge.map_type.value if merge.map_type else 'granular'}"
        case StructType():
            return f"structType: {merge.struct_type.value if merge.struct_type else 'granular'}"
    return ""
