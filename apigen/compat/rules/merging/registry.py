"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.merging.list_type_associative import ListTypeAssociative
from apigen.compat.rules.merging.list_type_atomic import ListTypeAtomic
from apigen.compat.rules.merging.map_type_changed import MapTypeChanged
from apigen.compat.rules.merging.merge_key_presence_changed import MergeKeyPresenceChanged
from apigen.compat.rules.merging.merge_keys_changed import MergeKeysChanged
from apigen.compat.rules.merging.patch_strategy_changed import PatchStrategyChanged
from apigen.compat.rules.rule import Rule

MERGING_RULES: tuple[Rule, ...] = (
    MergeKeyPresenceChanged(),
    ListTypeAtomic(),
    ListTypeAssociative(),
    MergeKeysChanged(),
    PatchStrategyChanged(),
    MapTypeChanged(),
)
