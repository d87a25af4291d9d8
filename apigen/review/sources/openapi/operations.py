"""The operations of an OpenAPI document, each with the schema of its request and that of its responses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from apigen.dataclass import dataclass
from apigen.language.nodes import Mapping, Node, Scalar
from apigen.review.sources.schemas.words import (
    Words,
    as_node,
    entries_of,
    is_true,
    items_of,
    object_schema,
    text,
    words_of,
)

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
STATUSES = "status"
"""The field of a response with the content for each status code."""

BODY = "body"
"""The member of a message that holds its body by media type."""

_LOCATIONS = ("path", "query", "header", "cookie")
_IGNORED_HEADERS = frozenset({"accept", "content-type", "authorization"})
"""Header parameters that OpenAPI ignores (Parameter Object, `name`)."""

_TEMPLATE = re.compile(r"\{([^{}]*)\}")
_MOST_REFERENCES = 100


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation. `request` and `responses` are schemas of whole messages. `is_webhook`: the API calls its client."""

    name: str
    node: Node
    request: Mapping
    responses: Mapping
    is_deprecated: bool
    is_webhook: bool


class Operations:
    """Reads the operations of a document."""

    def __init__(self, root: Mapping) -> None:
        self._root = root

    def all(self) -> Iterator[Operation]:
        """The operations of all paths and webhooks, in written order."""
        words = words_of(self._root)
        for keyword in ("paths", "webhooks"):
            for key, node in entries_of(words, keyword):
                if not key.text.startswith("x-"):
                    yield from self._of_path(key.text, node, is_webhook=keyword == "webhooks")

    def _of_path(self, path: str, node: Node, *, is_webhook: bool) -> Iterator[Operation]:
        item = self._words(node)
        positions = {} if is_webhook else _positions(path)
        where = f"webhook {path}" if is_webhook else _TEMPLATE.sub("{}", path)
        shared = items_of(item, "parameters")
        for method in METHODS:
            operation = item.get(method)
            if not isinstance(operation, Mapping):
                continue
            words = words_of(operation)
            parameters = self._parameters((*shared, *items_of(words, "parameters")), positions)
            yield Operation(
                f"{method.upper()} {where}",
                operation,
                self._request(words, parameters, operation),
                self._responses(words, operation),
                is_true(words, "deprecated"),
                is_webhook,
            )

    def _parameters(
        self, nodes: tuple[Node, ...], positions: dict[str, str]
    ) -> dict[tuple[str, str], tuple[Node, bool]]:
        """Return the schema of each parameter by location and name, and whether it is required; parameters of an operation override
        those of its path.
        """
        schemas: dict[tuple[str, str], tuple[Node, bool]] = {}
        for node in nodes:
            words = self._words(node)
            location, name = text(words, "in"), text(words, "name")
            if location not in _LOCATIONS or name is None:
                continue
            if location == "header":
                name = name.lower()
                if name in _IGNORED_HEADERS:
                    continue
            if location == "path":
                name = positions.get(name, name)
            is_required = is_true(words, "required") or location == "path"
            schema = self._content(words, node)
            if is_true(words, "deprecated") and isinstance(schema, Mapping):
                schema = as_node({**words_of(schema), "deprecated": words["deprecated"]}, schema)
            schemas[location, name] = (schema, is_required)
        return schemas

    def _request(self, words: Words, parameters: dict[tuple[str, str], tuple[Node, bool]], at: Mapping) -> Mapping:
        members: dict[str, Node] = {}
        for location in _LOCATIONS:
            own = {name: value for (each, name), value in parameters.items() if each == location}
            names = [name for name, (_, is_required) in own.items() if is_required]
            members[location] = object_schema({name: schema for name, (schema, _) in own.items()}, names, at)
        required: list[str] = list(_LOCATIONS)
        node = words.get("requestBody")
        if node is not None:
            body = self._words(node)
            members[BODY] = self._media_types(body, node)
            if is_true(body, "required"):
                required.append(BODY)
        return object_schema(members, required, at)

    def _responses(self, words: Words, at: Mapping) -> Mapping:
        statuses: dict[str, Node] = {}
        for key, node in entries_of(words, "responses"):
            if not key.text.startswith("x-"):
                response = self._words(node)
                headers = {each.text.lower(): header for each, header in entries_of(response, "headers")}
                schemas = {name: self._content(self._words(header), header) for name, header in headers.items()}
                needed = [name for name, header in headers.items() if is_true(self._words(header), "required")]
                members: dict[str, Node] = {"header": object_schema(schemas, needed, node)}
                members[BODY] = self._media_types(response, node)
                statuses[key.text] = object_schema(members, ("header",), node)
        return object_schema({STATUSES: object_schema(statuses, (), at, is_closed=True)}, (STATUSES,), at)

    def _media_types(self, words: Words, at: Node) -> Mapping:
        """The schema of a body: a member for each media type."""
        schemas = {key.text: self._schema(self._words(node), node) for key, node in entries_of(words, "content")}
        return object_schema(schemas, (), at, is_closed=True)

    def _content(self, words: Words, at: Node) -> Node:
        """The schema of a parameter or header: its own, or that of its only media type."""
        media_types = entries_of(words, "content")
        return self._schema(self._words(media_types[0].value) if media_types else words, at)

    def _schema(self, words: Words, at: Node) -> Node:
        found = words.get("schema")
        return _any_value(at) if found is None else found

    def _words(self, node: Node) -> Words:
        """Return the keywords of an object of OpenAPI, or of the one in `components` that it refers to; keywords next
        to a reference take precedence.
        """
        own: dict[str, Node] = {}
        for _ in range(_MOST_REFERENCES):
            if not isinstance(node, Mapping):
                return own
            words = words_of(node)
            own = {**words, **own}
            reference = text(words, "$ref")
            component = None if reference is None else local(self._root, reference)
            if component is None:
                return own
            own.pop("$ref", None)
            node = component
        return own


def local(root: Mapping, reference: str) -> Node | None:
    """The node that a reference within the document leads to (RFC 6901); None for any other reference."""
    if not reference.startswith("#/"):
        return None
    node: Node | None = root
    for token in reference[2:].split("/"):
        if not isinstance(node, Mapping):
            return None
        node = words_of(node).get(unquote(token).replace("~1", "/").replace("~0", "~"))
    return node


def _positions(path: str) -> dict[str, str]:
    """Path parameters by name: clients know them by their position in the path only."""
    return {name: str(number) for number, name in enumerate(_TEMPLATE.findall(path), 1)}


def _any_value(at: Node) -> Node:
    if isinstance(at, Mapping):
        return as_node({}, at)
    return Scalar(True, "true", True, at.file, at.line, at.column, 0)
