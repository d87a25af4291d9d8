"""An option that decides how generated code looks has another value."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import NOTHING, option_of, silent
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.preset import SOURCE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict

_OPTIONS = (
    *("no_standard_descriptor_accessor", "deprecated_legacy_json_field_conflicts", "allow_alias"),
    *("ctype", "jstype", "lazy", "unverified_lazy", "weak", "debug_redact", "retention", "targets"),
    *("edition_defaults", "feature_support"),
)


class GeneratedCodeOptionChanged(ChangeRule):
    """Nothing on the wire changes."""

    id = "generated-code-option-changed"
    title = "an option for generated code"
    severities = Severities.of("I/W/W")
    explanation = (
        "Options such as ctype, jstype, no_standard_descriptor_accessor, and features of single languages decide"
        " which types and methods generated code has. Bytes and JSON stay."
    )
    fix = "set the option to what it was, or tell who uses the generated code"
    no_witness = "it is about generated code"
    presets = SOURCE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims the options of protobuf itself that are not on the wire."""
        option = option_of(change, *_OPTIONS)
        if option is None:
            other = option_of(change)
            option = other if other is not None and other[0].startswith("features.") else None
        if option is None:
            return None
        name, before, after = option
        if (before or "false") == (after or "false"):
            return silent(f"option {name} of {change.element} says what held anyway")
        return Verdict(
            f"option {name} of {change.element} is {after or 'gone'} instead of {before or 'nothing'}", NOTHING
        )
