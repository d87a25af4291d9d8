"""Random schemas of CRDs: structural ones, as an API server accepts them."""

from __future__ import annotations

import copy
from typing import Any

from tests.review.schemas.randomized import Maker, at, paths

_BOUNDS = ("minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "minProperties", "maxProperties")
_OF_TYPES = {
    "string": _BOUNDS[:2],
    "integer": _BOUNDS[2:4],
    "number": _BOUNDS[2:4],
    "array": _BOUNDS[4:6],
    "object": _BOUNDS[6:],
}
_DEFAULTS = {"string": "p", "integer": 1, "boolean": True}


class StructuralMaker(Maker):
    """Makes the schema of `spec` of a definition."""

    def document(self) -> dict[str, Any]:
        """The schema of an object."""
        return self.structural_object(2)

    def structural(self, depth: int) -> dict[str, Any]:
        """A schema with a type."""
        if depth > 0 and self.chance(0.5):
            made = self.random.choice([self.structural_object, self.structural_map, self.structural_list])(depth)
        else:
            made = self._plain()
        if self.chance(0.2):
            made["nullable"] = True
        kind = made.get("type", "")
        if self.chance(0.25) and kind in _OF_TYPES and "enum" not in made:
            made[self.random.choice(_OF_TYPES[kind])] = self.random.randint(0, 3)
        return made

    def structural_object(self, depth: int) -> dict[str, Any]:
        """An object with members."""
        made: dict[str, Any] = {"type": "object"}
        if members := {name: self.structural(depth - 1) for name in self.names(3)}:
            made["properties"] = members
        if self.chance(0.3) and members:
            made["required"] = [self.random.choice(list(members))]
        if self.chance(0.2):
            made["x-kubernetes-preserve-unknown-fields"] = True
        if self.chance(0.2) and len(members) > 1:
            word = self.random.choice(["anyOf", "oneOf"])
            made[word] = [{"required": [name]} for name in members]
        return made

    def structural_map(self, depth: int) -> dict[str, Any]:
        """A map."""
        return {"type": "object", "additionalProperties": self.structural(depth - 1)}

    def structural_list(self, depth: int) -> dict[str, Any]:
        """A list."""
        return {"type": "array", "items": self.structural(depth - 1)}

    def _plain(self) -> dict[str, Any]:
        kind = self.random.choice(["string", "string", "integer", "number", "boolean", "anything", "either"])
        if kind == "anything":
            return {"x-kubernetes-preserve-unknown-fields": True, "nullable": True}
        if kind == "either":
            return {"x-kubernetes-int-or-string": True}
        made: dict[str, Any] = {"type": kind}
        if kind == "string" and self.chance(0.3):
            made["enum"] = ["p", *self.random.sample(["q", "r"], self.random.randint(0, 2))]
        if kind in _DEFAULTS and self.chance(0.3):
            made["default"] = _DEFAULTS[kind]
        return made

    def changed(self, document: dict[str, Any]) -> dict[str, Any]:
        """The schema with a change or two."""
        made = copy.deepcopy(document)
        for _ in range(self.random.choice([1, 1, 2])):
            found = [path for path in paths(made) if "anyOf" not in path and "oneOf" not in path]
            path = self.random.choice(found)
            if path and self.chance(0.4):
                at(made, path[:-1])[path[-1]] = self.structural(1)
            else:
                self._change(at(made, path))
        return made

    def _change(self, node: dict[str, Any]) -> None:
        """Change something of one schema."""
        if node.get("type") == "object" and "additionalProperties" not in node and self.chance(0.7):
            members = node.setdefault("properties", {})
            name = self.random.choice(("a", "b", "c"))
            what = self.random.randint(0, 2)
            if what == 0:
                members[name] = self.structural(1)
            elif what == 1 and name in members:
                del members[name]
                node["required"] = [each for each in node.get("required", []) if each != name]
            elif members:
                node["required"] = [self.random.choice(list(members))]
        elif self.chance(0.3):
            node["nullable"] = not node.get("nullable", False)
        elif node.get("type") in _OF_TYPES and "default" not in node:
            node[self.random.choice(_OF_TYPES[node["type"]])] = self.random.randint(0, 3)
