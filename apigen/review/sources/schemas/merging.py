"""The merge strategy of a value in server-side apply."""

from __future__ import annotations

from apigen.review.sources.schemas.words import Words, text, texts
from apigen.review.surface import Merge
from apigen.runtime.structural.nodes import LIST_MAP_KEYS, LIST_TYPE

MAP_TYPE = "x-kubernetes-map-type"
PATCH_STRATEGY = "x-kubernetes-patch-strategy"
PATCH_MERGE_KEY = "x-kubernetes-patch-merge-key"

WORDS = frozenset({LIST_TYPE, LIST_MAP_KEYS, MAP_TYPE, PATCH_STRATEGY, PATCH_MERGE_KEY})
_UNMERGED = Merge()


def merge_of(words: Words) -> Merge:
    """Return the merge strategy of a schema. The map type is that of structs, too; list map keys have no order."""
    if WORDS.isdisjoint(words):
        return _UNMERGED
    return Merge(
        list_type=text(words, LIST_TYPE),
        list_map_keys=tuple(sorted(texts(words, LIST_MAP_KEYS))),
        map_type=text(words, MAP_TYPE),
        patch_strategy=text(words, PATCH_STRATEGY),
        patch_merge_key=text(words, PATCH_MERGE_KEY),
    )
