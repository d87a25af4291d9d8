"""The IR: groups, versions, types and fields with every name, number and type bound.

Paths and conditions stay as parsed (`apigen.spec.paths`); `apigen.ir.places` walks them along these types.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from apigen.lazy import lazily

if TYPE_CHECKING:
    from apigen.ir.model.api import INTEGER_RANGES, Api
    from apigen.ir.model.features import Feature, FeatureStage
    from apigen.ir.model.fields import Field, Ignored, Inline, Presence, zero_is_none
    from apigen.ir.model.groups import Gone, Group, HubRef, Kind, Version
    from apigen.ir.model.lifecycle import NO_LIFECYCLE, Lifecycle, Release, Replacement
    from apigen.ir.model.types import Alias, Enum, EnumValue, SecondHub, Struct, Tombstone, TypeDef, Union, UnionMember
else:
    __getattr__ = lazily(
        __name__,
        {
            "api": "INTEGER_RANGES Api",
            "features": "Feature FeatureStage",
            "fields": "Field Ignored Inline Presence zero_is_none",
            "groups": "Gone Group HubRef Kind Version",
            "lifecycle": "NO_LIFECYCLE Lifecycle Release Replacement",
            "types": "Alias Enum EnumValue SecondHub Struct Tombstone TypeDef Union UnionMember",
        },
    )

__all__ = [
    "INTEGER_RANGES",
    "NO_LIFECYCLE",
    "Alias",
    "Api",
    "Enum",
    "EnumValue",
    "Feature",
    "FeatureStage",
    "Field",
    "Gone",
    "Group",
    "HubRef",
    "Ignored",
    "Inline",
    "Kind",
    "Lifecycle",
    "Presence",
    "Release",
    "Replacement",
    "SecondHub",
    "Struct",
    "Tombstone",
    "TypeDef",
    "Union",
    "UnionMember",
    "Version",
    "zero_is_none",
]
