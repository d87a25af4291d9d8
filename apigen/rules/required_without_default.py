"""A field is required, or it has a default."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics.quoting import quote
from apigen.ir.model import Field, Struct
from apigen.rules.rule import Finding, Rule, Surroundings


class RequiredWithoutDefault(Rule):
    """What schemas require is always there, so that its default is never seen by who reads the schema."""

    code = "AG1104"

    def check_field(self, field: Field, struct: Struct, around: Surroundings) -> Iterator[Finding]:
        if field.required and any(case.when is None and not case.overwrite for case in field.default):
            message = f"{quote(field.json_name)} has a default, and yet schemas require it"
            yield Finding(field.place, message, "add `required: false`")
