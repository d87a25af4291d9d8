"""All evolution rules, in the order in which they are evaluated."""

from __future__ import annotations

from apigen.lint.evolution.defaults import gated_default_depends_on_gate, versions_default_alike
from apigen.lint.evolution.enums import (
    accepted_value_stays,
    discriminator_grows,
    growing_enum_was_declared,
    new_enum_is_declared,
    new_value_is_off,
    value_is_tolerated_first,
)
from apigen.lint.evolution.evolution import EvolutionRule
from apigen.lint.evolution.gates import (
    gate_name_is_new,
    gate_of_fields_begins_off,
    gate_stage_lasted,
    gate_stage_lasts,
    gate_stages_follow_policy,
    gate_stays_long_enough,
    released_stages_stay,
)
from apigen.lint.evolution.lifecycles import (
    beta_is_deprecated_in_time,
    released_lifecycles_stay,
    returned_is_identical,
    returned_was_gone,
)
from apigen.lint.evolution.rollback import rollback_keeps_fields, rollback_keeps_limits
from apigen.lint.evolution.versions import released_names_stay, stored_version_stays_readable

EVOLUTION_RULES: tuple[EvolutionRule, ...] = (
    released_names_stay,
    returned_is_identical,
    returned_was_gone,
    beta_is_deprecated_in_time,
    stored_version_stays_readable,
    released_lifecycles_stay,
    gate_stages_follow_policy,
    gate_of_fields_begins_off,
    gate_stage_lasts,
    gate_stage_lasted,
    gate_stays_long_enough,
    released_stages_stay,
    gated_default_depends_on_gate,
    gate_name_is_new,
    value_is_tolerated_first,
    new_value_is_off,
    growing_enum_was_declared,
    new_enum_is_declared,
    accepted_value_stays,
    discriminator_grows,
    rollback_keeps_fields,
    rollback_keeps_limits,
    versions_default_alike,
)
