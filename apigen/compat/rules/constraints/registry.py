"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.constraints.access_freed import AccessFreed
from apigen.compat.rules.constraints.access_restricted import AccessRestricted
from apigen.compat.rules.constraints.bound_loosened import BoundLoosened
from apigen.compat.rules.constraints.bound_tightened import BoundTightened
from apigen.compat.rules.constraints.conditional_loosened import ConditionalLoosened
from apigen.compat.rules.constraints.conditional_switched import ConditionalSwitched
from apigen.compat.rules.constraints.conditional_tightened import ConditionalTightened
from apigen.compat.rules.constraints.constraint_without_effect import ConstraintWithoutEffect
from apigen.compat.rules.constraints.dependents_loosened import DependentsLoosened
from apigen.compat.rules.constraints.dependents_tightened import DependentsTightened
from apigen.compat.rules.constraints.enforcement_by_hand_changed import EnforcementByHandChanged
from apigen.compat.rules.constraints.format_loosened import FormatLoosened
from apigen.compat.rules.constraints.format_tightened import FormatTightened
from apigen.compat.rules.constraints.pattern_added import PatternAdded
from apigen.compat.rules.constraints.pattern_changed import PatternChanged
from apigen.compat.rules.constraints.pattern_removed import PatternRemoved
from apigen.compat.rules.constraints.pattern_widened import PatternWidened
from apigen.compat.rules.constraints.rule_added import RuleAdded
from apigen.compat.rules.constraints.rule_changed import RuleChanged
from apigen.compat.rules.constraints.rule_on_new_fields import RuleOnNewFields
from apigen.compat.rules.constraints.rule_removed import RuleRemoved
from apigen.compat.rules.constraints.rule_without_effect import RuleWithoutEffect
from apigen.compat.rules.constraints.schema_loosened import SchemaLoosened
from apigen.compat.rules.constraints.schema_tightened import SchemaTightened
from apigen.compat.rules.constraints.status_constraint_tightened import StatusConstraintTightened
from apigen.compat.rules.constraints.transition_rule_added import TransitionRuleAdded
from apigen.compat.rules.constraints.uniqueness_added import UniquenessAdded
from apigen.compat.rules.constraints.uniqueness_removed import UniquenessRemoved
from apigen.compat.rules.constraints.update_freed import UpdateFreed
from apigen.compat.rules.constraints.update_restricted import UpdateRestricted
from apigen.compat.rules.constraints.value_accepted import ValueAccepted
from apigen.compat.rules.constraints.value_refused import ValueRefused
from apigen.compat.rules.rule import Rule

CONSTRAINTS_RULES: tuple[Rule, ...] = (
    ConstraintWithoutEffect(),
    StatusConstraintTightened(),
    BoundTightened(),
    BoundLoosened(),
    PatternAdded(),
    PatternRemoved(),
    PatternWidened(),
    PatternChanged(),
    FormatTightened(),
    FormatLoosened(),
    UniquenessAdded(),
    UniquenessRemoved(),
    ValueRefused(),
    ValueAccepted(),
    EnforcementByHandChanged(),
    UpdateRestricted(),
    UpdateFreed(),
    AccessRestricted(),
    AccessFreed(),
    DependentsTightened(),
    DependentsLoosened(),
    ConditionalTightened(),
    ConditionalLoosened(),
    ConditionalSwitched(),
    RuleWithoutEffect(),
    RuleOnNewFields(),
    TransitionRuleAdded(),
    RuleChanged(),
    RuleAdded(),
    RuleRemoved(),
    SchemaTightened(),
    SchemaLoosened(),
)
