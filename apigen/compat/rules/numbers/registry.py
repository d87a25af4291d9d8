"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.numbers.custom_option_changed import CustomOptionChanged
from apigen.compat.rules.numbers.default_of_readers_changed import DefaultOfReadersChanged
from apigen.compat.rules.numbers.enum_and_scalar_swapped import EnumAndScalarSwapped
from apigen.compat.rules.numbers.enum_number_changed import EnumNumberChanged
from apigen.compat.rules.numbers.enum_openness_changed import EnumOpennessChanged
from apigen.compat.rules.numbers.enum_zero_changed import EnumZeroChanged
from apigen.compat.rules.numbers.extension_range_narrowed import ExtensionRangeNarrowed
from apigen.compat.rules.numbers.field_number_changed import FieldNumberChanged
from apigen.compat.rules.numbers.field_number_reused import FieldNumberReused
from apigen.compat.rules.numbers.file_option_changed import FileOptionChanged
from apigen.compat.rules.numbers.file_package_changed import FilePackageChanged
from apigen.compat.rules.numbers.file_removed import FileRemoved
from apigen.compat.rules.numbers.file_syntax_changed import FileSyntaxChanged
from apigen.compat.rules.numbers.generated_code_option_changed import GeneratedCodeOptionChanged
from apigen.compat.rules.numbers.json_format_changed import JsonFormatChanged
from apigen.compat.rules.numbers.message_encoding_changed import MessageEncodingChanged
from apigen.compat.rules.numbers.message_set_changed import MessageSetChanged
from apigen.compat.rules.numbers.oneof_member_added import OneofMemberAdded
from apigen.compat.rules.numbers.oneof_membership_changed import OneofMembershipChanged
from apigen.compat.rules.numbers.oneof_removed import OneofRemoved
from apigen.compat.rules.numbers.packing_changed import PackingChanged
from apigen.compat.rules.numbers.type_moved_to_another_file import TypeMovedToAnotherFile
from apigen.compat.rules.numbers.utf8_validation_changed import Utf8ValidationChanged
from apigen.compat.rules.numbers.wire_encoding_changed import WireEncodingChanged
from apigen.compat.rules.numbers.wire_name_changed import WireNameChanged
from apigen.compat.rules.rule import Rule

NUMBERS_RULES: tuple[Rule, ...] = (
    DefaultOfReadersChanged(),
    EnumAndScalarSwapped(),
    FieldNumberChanged(),
    FieldNumberReused(),
    WireEncodingChanged(),
    MessageEncodingChanged(),
    PackingChanged(),
    Utf8ValidationChanged(),
    JsonFormatChanged(),
    EnumOpennessChanged(),
    EnumZeroChanged(),
    EnumNumberChanged(),
    WireNameChanged(),
    OneofMembershipChanged(),
    OneofMemberAdded(),
    OneofRemoved(),
    ExtensionRangeNarrowed(),
    MessageSetChanged(),
    GeneratedCodeOptionChanged(),
    CustomOptionChanged(),
    TypeMovedToAnotherFile(),
    FilePackageChanged(),
    FileRemoved(),
    FileSyntaxChanged(),
    FileOptionChanged(),
)
