"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.conversion.annotation_key_changed import annotation_key_changed
from apigen.compat.rules.conversion.conversion_changed import conversion_changed
from apigen.compat.rules.conversion.converter_removed import converter_removed
from apigen.compat.rules.conversion.hub_type_changed import hub_type_changed
from apigen.compat.rules.conversion.lossy_conversion import lossy_conversion
from apigen.compat.rules.rule import Rule

CONVERSION_RULES: tuple[Rule, ...] = (
    lossy_conversion,
    annotation_key_changed,
    converter_removed,
    conversion_changed,
    hub_type_changed,
)
