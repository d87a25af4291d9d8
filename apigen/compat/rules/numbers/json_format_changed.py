"""JSON of a type is no longer promised."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import EVERYWHERE, hits_in, option_of, silent
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Impact
from apigen.compat.verdict.preset import JSON
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class JsonFormatChanged(ChangeRule):
    """What implementations do with its JSON is up to each."""

    id = "json-format-changed"
    title = "JSON by best effort"
    severities = Severities.of("W/E/E")
    explanation = (
        "In proto2, and with json_format = LEGACY_BEST_EFFORT, names may collide in JSON, and implementations do"
        " with it what they can. Who relied on the JSON of proto3 has it no longer for sure. The other way round"
        " is a promise more."
    )
    fix = "set option features.json_format = ALLOW"
    no_witness = "implementations differ in what they make of it"
    presets = JSON

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims the feature; more of a promise hurts nobody."""
        option = option_of(change, "json_format")
        if option is None:
            return None
        if option[2] != "LEGACY_BEST_EFFORT":
            return silent(f"the JSON of {change.element} is promised now")
        message = f"the JSON of {change.element} is by best effort only"
        return Verdict(message, hits_in(EVERYWHERE, "may be refused where it is JSON", Impact.DEPENDS))
