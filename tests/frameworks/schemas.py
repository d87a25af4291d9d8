"""Brings a schema of pydantic or FastAPI back to the words of the published one, to compare the two."""

from __future__ import annotations

from typing import Any

NULL = {"type": "null"}


def as_published(schema: Any) -> Any:
    """A schema of the dialect 2020-12 as OpenAPI 3.0 has it, with references by the last part of a name."""
    if isinstance(schema, list):
        return [as_published(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {word: as_published(value) for word, value in schema.items()}
    if isinstance(found.get("$ref"), str):
        found["$ref"] = found["$ref"].rpartition("/")[2].rpartition(".")[2]
    for bound in ("Minimum", "Maximum"):
        if type(found.get(f"exclusive{bound}")) in (int, float):
            found[bound.lower()], found[f"exclusive{bound}"] = found[f"exclusive{bound}"], True
    if NULL in found.get("anyOf", ()):
        (inner,) = [each for each in found.pop("anyOf") if each != NULL]
        found |= inner | {"nullable": True}
    return found
