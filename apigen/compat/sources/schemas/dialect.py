"""What the same words mean in a CRD and in a JSON Schema document."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.compat.surface.types import Scalars, UnknownFields
from apigen.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Dialect:
    """A form of schemas. `unknown` is what becomes of members that no word speaks of; `formats` are those of text that are a
    type of their own, others are constraints; `fills_defaults`: whoever reads an object fills them in;
    `is_empty_enum_said`: an `enum` without values has none, where Go's types for schemas do not know it from no `enum`.
    """

    name: str
    unknown: UnknownFields
    formats: Mapping[str, Scalars]
    fills_defaults: bool
    is_null_anything: bool
    is_empty_enum_said: bool


CRD = Dialect(
    name="a CustomResourceDefinition",
    unknown=UnknownFields.DROPPED,
    formats={"date-time": Scalars.TIME, "byte": Scalars.BYTES, "int-or-string": Scalars.INT_OR_STRING},
    fills_defaults=True,
    is_null_anything=False,
    is_empty_enum_said=False,
)
JSON_SCHEMA = Dialect(
    name="JSON Schema",
    unknown=UnknownFields.KEPT,
    formats={},
    fills_defaults=False,
    is_null_anything=True,
    is_empty_enum_said=True,
)
