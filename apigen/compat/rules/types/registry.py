"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.rule import Rule
from apigen.compat.rules.types.bytes_and_text_swapped import bytes_and_text_swapped
from apigen.compat.rules.types.canonical_form_changed import canonical_form_changed
from apigen.compat.rules.types.integer_narrowed import integer_narrowed
from apigen.compat.rules.types.integer_widened import integer_widened
from apigen.compat.rules.types.list_and_single_swapped import list_and_single_swapped
from apigen.compat.rules.types.nullable_added import nullable_added
from apigen.compat.rules.types.nullable_removed import nullable_removed
from apigen.compat.rules.types.number_kind_changed import number_kind_changed
from apigen.compat.rules.types.recursion_introduced import recursion_introduced
from apigen.compat.rules.types.struct_and_map_swapped import struct_and_map_swapped
from apigen.compat.rules.types.text_format_changed import text_format_changed
from apigen.compat.rules.types.type_changed import type_changed
from apigen.compat.rules.types.type_extended import type_extended
from apigen.compat.rules.types.type_generalised import type_generalised
from apigen.compat.rules.types.type_renamed import type_renamed
from apigen.compat.rules.types.type_replaced import type_replaced
from apigen.compat.rules.types.type_restricted import type_restricted

TYPES_RULES: tuple[Rule, ...] = (
    type_renamed,
    type_extended,
    type_replaced,
    integer_widened,
    integer_narrowed,
    number_kind_changed,
    bytes_and_text_swapped,
    canonical_form_changed,
    text_format_changed,
    list_and_single_swapped,
    struct_and_map_swapped,
    type_generalised,
    type_restricted,
    type_changed,
    nullable_added,
    nullable_removed,
    recursion_introduced,
)
