"""An option of a file has another value."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import NOTHING, option_of
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.preset import SOURCE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class FileOptionChanged(ChangeRule):
    """Packages and classes of generated code are called otherwise."""

    id = "file-option-changed"
    title = "an option of a file"
    severities = Severities.of("I/W/E")
    explanation = (
        "java_package, go_package, csharp_namespace and their kin are the names under which generated code is"
        " imported; others decide what it looks like. Nothing on the wire changes."
    )
    fix = "set the option to what it was"
    no_witness = "it is about generated code"
    presets = SOURCE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims the options of protobuf itself."""
        option = option_of(change)
        if option is None or option[0].startswith("("):
            return None
        name, before, after = option
        return Verdict(
            f"option {name} of {change.element} is {after or 'gone'} instead of {before or 'nothing'}", NOTHING
        )
