"""All rules of compatibility, in the order in which they are tried."""

from __future__ import annotations

from apigen.compat.rules.branches.registry import BRANCHES_RULES
from apigen.compat.rules.constraints.registry import CONSTRAINTS_RULES
from apigen.compat.rules.conversion.registry import CONVERSION_RULES
from apigen.compat.rules.defaults.registry import DEFAULTS_RULES
from apigen.compat.rules.documentation.registry import DOCUMENTATION_RULES
from apigen.compat.rules.enums.registry import ENUMS_RULES
from apigen.compat.rules.fields.registry import FIELDS_RULES
from apigen.compat.rules.gates.registry import GATES_RULES
from apigen.compat.rules.lifecycle.registry import LIFECYCLE_RULES
from apigen.compat.rules.merging.registry import MERGING_RULES
from apigen.compat.rules.numbers.registry import NUMBERS_RULES
from apigen.compat.rules.presence.registry import PRESENCE_RULES
from apigen.compat.rules.rule import Rule
from apigen.compat.rules.services.registry import SERVICES_RULES
from apigen.compat.rules.tombstones.registry import TOMBSTONES_RULES
from apigen.compat.rules.types.registry import TYPES_RULES

RULES: tuple[Rule, ...] = (
    *LIFECYCLE_RULES,
    *GATES_RULES,
    *TOMBSTONES_RULES,
    *NUMBERS_RULES,
    *SERVICES_RULES,
    *FIELDS_RULES,
    *TYPES_RULES,
    *MERGING_RULES,
    *PRESENCE_RULES,
    *DEFAULTS_RULES,
    *ENUMS_RULES,
    *BRANCHES_RULES,
    *CONSTRAINTS_RULES,
    *CONVERSION_RULES,
    *DOCUMENTATION_RULES,
)
