"""The schemas of the CRDs of one version, by the places that they describe."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from apigen.dataclass import dataclass, field
from apigen.language.nodes import Node
from apigen.review.json_values import JsonValue
from apigen.review.sources.schemas.literals import value_of

if TYPE_CHECKING:
    from apigen.review.sources.crd.stored_form import StoredForms

_STEP = re.compile(r"""\.(?P<member>[^.\[\](){}]+)|\["(?P<quoted>[^"]*)"\]|(?P<items>\[\])|(?P<values>\{\})""")


@dataclass(slots=True)
class Written:
    """The schemas of kinds, as nodes or as plain data; those of stored objects are computed on first use."""

    roots: dict[str, Node | JsonValue] = field(default_factory=dict)
    known: dict[str, JsonValue] = field(default_factory=dict, compare=False)
    _forms: StoredForms | None = field(default=None, compare=False)

    @property
    def is_all(self) -> bool:
        """False: a server drops members and fills in defaults."""
        return False

    def at(self, path: str) -> JsonValue:
        """Return the schema of stored values at a place; None if there is no such place, or if it belongs to the
        metadata of all objects.
        """
        if path not in self.known:
            self.known[path] = self._made(path)
        return self.known[path]

    def target(self, reference: str) -> JsonValue:
        """Return None, because there are no references."""
        return None

    def _made(self, path: str) -> JsonValue:
        kind = re.split(r"[.\[({]", path, maxsplit=1)[0]
        if kind not in self.roots:
            return None
        if kind == path:
            return self._stored().of_root(self.root(kind))
        found = _walked(self.root(kind), path[len(kind) :])
        return None if found is None else self._stored().of(found)

    def _stored(self) -> StoredForms:
        if self._forms is None:
            from apigen.review.sources.crd.stored_form import StoredForms  # most reviews ask for none

            self._forms = StoredForms()
        return self._forms

    def root(self, kind: str) -> JsonValue:
        """Return the schema of a kind as written; None for an unknown kind."""
        root = self.roots.get(kind)
        if isinstance(root, tuple):
            root = self.roots[kind] = value_of(root)
        return root

    def __reduce__(self) -> tuple[type[Written], tuple[dict[str, JsonValue]]]:
        return Written, ({kind: self.root(kind) for kind in self.roots},)


def _walked(schema: JsonValue, path: str) -> JsonValue:
    """Return the schema at a path; None if the path does not exist, or leads into a schema that only validates."""
    if path.startswith((".metadata", ".apiVersion", ".kind")):
        return None
    at = 0
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None or not isinstance(schema, dict):
            return None
        at = step.end()
        if step["items"] is not None:
            schema = schema.get("items")
        elif step["values"] is not None:
            schema = schema.get("additionalProperties")
        else:
            members = schema.get("properties")
            schema = members.get(step["member"] or step["quoted"]) if isinstance(members, Mapping) else None
    return schema
