"""All rules of a review, in the order of evaluation, the rule for changes that none of them handles, and their explanations."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import lru_cache
from textwrap import fill, indent

from apigen.review.changes.change import Altered, AnyChange, Trait, change_words
from apigen.review.context import Context
from apigen.review.mitigations import COMMON
from apigen.review.results import WIRE, Preset, RuleResult, RuleText, breaks, everywhere
from apigen.review.rules import (
    conversion,
    defaults,
    documentation,
    fields,
    gates,
    merging,
    numbers,
    services,
    tombstones,
    types,
)
from apigen.review.rules.constraints import cel, schemas, values
from apigen.review.rules.enums import enum_values, unions
from apigen.review.rules.lifecycle import disagreements, groups
from apigen.review.rules.rule import ChangeRule, ChangeSelector, Rule, StateRule, change_rule
from apigen.review.surface import ElementKind, Keyword

DOCUMENTATION_RULES: tuple[Rule, ...] = (documentation.promise_changed, documentation.description_changed)
"""Rules whose findings change nothing but texts."""

RULES: tuple[Rule, ...] = (
    groups.group_removed,
    groups.group_added,
    groups.stored_version_removed,
    groups.version_removed,
    groups.version_added,
    groups.kind_removed,
    groups.kind_added,
    groups.kind_names_changed,
    groups.short_names_changed,
    groups.strategy_changed,
    groups.type_meta_changed,
    groups.scope_changed,
    groups.storage_advanced_too_early,
    groups.storage_moved_to_less_stable,
    groups.storage_version_moved,
    groups.preferred_advanced_too_early,
    groups.preferred_version_moved,
    groups.subresource_removed,
    groups.subresource_added,
    groups.selectable_field_removed,
    groups.printer_column_removed,
    groups.type_removed,
    groups.type_added,
    groups.replacement_is_less_stable,
    groups.stable_refers_to_unstable,
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
    defaults.required_with_default_added,
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
    enum_values.enum_constraint_added,
    enum_values.enum_constraint_removed,
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
    defaults.empty_collapse_changed,
    defaults.pointer_added,
    defaults.pointer_removed,
    defaults.omit_empty_added,
    defaults.omit_empty_removed,
    defaults.status_became_required,
    defaults.became_required,
    defaults.became_optional,
    defaults.zero_value_invalid,
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
    enum_values.enum_opened,
    enum_values.enum_closed,
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


_WIDTH = 100
_INDENT = len("counterexample: ")


def rule_named(id_: str) -> Rule | None:
    """Return the rule with an id, in upper or lower case, or `None`."""
    lower_id = id_.lower()
    return next((rule for rule in all_rules() if rule.id == lower_id), None)


def rule_ids() -> tuple[str, ...]:
    """Return the ids of all rules, in the order in which they are evaluated."""
    return tuple(rule.id for rule in all_rules())


def rule_list() -> str:
    """Return a line for each rule: its id, its severities in alpha, beta and stable versions, and its title."""
    rules = all_rules()
    widest = max(len(rule.id) for rule in rules)
    return "".join(f"{rule.id:<{widest}}  {rule.severities.letters}  {rule.prose.title}\n" for rule in rules)


def rule_explanation(rule: Rule) -> str:
    """Return the explanation of a rule with its severities, presets and mitigations."""
    prose, of = rule.prose, rule.severities
    applies_to, mitigated_by = "problems of the revision that the base does not have", ""
    if isinstance(rule, ChangeRule):
        applies_to = "; ".join(map(_selected, rule.applies_to)) or "changes that no other rule handles"
        mitigated_by = ", ".join(dict.fromkeys(each.name for each in (*rule.mitigated_by, *COMMON)))
    never = f"never: {prose.no_counterexample}" if prose.no_counterexample else "the review searches for one"
    items = (
        ("fix:", prose.fix),
        *(("", f"for {name}: {fix}") for name, fix in prose.fixes),
        ("severity:", f"{of.alpha.word} in alpha, {of.beta.word} in beta, {of.stable.word} in stable versions"),
        ("directions:", "evaluated for each change; a report lists the affected directions"),
        ("presets:", ", ".join(preset.value for preset in Preset if preset in rule.presets)),
        ("applies to:", applies_to),
        *((("mitigated by:", mitigated_by),) if mitigated_by else ()),
        ("counterexample:", never),
    )
    lines = (f"{rule.id}: {prose.title}\n", fill(prose.explanation, _WIDTH), "", *(_item(*each) for each in items))
    return "\n".join(lines) + "\n"


def _item(name: str, text: str) -> str:
    body = fill(" ".join(text.split()), _WIDTH - _INDENT)
    return f"{name:<{_INDENT}}{indent(body, ' ' * _INDENT).lstrip()}"


def _selected(selector: ChangeSelector) -> str:
    how = selector.how.__name__.lower()
    if selector.trait is not None:
        return f"another {selector.trait.value}"
    return f"{how} {', '.join(sorted(kind.value for kind in selector.kinds))}"
