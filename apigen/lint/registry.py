"""All lint rules, in the order in which they run."""

from __future__ import annotations

from apigen.lint import fields, types, versions
from apigen.lint.rule import Rule

RULES: tuple[Rule, ...] = (
    fields.no_floats,
    fields.no_unsigned,
    fields.camel_case_fields,
    fields.required_without_default,
    types.growing_enum_has_unknown,
    types.pre_release_ends,
    fields.list_type_is_given,
    fields.merge_keys_agree,
    types.types_are_used,
    versions.versions_lead_one_way,
    versions.versions_agree,
)
