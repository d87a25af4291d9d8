"""All rules of evolution, in the order in which they run."""

from __future__ import annotations

from apigen.lint.evolution.accepted_value_stays import AcceptedValueStays
from apigen.lint.evolution.beta_is_deprecated_in_time import BetaIsDeprecatedInTime
from apigen.lint.evolution.discriminator_grows import DiscriminatorGrows
from apigen.lint.evolution.evolution import EvolutionRule
from apigen.lint.evolution.gate_mark_is_not_added import GateMarkIsNotAdded
from apigen.lint.evolution.gate_mark_stays import GateMarkStays
from apigen.lint.evolution.gate_name_is_new import GateNameIsNew
from apigen.lint.evolution.gate_of_fields_begins_off import GateOfFieldsBeginsOff
from apigen.lint.evolution.gate_stage_lasts import GateStageLasted, GateStageLasts
from apigen.lint.evolution.gate_stages_follow_policy import GateStagesFollowPolicy
from apigen.lint.evolution.gate_stays_long_enough import GateStaysLongEnough
from apigen.lint.evolution.gated_default_asks_gate import GatedDefaultAsksGate
from apigen.lint.evolution.gated_field_begins_off import GatedFieldBeginsOff
from apigen.lint.evolution.group_name_stays import GroupNameStays
from apigen.lint.evolution.growing_enum_was_declared import GrowingEnumWasDeclared, NewEnumIsDeclared
from apigen.lint.evolution.new_field_is_in_all_versions import NewFieldIsInAllVersions
from apigen.lint.evolution.new_value_is_off import NewValueIsOff
from apigen.lint.evolution.released_lifecycles_stay import ReleasedLifecyclesStay
from apigen.lint.evolution.released_names_stay import ReleasedNamesStay
from apigen.lint.evolution.released_stages_stay import ReleasedStagesStay
from apigen.lint.evolution.removed_member_had_its_window import RemovedMemberHadItsWindow
from apigen.lint.evolution.removed_member_was_deprecated import RemovedMemberWasDeprecated
from apigen.lint.evolution.returned_is_identical import ReturnedIsIdentical
from apigen.lint.evolution.returned_was_gone import ReturnedWasGone
from apigen.lint.evolution.rollback_keeps_fields import RollbackKeepsFields
from apigen.lint.evolution.rollback_keeps_limits import RollbackKeepsLimits
from apigen.lint.evolution.stable_member_stays import StableMemberStays
from apigen.lint.evolution.stored_version_stays_readable import StoredVersionStaysReadable
from apigen.lint.evolution.value_is_tolerated_first import ValueIsToleratedFirst
from apigen.lint.evolution.versions_default_alike import VersionsDefaultAlike
from apigen.lint.evolution.wire_form_stays import WireFormStays

EVOLUTION_RULES: tuple[EvolutionRule, ...] = (
    ReleasedNamesStay(),
    WireFormStays(),
    StableMemberStays(),
    RemovedMemberWasDeprecated(),
    RemovedMemberHadItsWindow(),
    ReturnedIsIdentical(),
    ReturnedWasGone(),
    NewFieldIsInAllVersions(),
    BetaIsDeprecatedInTime(),
    StoredVersionStaysReadable(),
    ReleasedLifecyclesStay(),
    GateStagesFollowPolicy(),
    GateOfFieldsBeginsOff(),
    GateStageLasts(),
    GateStageLasted(),
    GateStaysLongEnough(),
    ReleasedStagesStay(),
    GatedFieldBeginsOff(),
    GateMarkStays(),
    GateMarkIsNotAdded(),
    GatedDefaultAsksGate(),
    GateNameIsNew(),
    ValueIsToleratedFirst(),
    NewValueIsOff(),
    GrowingEnumWasDeclared(),
    NewEnumIsDeclared(),
    AcceptedValueStays(),
    DiscriminatorGrows(),
    RollbackKeepsFields(),
    RollbackKeepsLimits(),
    VersionsDefaultAlike(),
    GroupNameStays(),
)
