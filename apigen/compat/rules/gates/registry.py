"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.gates.gate_added_to_field import gate_added_to_field
from apigen.compat.rules.gates.gate_dependencies_changed import gate_dependencies_changed
from apigen.compat.rules.gates.gate_differs_between_versions import gate_differs_between_versions
from apigen.compat.rules.gates.gate_gone_still_marks import gate_gone_still_marks
from apigen.compat.rules.gates.gate_graduated import gate_graduated
from apigen.compat.rules.gates.gate_history_changed import gate_history_changed
from apigen.compat.rules.gates.gate_mark_changed import gate_mark_changed
from apigen.compat.rules.gates.gate_mark_removed import gate_mark_removed
from apigen.compat.rules.gates.gate_on_too_early import gate_on_too_early
from apigen.compat.rules.gates.gate_regressed import gate_regressed
from apigen.compat.rules.gates.gate_removed import gate_removed
from apigen.compat.rules.gates.gate_step_reached import gate_step_reached
from apigen.compat.rules.gates.gated_field_always_there import gated_field_always_there
from apigen.compat.rules.gates.gated_field_always_written import gated_field_always_written
from apigen.compat.rules.gates.gated_field_reshaped import gated_field_reshaped
from apigen.compat.rules.rule import Rule

GATES_RULES: tuple[Rule, ...] = (
    gate_added_to_field,
    gate_mark_removed,
    gate_mark_changed,
    gate_removed,
    gate_regressed,
    gate_on_too_early,
    gate_history_changed,
    gate_graduated,
    gate_dependencies_changed,
    gate_step_reached,
    gated_field_reshaped,
    gated_field_always_there,
    gated_field_always_written,
    gate_gone_still_marks,
    gate_differs_between_versions,
)
