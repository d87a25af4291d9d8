"""No unsigned integers."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics.quoting import quote
from apigen.ir.model import Field, Struct
from apigen.ir.types import Scalar, ScalarType
from apigen.rules.no_floats import innermost
from apigen.rules.rule import Finding, Rule, Surroundings

_UNSIGNED = (ScalarType(Scalar.UINT32), ScalarType(Scalar.UINT64))


class NoUnsigned(Rule):
    """Many clients have no unsigned integers. (Kubernetes API conventions, "Primitive types")"""

    code = "AG1102"

    def check_field(self, field: Field, struct: Struct, around: Surroundings) -> Iterator[Finding]:
        if innermost(field.type) in _UNSIGNED:
            message = f"{quote(field.json_name)} is unsigned, which not every language has"
            yield Finding(field.place, message, "use `int32` or `int64` with `minimum: 0`")
