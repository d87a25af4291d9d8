"""The schemas of a document, by the places that they describe."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from apigen.dataclass import dataclass
from apigen.language.json_values import JsonValue
from apigen.language.nodes import Mapping as MappingNode
from apigen.language.nodes import Node, Scalar
from apigen.review.surface import CONDITIONS, WITHOUT_FRACTION


@dataclass(frozen=True, slots=True)
class Written:
    """The schemas of a document as plain data, and the target of each reference in them."""

    places: Mapping[str, JsonValue]
    targets: Mapping[str, JsonValue]

    @property
    def is_all(self) -> bool:
        """True: nothing is done to values."""
        return True

    def root(self, kind: str) -> JsonValue:
        """Return None, because no server evaluates objects by it."""
        return None

    def at(self, path: str) -> JsonValue:
        """Return the schema of a place, or `None` unless there is exactly one."""
        return self.places.get(path)

    def target(self, reference: str) -> JsonValue:
        """Return the schema that a `$ref` refers to; None if it is unknown."""
        return self.targets.get(reference)


def written_schemas(
    places: Mapping[str, Node | None],
    find: Callable[[str], Node | None],
    excludes_fractions: Callable[[Node], bool] = lambda _: False,
) -> Written:
    """Return the schemas of some places. `find` resolves a reference, and `excludes_fractions` returns whether `1.0` is no
    integer in a schema.

    The data of a schema is part of the data of the schemas that contain it.
    """
    known: dict[int, JsonValue] = {}
    references: dict[str, None] = {}

    def data(node: Node | None) -> JsonValue:
        if node is None or isinstance(node, Scalar):
            return None if node is None else node.value
        if id(node) not in known:
            if isinstance(node, MappingNode):
                words: dict[str, JsonValue] = {entry.key.text: data(entry.value) for entry in node.entries}
                if _is_of_integers(words.get("type")) and excludes_fractions(node):
                    words[CONDITIONS] = [WITHOUT_FRACTION]
                if isinstance(reference := words.get("$ref"), str):
                    references[reference] = None
                known[id(node)] = words
            else:
                known[id(node)] = [data(item) for item in node.items]
        return known[id(node)]

    of_places = {path: data(node) for path, node in places.items()}
    targets: dict[str, JsonValue] = {}
    while waiting := [each for each in references if each not in targets]:
        targets.update((each, data(find(each))) for each in waiting)
    return Written(of_places, targets)


def _is_of_integers(type_: JsonValue) -> bool:
    names = type_ if isinstance(type_, list) else [type_]
    return "integer" in names and "number" not in names
