"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.merging.list_type_associative import list_type_associative
from apigen.compat.rules.merging.list_type_atomic import list_type_atomic
from apigen.compat.rules.merging.map_type_changed import map_type_changed
from apigen.compat.rules.merging.merge_key_presence_changed import merge_key_presence_changed
from apigen.compat.rules.merging.merge_keys_changed import merge_keys_changed
from apigen.compat.rules.merging.patch_strategy_changed import patch_strategy_changed
from apigen.compat.rules.rule import Rule

MERGING_RULES: tuple[Rule, ...] = (
    merge_key_presence_changed,
    list_type_atomic,
    list_type_associative,
    merge_keys_changed,
    patch_strategy_changed,
    map_type_changed,
)
