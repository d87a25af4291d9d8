"""Names of loop variables in generated functions: `part` for an element of `parts`."""

from __future__ import annotations

import builtins
import keyword

from apigen.codegen.python.source_text import numbered

_TAKEN = frozenset(
    {
        *dir(builtins),
        *keyword.kwlist,
        *keyword.softkwlist,
        *("obj", "old", "path", "options", "errors", "value", "features", "dropped", "before", "now", "index", "key"),
        *("chosen", "chosen_before", "allowed", "supported", "re"),
        *(
            "duplicate",
            "first_by",
            "forbidden",
            "gated",
            "immutable",
            "invalid",
            "not_supported",
            "repeated",
            "required",
        ),
        *(
            "repeated_values",
            "next_generation",
            "note",
            "semantic_equal",
            "too_few",
            "too_long",
            "too_many",
            "too_short",
        ),
        *("too_long_characters", "union_errors", "discriminated_union_errors"),
    }
)
"""Names with another meaning in the functions of strategies and validation."""


def element_name(plural: str, depth: int = 0) -> str:
    """The variable for an element of a field of that Python name; deeper ones are numbered."""
    name = _singular(plural.rstrip("_"))
    if name == plural or name in _TAKEN:
        name = f"{plural.rstrip('_')}_item"
    return numbered(name, depth)


def _singular(plural: str) -> str:
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("ss", "ss"), ("s", "")):
        if plural.endswith(ending) and len(plural) > len(ending) + 1:
            return plural.removesuffix(ending) + instead
    return plural
