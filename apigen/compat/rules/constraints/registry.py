"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.constraints.access_freed import access_freed
from apigen.compat.rules.constraints.access_restricted import access_restricted
from apigen.compat.rules.constraints.bound_loosened import bound_loosened
from apigen.compat.rules.constraints.bound_tightened import bound_tightened
from apigen.compat.rules.constraints.conditional_constraint_loosened import conditional_constraint_loosened
from apigen.compat.rules.constraints.conditional_constraint_switched import conditional_constraint_switched
from apigen.compat.rules.constraints.conditional_constraint_tightened import conditional_constraint_tightened
from apigen.compat.rules.constraints.constraint_without_effect import constraint_without_effect
from apigen.compat.rules.constraints.dependents_loosened import dependents_loosened
from apigen.compat.rules.constraints.dependents_tightened import dependents_tightened
from apigen.compat.rules.constraints.enforcement_by_hand_changed import enforcement_by_hand_changed
from apigen.compat.rules.constraints.format_loosened import format_loosened
from apigen.compat.rules.constraints.format_tightened import format_tightened
from apigen.compat.rules.constraints.pattern_added import pattern_added
from apigen.compat.rules.constraints.pattern_changed import pattern_changed
from apigen.compat.rules.constraints.pattern_removed import pattern_removed
from apigen.compat.rules.constraints.pattern_widened import pattern_widened
from apigen.compat.rules.constraints.rule_added import rule_added
from apigen.compat.rules.constraints.rule_changed import rule_changed
from apigen.compat.rules.constraints.rule_on_new_fields import rule_on_new_fields
from apigen.compat.rules.constraints.rule_removed import rule_removed
from apigen.compat.rules.constraints.rule_without_effect import rule_without_effect
from apigen.compat.rules.constraints.schema_loosened import schema_loosened
from apigen.compat.rules.constraints.schema_tightened import schema_tightened
from apigen.compat.rules.constraints.status_constraint_tightened import status_constraint_tightened
from apigen.compat.rules.constraints.transition_rule_added import transition_rule_added
from apigen.compat.rules.constraints.uniqueness_added import uniqueness_added
from apigen.compat.rules.constraints.uniqueness_removed import uniqueness_removed
from apigen.compat.rules.constraints.update_freed import update_freed
from apigen.compat.rules.constraints.update_restricted import update_restricted
from apigen.compat.rules.constraints.value_accepted import value_accepted
from apigen.compat.rules.constraints.value_refused import value_refused
from apigen.compat.rules.rule import Rule

CONSTRAINTS_RULES: tuple[Rule, ...] = (
    constraint_without_effect,
    status_constraint_tightened,
    bound_tightened,
    bound_loosened,
    pattern_added,
    pattern_removed,
    pattern_widened,
    pattern_changed,
    format_tightened,
    format_loosened,
    uniqueness_added,
    uniqueness_removed,
    value_refused,
    value_accepted,
    enforcement_by_hand_changed,
    update_restricted,
    update_freed,
    access_restricted,
    access_freed,
    dependents_tightened,
    dependents_loosened,
    conditional_constraint_tightened,
    conditional_constraint_loosened,
    conditional_constraint_switched,
    rule_without_effect,
    rule_on_new_fields,
    transition_rule_added,
    rule_changed,
    rule_added,
    rule_removed,
    schema_tightened,
    schema_loosened,
)
