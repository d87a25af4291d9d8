"""The schemas of the definitions of one version, by the places that they speak of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from apigen.dataclass import dataclass, field
from apigen.language.nodes import Node
from apigen.review.sources.schemas.literals import value_of
from apigen.review.verdict.example import JsonValue

if TYPE_CHECKING:
    from apigen.review.sources.crd.stored_form import StoredForms

_STEP = re.compile(r"""\.(?P<member>[^.\[\](){}]+)|\["(?P<quoted>[^"]*)"\]|(?P<items>\[\])|(?P<values>\{\})""")


@dataclass(slots=True)
class Written:
    """The schemas of kinds, as they are written or as plain data; what stored objects are like is made of them once somebody asks."""

    roots: dict[str, Node | JsonValue] = field(default_factory=dict)
    known: dict[str, JsonValue] = field(default_factory=dict, compare=False)
    _forms: StoredForms | None = field(default=None, compare=False)

    @property
    def is_all(self) -> bool:
        """False: a server drops members and fills in defaults."""
        return False

    def at(self, path: str) -> JsonValue:
        """What stored values of a place are like; None where there is no such place, or where it is part of what every object has."""
        if path not in self.known:
            self.known[path] = self._made(path)
        return self.known[path]

    def target(self, reference: str) -> JsonValue:
        """None: there are no references."""
        return None

    def _made(self, path: str) -> JsonValue:
        kind = re.split(r"[.\[({]", path, maxsplit=1)[0]
        if kind not in self.roots:
            return None
        if kind == path:
            return self._stored().of_root(self._root(kind))
        found = _walked(self._root(kind), path[len(kind) :])
        return None if found is None else self._stored().of(found)

    def _stored(self) -> StoredForms:
        if self._forms is None:
            from apigen.review.sources.crd.stored_form import StoredForms  # most reviews ask for none

            self._forms = StoredForms()
        return self._forms

    def _root(self, kind: str) -> JsonValue:
        root = self.roots[kind]
        if isinstance(root, tuple):
            root = self.roots[kind] = value_of(root)
        return root

    def __reduce__(self) -> tuple[type[Written], tuple[dict[str, JsonValue]]]:
        return Written, ({kind: self._root(kind) for kind in self.roots},)


def _walked(schema: JsonValue, path: str) -> JsonValue:
    """The schema at a path; None where it leads into a schema that only validates, or nowhere."""
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
