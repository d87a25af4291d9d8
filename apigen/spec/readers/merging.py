"""`listType listMapKeys mapType structType patchStrategy patchMergeKey`: how a value is merged into another."""

from __future__ import annotations

from apigen.spec.keys import Found, Key, KeySet, names_of
from apigen.spec.model import NO_MERGE, MergeSpec
from apigen.spec.words import SOME_TEXTS, TEXT, Choice

LIST_TYPE = Key("listType", Choice("atomic", "set", "map"), "How server-side apply merges the list.")
LIST_MAP_KEYS = Key("listMapKeys", SOME_TEXTS, "The fields that tell the elements of a list of type map apart.")
MAP_TYPE = Key("mapType", Choice("atomic", "granular"), "How server-side apply merges the map.")
STRUCT_TYPE = Key("structType", Choice("atomic", "granular"), "How server-side apply merges the struct.")
PATCH_STRATEGY = Key("patchStrategy", TEXT, "How a strategic merge patch treats the field.")
PATCH_MERGE_KEY = Key("patchMergeKey", TEXT, "The field by which a strategic merge patch finds elements.")

TYPE_MERGE_KEYS: KeySet = (LIST_TYPE, LIST_MAP_KEYS, MAP_TYPE, STRUCT_TYPE)
MERGE_KEYS: KeySet = (*TYPE_MERGE_KEYS, PATCH_STRATEGY, PATCH_MERGE_KEY)

_NAMES = names_of(MERGE_KEYS)


def merging(found: Found) -> MergeSpec:
    """What was found about merging."""
    if not found.has_any(_NAMES):
        return NO_MERGE
    return MergeSpec(
        list_type=found.get(LIST_TYPE),
        list_map_keys=found.some(LIST_MAP_KEYS),
        map_type=found.get(MAP_TYPE),
        struct_type=found.get(STRUCT_TYPE),
        patch_strategy=found.get(PATCH_STRATEGY),
        patch_merge_key=found.get(PATCH_MERGE_KEY),
    )
