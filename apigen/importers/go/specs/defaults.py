"""The value of a `+default=` or `+kubebuilder:default=` marker, where the field can have it."""

from __future__ import annotations

import json
import re

from apigen.importers.go.model import GoField, GoPackage
from apigen.importers.go.specs.expressions import WELL_KNOWN, WELL_KNOWN_RAW, Base, Packages, Translated
from apigen.importers.go.specs.marker_values import marker_value
from apigen.importers.go.specs.markers import Tag, unquoted
from apigen.importers.merging import Value

_REF = re.compile(r"ref\(([\w./-]+)\)")
_KUBEBUILDER = "kubebuilder:default"


def default_of(tag: Tag, field: GoField, type_: Translated, packages: Packages, package: GoPackage) -> Value:
    """The value of a field's default. Raises ValueError with what is wrong."""
    reference = _REF.fullmatch(tag.value)
    if reference:
        return _constant(reference[1], packages, package)
    try:
        value: Value = json.loads(tag.value)
    except ValueError:
        if tag.name != _KUBEBUILDER:
            raise ValueError(f"`{tag.value}` is no JSON") from None
        value = marker_value(tag.value) if tag.value.startswith(("{", "[")) else unquoted(tag.value)
    if value == {} and tag.name == _KUBEBUILDER and type_.base is Base.LIST:
        value = []
    _check(value, field, type_)
    return value


def _check(value: Value, field: GoField, type_: Translated) -> None:
    """Raises ValueError for a list or map that the field cannot have, and where it never takes effect."""
    if not isinstance(value, dict | list) or type_.expression == WELL_KNOWN_RAW:
        return
    takes = (Base.STRUCT, Base.MAP) if isinstance(value, dict) else (Base.LIST,)
    if type_.base not in takes:
        raise ValueError(f"a {'list' if isinstance(value, list) else 'map'} is no `{type_.expression}`")
    is_struct = type_.base is Base.STRUCT and type_.expression not in WELL_KNOWN.values()
    if is_struct and not type_.pointer and not field.omitzero:
        raise ValueError("a struct that is no pointer is always there: its fields can have defaults")


def _constant(reference: str, packages: Packages, package: GoPackage) -> Value:
    path, _, name = reference.rpartition(".")
    holder = packages.packages.get(path or package.path)
    constants = [] if holder is None else list(holder.constants)
    constants += [] if holder is None else [c for type_ in holder.types for c in type_.constants]
    found = next((constant for constant in constants if constant.go == name), None)
    if found is None or found.value is None:
        raise ValueError(f"the constant `{reference}` was not read")
    return found.value
