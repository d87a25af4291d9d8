"""No floating-point numbers."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics.quoting import quote
from apigen.ir.model import Field, Struct
from apigen.ir.types import ListType, MapType, Scalar, ScalarType, Type, underlying
from apigen.rules.rule import Finding, Rule, Surroundings

_FLOATS = (ScalarType(Scalar.FLOAT32), ScalarType(Scalar.FLOAT64))


class NoFloats(Rule):
    """Floats do not survive a round trip in every language. (Kubernetes API conventions, "Primitive types")"""

    code = "AG1101"

    def check_field(self, field: Field, struct: Struct, around: Surroundings) -> Iterator[Finding]:
        if innermost(field.type) in _FLOATS:
            yield Finding(
                field.place,
                f"{quote(field.json_name)} is a floating-point number, which other languages write and round otherwise",
                "use a whole number of a smaller unit, or `Quantity`",
            )


def innermost(type_: Type) -> Type:
    """What is in lists and maps of lists and maps."""
    type_ = underlying(type_)
    while isinstance(type_, ListType | MapType):
        type_ = underlying(type_.item if isinstance(type_, ListType) else type_.value)
    return type_
