"""JSON Schema of the spec files for completion and checks in editors, generated from the tables of the readers."""

from __future__ import annotations

from enum import StrEnum

from apigen.language.readers.groups import FEATURES, GROUP_KEYS
from apigen.language.readers.types import HUB_KEYS, VERSION_KEYS
from apigen.language.shapes import Definitions, Schema, Shape

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class SchemaKind(StrEnum):
    """The kinds of files that have a schema."""

    GROUP = "group"
    VERSION = "version"
    HUB = "hub"
    FEATURES = "features"


def spec_schema(kind: str) -> Schema:
    """The schema of `group`, `version`, `hub` or `features` files. Raises ValueError for another kind."""
    title, shape = _FILES[SchemaKind(kind)]
    definitions: Definitions = {}
    schema = shape.schema(definitions)
    return {
        "$schema": DIALECT,
        "title": title,
        **schema,
        "$defs": {name: definitions[name] for name in sorted(definitions)},
    }


_FILES: dict[SchemaKind, tuple[str, Shape[object]]] = {
    SchemaKind.GROUP: ("group.yaml of apigen", GROUP_KEYS),
    SchemaKind.VERSION: ("A version's file of apigen", VERSION_KEYS),
    SchemaKind.HUB: ("hub.yaml of apigen", HUB_KEYS),
    SchemaKind.FEATURES: ("features.yaml of apigen", FEATURES),
}
