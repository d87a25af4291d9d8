"""Whether a field's default can change anything."""

from __future__ import annotations

from apigen.ir.model import Field
from apigen.ir.types import EnumType, ScalarType, underlying
from apigen.spec.model import DefaultCase, Located


def has_effect(field: Field) -> bool:
    """Whether the default of a field, if it has one, ever makes another value of it.

    Zero for a field that cannot be `None` does not: such a field is unset when it is zero. Kubernetes writes `""` so that
    schemas say it, in types that stand nearly everywhere; nothing has to be walked for that.
    """
    if field.can_be_none or not isinstance(underlying(field.type), ScalarType | EnumType):
        return bool(field.default)
    return any(not _is_zero(case) for case in field.default)


def _is_zero(case: DefaultCase) -> bool:
    value = case.value.value if isinstance(case.value, Located) else None
    return isinstance(value, bool | int | float | str) and not value and not case.overwrite
