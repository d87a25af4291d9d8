"""The runtime module of each function that conversions and their tests call."""

from __future__ import annotations

from apigen.codegen.python.source_text import Imports
from apigen.ir.model import INTEGER_RANGES

_MODULES = {
    **dict.fromkeys(
        ("format_selector", "parse_selector", "selector_labels", "are_labels", "is_equality_selector"), "selectors"
    ),
    **dict.fromkeys(("fits", "exact_quotient", "is_decimal", "parse_annotation", "annotated_number"), "conversion"),
    **dict.fromkeys(
        ("with_entry", "without_key", "without_keys", "with_key", "unique_entries", "without_type_meta"), "conversion"
    ),
    **{f"{verb}_{scalar}": "conversion" for verb in ("checked", "parse") for scalar in INTEGER_RANGES},
    **dict.fromkeys(("checked_float32", "group_of", "api_version_of", "conversion_context"), "conversion"),
    "Preservation": "preserved",
    **dict.fromkeys(("whole_seconds", "duration_of_seconds", "is_whole_seconds", "seconds_fit"), "durations"),
}
"""The run-time names that are not in the main module of the run-time library, with their module."""


def runtime_name(imports: Imports, name: str) -> str:
    """Return how a module spells a name of the run-time library; the import is added."""
    return imports.runtime(name, _MODULES.get(name, ""))
