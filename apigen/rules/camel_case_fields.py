"""Names of fields in camel case."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apigen.diagnostics.quoting import quote
from apigen.ir.model import Field, Struct
from apigen.rules.rule import Finding, Rule, Surroundings

_CAMEL_CASE = re.compile(r"[a-z][A-Za-z0-9]*")


class CamelCaseFields(Rule):
    """`camelCase`, a small letter first, no `_` or `-`. (Kubernetes API conventions, "Naming conventions")"""

    code = "AG1103"

    def check_field(self, field: Field, struct: Struct, around: Surroundings) -> Iterator[Finding]:
        if not _CAMEL_CASE.fullmatch(field.json_name):
            yield Finding(field.place, f"{quote(field.json_name)} is not in camel case, as names of fields are")
