"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.gates.gate_added_to_field import GateAddedToField
from apigen.compat.rules.gates.gate_dependencies_changed import GateDependenciesChanged
from apigen.compat.rules.gates.gate_differs_between_versions import GateDiffersBetweenVersions
from apigen.compat.rules.gates.gate_gone_still_marks import GateGoneStillMarks
from apigen.compat.rules.gates.gate_graduated import GateGraduated
from apigen.compat.rules.gates.gate_history_changed import GateHistoryChanged
from apigen.compat.rules.gates.gate_mark_changed import GateMarkChanged
from apigen.compat.rules.gates.gate_mark_removed import GateMarkRemoved
from apigen.compat.rules.gates.gate_on_too_early import GateOnTooEarly
from apigen.compat.rules.gates.gate_regressed import GateRegressed
from apigen.compat.rules.gates.gate_removed import GateRemoved
from apigen.compat.rules.gates.gate_step_reached import GateStepReached
from apigen.compat.rules.gates.gated_field_always_there import GatedFieldAlwaysThere
from apigen.compat.rules.gates.gated_field_always_written import GatedFieldAlwaysWritten
from apigen.compat.rules.gates.gated_field_reshaped import GatedFieldReshaped
from apigen.compat.rules.rule import Rule

GATES_RULES: tuple[Rule, ...] = (
    GateAddedToField(),
    GateMarkRemoved(),
    GateMarkChanged(),
    GateRemoved(),
    GateRegressed(),
    GateOnTooEarly(),
    GateHistoryChanged(),
    GateGraduated(),
    GateDependenciesChanged(),
    GateStepReached(),
    GatedFieldReshaped(),
    GatedFieldAlwaysThere(),
    GatedFieldAlwaysWritten(),
    GateGoneStillMarks(),
    GateDiffersBetweenVersions(),
)
