"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.numbers.custom_option_changed import custom_option_changed
from apigen.compat.rules.numbers.default_of_readers_changed import default_of_readers_changed
from apigen.compat.rules.numbers.enum_and_scalar_swapped import enum_and_scalar_swapped
from apigen.compat.rules.numbers.enum_number_changed import enum_number_changed
from apigen.compat.rules.numbers.enum_openness_changed import enum_openness_changed
from apigen.compat.rules.numbers.enum_zero_changed import enum_zero_changed
from apigen.compat.rules.numbers.extension_range_narrowed import extension_range_narrowed
from apigen.compat.rules.numbers.field_number_changed import field_number_changed
from apigen.compat.rules.numbers.field_number_reused import field_number_reused
from apigen.compat.rules.numbers.file_option_changed import file_option_changed
from apigen.compat.rules.numbers.file_package_changed import file_package_changed
from apigen.compat.rules.numbers.file_removed import file_removed
from apigen.compat.rules.numbers.file_syntax_changed import file_syntax_changed
from apigen.compat.rules.numbers.generated_code_option_changed import generated_code_option_changed
from apigen.compat.rules.numbers.json_format_changed import json_format_changed
from apigen.compat.rules.numbers.message_encoding_changed import message_encoding_changed
from apigen.compat.rules.numbers.message_set_changed import message_set_changed
from apigen.compat.rules.numbers.oneof_member_added import oneof_member_added
from apigen.compat.rules.numbers.oneof_membership_changed import oneof_membership_changed
from apigen.compat.rules.numbers.oneof_removed import oneof_removed
from apigen.compat.rules.numbers.packing_changed import packing_changed
from apigen.compat.rules.numbers.type_moved_to_another_file import type_moved_to_another_file
from apigen.compat.rules.numbers.utf8_validation_changed import utf8_validation_changed
from apigen.compat.rules.numbers.wire_encoding_changed import wire_encoding_changed
from apigen.compat.rules.numbers.wire_name_changed import wire_name_changed
from apigen.compat.rules.rule import Rule

NUMBERS_RULES: tuple[Rule, ...] = (
    default_of_readers_changed,
    enum_and_scalar_swapped,
    field_number_changed,
    field_number_reused,
    wire_encoding_changed,
    message_encoding_changed,
    packing_changed,
    utf8_validation_changed,
    json_format_changed,
    enum_openness_changed,
    enum_zero_changed,
    enum_number_changed,
    wire_name_changed,
    oneof_membership_changed,
    oneof_member_added,
    oneof_removed,
    extension_range_narrowed,
    message_set_changed,
    generated_code_option_changed,
    custom_option_changed,
    type_moved_to_another_file,
    file_package_changed,
    file_removed,
    file_syntax_changed,
    file_option_changed,
)
