"""Methods by which a type says itself what it looks like in JSON, so that its fields do not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from apigen.importers.go.syntax import children_of
from apigen.importers.go.unit import Unit

JSON_METHODS = ("MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText")
"""Those that Go's encoding/json looks for."""


def json_methods(units: Sequence[Unit]) -> Mapping[str, tuple[str, ...]]:
    """By the name of a type, its methods of `JSON_METHODS`, in order of file and place."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for unit in units:
        for method in children_of(unit.file.root, "method_declaration"):
            name, receiver = method.child_by_field_name("name"), method.child_by_field_name("receiver")
            if name is None or receiver is None or unit.file.text(name) not in JSON_METHODS:
                continue
            for parameter in children_of(receiver, "parameter_declaration"):
                type_ = parameter.child_by_field_name("type")
                if type_ is not None:
                    found[unit.file.text(type_).lstrip("*( ").rstrip(") ")].append(unit.file.text(name))
    return {name: tuple(methods) for name, methods in found.items()}
