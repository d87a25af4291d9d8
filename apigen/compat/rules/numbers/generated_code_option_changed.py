"""An option that decides how generated code looks has another value."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.words import NOTHING, option_of, silent
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.preset import SOURCE
from apigen.compat.verdict.verdict import Verdict

_OPTIONS = (
    *("no_standard_descriptor_accessor", "deprecated_legacy_json_field_conflicts", "allow_alias"),
    *("ctype", "jstype", "lazy", "unverified_lazy", "weak", "debug_redact", "retention", "targets"),
    *("edition_defaults", "feature_support"),
)


@change_rule(
    "generated-code-option-changed",
    altered(Trait.OPTIONS, ElementKind.STRUCT, ElementKind.ENUM, ElementKind.FIELD),
    altered(Trait.OPTIONS, ElementKind.ENUM_VALUE, ElementKind.UNION),
    severities="I/W/W",
    presets=SOURCE,
)
def generated_code_option_changed(change: AnyChange, context: Context) -> Verdict | None:
    """Nothing on the wire changes."""
    option = option_of(change, *_OPTIONS)
    if option is None:
        other = option_of(change)
        option = other if other is not None and other[0].startswith("features.") else None
    if option is None:
        return None
    name, before, after = option
    if (before or "false") == (after or "false"):
        return silent(f"option {name} of {change.element} says what held anyway")
    return Verdict(f"option {name} of {change.element} is {after or 'gone'} instead of {before or 'nothing'}", NOTHING)
