"""All rules of evolution, in the order in which they run."""

from __future__ import annotations

from apigen.rules.evolution.accepted_value_stays import AcceptedValueStays
from apigen.rules.evolution.beta_is_deprecated_in_time import BetaIsDeprecatedInTime
from apigen.rules.evolution.beta_is_served_long_enough import BetaIsServedLongEnough
from apigen.rules.evolution.discriminator_grows import DiscriminatorGrows
from apigen.rules.evolution.evolution import EvolutionRule
from apigen.rules.evolution.field_stays_optional import FieldStaysOptional
from apigen.rules.evolution.gate_mark_is_not_added import GateMarkIsNotAdded
from apigen.rules.evolution.gate_mark_stays import GateMarkStays
from apigen.rules.evolution.gate_name_is_new import GateNameIsNew
from apigen.rules.evolution.gate_of_fields_begins_off import GateOfFieldsBeginsOff
from apigen.rules.evolution.gate_stage_lasts import GateStageLasted, GateStageLasts
from apigen.rules.evolution.gate_stages_follow_policy import GateStagesFollowPolicy
from apigen.rules.evolution.gate_stays_long_enough import GateStaysLongEnough
from apigen.rules.evolution.gated_default_asks_gate import GatedDefaultAsksGate
from apigen.rules.evolution.gated_field_begins_off import GatedFieldBeginsOff
from apigen.rules.evolution.group_name_stays import GroupNameStays
from apigen.rules.evolution.growing_enum_was_declared import GrowingEnumWasDeclared, NewEnumIsDeclared
from apigen.rules.evolution.new_field_is_in_all_versions import NewFieldIsInAllVersions
from apigen.rules.evolution.new_value_is_off import NewValueIsOff
from apigen.rules.evolution.presence_stays import PresenceStays
from apigen.rules.evolution.released_lifecycles_stay import ReleasedLifecyclesStay
from apigen.rules.evolution.released_names_stay import ReleasedNamesStay
from apigen.rules.evolution.released_stages_stay import ReleasedStagesStay
from apigen.rules.evolution.removed_member_had_its_window import RemovedMemberHadItsWindow
from apigen.rules.evolution.removed_member_was_deprecated import RemovedMemberWasDeprecated
from apigen.rules.evolution.replacement_is_as_stable import ReplacementIsAsStable
from apigen.rules.evolution.returned_is_identical import ReturnedIsIdentical
from apigen.rules.evolution.returned_was_gone import ReturnedWasGone
from apigen.rules.evolution.rollback_keeps_fields import RollbackKeepsFields
from apigen.rules.evolution.rollback_keeps_limits import RollbackKeepsLimits
from apigen.rules.evolution.stable_kind_stays import StableKindStays
from apigen.rules.evolution.stable_member_stays import StableMemberStays
from apigen.rules.evolution.stored_version_stays_readable import StoredVersionStaysReadable
from apigen.rules.evolution.union_stays_open import UnionStaysOpen
from apigen.rules.evolution.unknown_values_stay import UnknownValuesStay
from apigen.rules.evolution.value_is_tolerated_first import ValueIsToleratedFirst
from apigen.rules.evolution.versions_default_alike import VersionsDefaultAlike
from apigen.rules.evolution.wire_form_stays import WireFormStays

EVOLUTION_RULES: tuple[EvolutionRule, ...] = (
    ReleasedNamesStay(),
    WireFormStays(),
    StableMemberStays(),
    RemovedMemberWasDeprecated(),
    RemovedMemberHadItsWindow(),
    ReturnedIsIdentical(),
    ReturnedWasGone(),
    NewFieldIsInAllVersions(),
    StableKindStays(),
    BetaIsDeprecatedInTime(),
    BetaIsServedLongEnough(),
    ReplacementIsAsStable(),
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
    UnknownValuesStay(),
    AcceptedValueStays(),
    DiscriminatorGrows(),
    RollbackKeepsFields(),
    RollbackKeepsLimits(),
    PresenceStays(),
    FieldStaysOptional(),
    VersionsDefaultAlike(),
    GroupNameStays(),
    UnionStaysOpen(),
)
