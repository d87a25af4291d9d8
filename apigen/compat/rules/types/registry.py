"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.rule import Rule
from apigen.compat.rules.types.bytes_and_text_swapped import BytesAndTextSwapped
from apigen.compat.rules.types.canonical_form_changed import CanonicalFormChanged
from apigen.compat.rules.types.integer_narrowed import IntegerNarrowed
from apigen.compat.rules.types.integer_widened import IntegerWidened
from apigen.compat.rules.types.list_and_single_swapped import ListAndSingleSwapped
from apigen.compat.rules.types.nullable_added import NullableAdded
from apigen.compat.rules.types.nullable_removed import NullableRemoved
from apigen.compat.rules.types.number_kind_changed import NumberKindChanged
from apigen.compat.rules.types.recursion_introduced import RecursionIntroduced
from apigen.compat.rules.types.struct_and_map_swapped import StructAndMapSwapped
from apigen.compat.rules.types.text_format_changed import TextFormatChanged
from apigen.compat.rules.types.type_changed import TypeChanged
from apigen.compat.rules.types.type_extended import TypeExtended
from apigen.compat.rules.types.type_generalised import TypeGeneralised
from apigen.compat.rules.types.type_renamed import TypeRenamed
from apigen.compat.rules.types.type_replaced import TypeReplaced
from apigen.compat.rules.types.type_restricted import TypeRestricted

TYPES_RULES: tuple[Rule, ...] = (
    TypeRenamed(),
    TypeExtended(),
    TypeReplaced(),
    IntegerWidened(),
    IntegerNarrowed(),
    NumberKindChanged(),
    BytesAndTextSwapped(),
    CanonicalFormChanged(),
    TextFormatChanged(),
    ListAndSingleSwapped(),
    StructAndMapSwapped(),
    TypeGeneralised(),
    TypeRestricted(),
    TypeChanged(),
    NullableAdded(),
    NullableRemoved(),
    RecursionIntroduced(),
)
