"""All rules of a review, in the order of evaluation, and the rule for changes that none of them handles."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import lru_cache

from apigen.ir.surface import ElementKind, Keyword
from apigen.review.changes.change import Altered, AnyChange, Trait
from apigen.review.changes.words import change_words
from apigen.review.context import Context
from apigen.review.results import WIRE, RuleResult, RuleText, breaks, everywhere
from apigen.review.rules import (
    conversion,
    defaults,
    documentation,
    fields,
    gates,
    merging,
    numbers,
    presence,
    services,
    tombstones,
    types,
)
from apigen.review.rules.constraints import cel, schemas, values
from apigen.review.rules.enums import enum_values, openness, unions
from apigen.review.rules.lifecycle import api_types, disagreements, groups, kinds, versions
from apigen.review.rules.rule import ChangeRule, Rule, StateRule, change_rule

DOCUMENTATION_RULES: tuple[Rule, ...] = (documentation.promise_changed, documentation.description_changed)
"""Rules whose findings change nothing but texts."""

RULES: tuple[Rule, ...] = (
    groups.group_removed,
    groups.group_added,
    versions.stored_version_removed,
    versions.version_removed,
    versions.version_added,
    kinds.kind_removed,
    kinds.kind_added,
    kinds.kind_names_changed,
    kinds.short_names_changed,
    kinds.strategy_changed,
    kinds.type_meta_changed,
    kinds.scope_changed,
    versions.storage_advanced_too_early,
    versions.storage_moved_to_less_stable,
    versions.storage_version_moved,
    versions.preferred_advanced_too_early,
    versions.preferred_version_moved,
    kinds.subresource_removed,
    kinds.subresource_added,
    kinds.selectable_field_removed,
    kinds.printer_column_removed,
    api_types.type_removed,
    api_types.type_added,
    api_types.replacement_is_less_stable,
    api_types.stable_refers_to_unstable,
    disagreements.field_in_some_versions_only,
    disagreements.type_differs_between_versions,
    disagreements.default_differs_between_versions,
    disagreements.validation_differs_between_versions,
    gates.gate_added_to_field,
    gates.gate_mark_removed,
    gates.gate_mark_changed,
    gates.gate_removed,
    gates.gate_history_changed,
    gates.gate_regressed,
    gates.gate_graduated,
    gates.gate_dependencies_changed,
    gates.gate_step_reached,
    gates.gated_field_reshaped,
    gates.gated_field_always_present,
    gates.gated_field_always_written,
    gates.removed_gate_still_referenced,
    gates.gate_differs_between_versions,
    tombstones.tombstone_returned,
    tombstones.tombstone_reused,
    tombstones.tombstone_removed,
    tombstones.tombstone_added,
    tombstones.removed_without_tombstone,
    tombstones.migration_undeclared,
    tombstones.deprecated,
    tombstones.undeprecated,
    tombstones.removal_moved_earlier,
    tombstones.removal_announced,
    tombstones.replacement_changed,
    tombstones.introduced_changed,
    tombstones.introduction_backdated,
    tombstones.tombstone_incomplete,
    tombstones.removal_before_window,
    tombstones.deprecated_without_end,
    tombstones.deprecated_and_required,
    tombstones.born_deprecated,
    tombstones.past_due,
    tombstones.introduction_reached,
    numbers.default_of_readers_changed,
    numbers.enum_and_scalar_swapped,
    numbers.field_number_changed,
    numbers.field_number_reused,
    numbers.wire_encoding_changed,
    numbers.message_encoding_changed,
    numbers.packing_changed,
    numbers.utf8_validation_changed,
    numbers.json_format_changed,
    numbers.enum_openness_changed,
    numbers.enum_zero_changed,
    numbers.enum_number_changed,
    numbers.wire_name_changed,
    numbers.oneof_membership_changed,
    numbers.oneof_member_added,
    numbers.oneof_removed,
    numbers.extension_range_narrowed,
    numbers.message_set_changed,
    numbers.generated_code_option_changed,
    numbers.custom_option_changed,
    numbers.type_moved_to_another_file,
    numbers.file_package_changed,
    numbers.file_removed,
    numbers.file_syntax_changed,
    numbers.file_option_changed,
    services.operation_removed,
    services.operation_added,
    services.security_tightened,
    services.security_loosened,
    services.status_removed,
    services.status_added,
    services.media_type_removed,
    services.media_type_added,
    services.service_removed,
    services.service_added,
    services.service_moved_to_another_file,
    services.method_removed,
    services.method_added,
    services.method_request_changed,
    services.method_response_changed,
    services.method_streaming_changed,
    services.method_idempotency_changed,
    fields.field_renamed,
    fields.field_added_required_in_new_parent,
    fields.field_added_required,
    presence.required_with_default_added,
    fields.gate_enabled_too_early,
    fields.field_added,
    fields.field_removed_with_tombstone,
    fields.field_removed,
    fields.embedding_changed,
    fields.unknown_fields_opened,
    fields.unknown_fields_closed,
    fields.field_order_changed,
    types.type_renamed,
    types.type_extended,
    types.type_replaced,
    types.integer_widened,
    types.integer_narrowed,
    types.number_kind_changed,
    types.bytes_and_text_swapped,
    types.canonical_form_changed,
    types.text_format_changed,
    types.list_and_single_swapped,
    types.struct_and_map_swapped,
    types.type_generalized,
    types.type_restricted,
    openness.enum_constraint_added,
    openness.enum_constraint_removed,
    types.type_changed,
    types.nullable_added,
    types.nullable_removed,
    types.recursion_introduced,
    merging.merge_key_presence_changed,
    merging.list_type_atomic,
    merging.list_type_associative,
    merging.merge_keys_changed,
    merging.patch_strategy_changed,
    merging.map_type_changed,
    presence.empty_collapse_changed,
    presence.pointer_added,
    presence.pointer_removed,
    presence.omit_empty_added,
    presence.omit_empty_removed,
    presence.status_became_required,
    presence.became_required,
    presence.became_optional,
    presence.zero_value_invalid,
    defaults.default_depends_on_gate,
    defaults.default_added,
    defaults.default_removed,
    defaults.default_computed_changed,
    defaults.default_zero_changed,
    defaults.default_changed,
    defaults.default_switched,
    defaults.default_invalid,
    defaults.default_rejects_objects,
    defaults.null_rejects_objects,
    defaults.default_on_required_field,
    enum_values.enum_value_renamed,
    enum_values.default_enum_value_removed,
    enum_values.enum_value_removed,
    enum_values.enum_growth_undeclared,
    enum_values.enum_value_rolled_out,
    enum_values.enum_value_enabled_at_once,
    enum_values.enum_value_added_to_growing,
    enum_values.enum_value_added,
    enum_values.enum_value_gate_changed,
    enum_values.enum_value_gate_switched,
    enum_values.enum_value_roll_out_changed,
    openness.enum_opened,
    openness.enum_closed,
    enum_values.enum_growth_changed,
    enum_values.unknown_value_changed,
    unions.union_member_moved,
    unions.union_member_added,
    unions.union_member_removed,
    unions.discriminator_changed,
    unions.union_empty_values_changed,
    unions.union_tightened,
    unions.union_loosened,
    unions.union_added,
    unions.union_removed,
    schemas.schema_annotation_changed,
    schemas.schema_discriminator_changed,
    values.constraint_without_effect,
    values.status_constraint_tightened,
    values.loosened_in_atomic_list,
    values.bound_tightened,
    values.bound_loosened,
    values.pattern_added,
    values.pattern_removed,
    values.pattern_widened,
    values.pattern_changed,
    values.format_tightened,
    values.format_loosened,
    values.uniqueness_added,
    values.uniqueness_removed,
    values.value_excluded,
    values.value_accepted,
    values.enforcement_by_hand_changed,
    values.update_restricted,
    values.update_freed,
    values.access_restricted,
    values.access_freed,
    values.dependents_tightened,
    values.dependents_loosened,
    schemas.conditional_constraint_tightened,
    schemas.conditional_constraint_loosened,
    schemas.conditional_constraint_switched,
    cel.rule_without_effect,
    cel.rule_on_new_fields,
    cel.transition_rule_added,
    cel.rule_changed,
    cel.rule_added,
    cel.rule_removed,
    schemas.schema_tightened,
    schemas.schema_loosened,
    conversion.lossy_conversion,
    conversion.annotation_key_changed,
    conversion.converter_removed,
    conversion.conversion_changed,
    conversion.hub_type_changed,
    *DOCUMENTATION_RULES,
)


def _unclassified(change: AnyChange, context: Context) -> RuleResult:
    """A change that no rule handles breaks in every direction: an unknown change is not treated as safe."""
    effects = everywhere(breaks("the effect of the change is unknown"))
    return RuleResult(f"{change_words(change)}, which no rule handles", effects)


unclassified_change = change_rule("unclassified-change", severities="E/E/E", presets=WIRE, is_excusable=False)(
    _unclassified
)


def all_rules() -> tuple[Rule, ...]:
    """Return all rules, in the order of evaluation."""
    return (*RULES, unclassified_change)


def select_rule(change: AnyChange, rules: tuple[ChangeRule, ...], context: Context) -> tuple[ChangeRule, RuleResult]:
    """Return the first rule that handles a change, with its result; `unclassified-change` if no rule does."""
    trait, keyword = (change.trait, change.keyword) if isinstance(change, Altered) else (None, None)
    for rule in _applicable(rules, (type(change), change.element.kind, trait, keyword)):
        result = rule.evaluate(change, context)
        if result is not None:
            return rule, result
    return unclassified_change, _unclassified(change, context)


@lru_cache(maxsize=4096)
def _applicable(
    rules: tuple[ChangeRule, ...], kind: tuple[type[AnyChange], ElementKind, Trait | None, Keyword | None]
) -> tuple[ChangeRule, ...]:
    """Cached, because there are far fewer kinds of change than changes."""
    return tuple(rule for rule in rules if any(each.fits(*kind) for each in rule.applies_to))


def rule_texts(ids: Container[str], form: str) -> Mapping[str, RuleText]:
    """Return the prose of the rules of these ids, with fixes in the words of a form of input, such as `crd`."""
    return {rule.id: _text(rule, form) for rule in all_rules() if rule.id in ids}


def _text(rule: Rule, form: str) -> RuleText:
    prose = rule.prose
    return RuleText(
        id=rule.id,
        title=prose.title,
        severities=rule.severities,
        explanation=prose.explanation,
        fix=prose.fix_for(form),
        is_of_state=isinstance(rule, StateRule),
        is_of_documentation=rule in DOCUMENTATION_RULES,
        stops_from=rule.stops_from,
    )
