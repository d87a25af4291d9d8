"""OpenAPI documents as a source: operations, each with the schema of its request and that of its responses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.inputs.json_schema.document import OPENAPI_3_0, OPENAPI_3_1, Document, Written, written_schemas
from apigen.inputs.openapi.security import security_of
from apigen.inputs.schemas.files import documents_of, files_below, files_of, top_entries
from apigen.inputs.schemas.scope import JSON_SCHEMA, Scope, member_path
from apigen.inputs.schemas.words import (
    Words,
    as_node,
    entries_of,
    is_true,
    items_of,
    object_schema,
    text,
    text_node,
    words_of,
)
from apigen.inputs.source import Setting, Source
from apigen.ir.surface import (
    Credentials,
    Group,
    Kind,
    KindVersion,
    Messages,
    Method,
    Service,
    Struct,
    Surface,
    Unread,
    Version,
)
from apigen.language.nodes import Mapping, Node, Scalar, Sequence, describe

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
STATUSES = "status"
"""The field of a response with the content for each status code."""

BODY = "body"
"""The member of a message that holds its body by media type."""

_DEFAULT_STYLES = {"path": "simple", "query": "form", "header": "simple", "cookie": "form"}
_LOCATIONS = tuple(_DEFAULT_STYLES)
_IGNORED_HEADERS = frozenset({"accept", "content-type", "authorization"})
"""Header parameters that OpenAPI ignores (Parameter Object, `name`)."""

_TEMPLATE = re.compile(r"\{([^{}]*)\}")
_MOST_REFERENCES = 100


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation. `request` and `responses` are schemas of whole messages. `is_webhook`: the API calls its client.

    `security` are the alternatives by which clients authenticate, as in `Method`; empty for a webhook.
    """

    name: str
    node: Node
    request: Mapping
    responses: Mapping
    security: tuple[Credentials, ...]
    is_deprecated: bool
    is_webhook: bool


class Operations:
    """Reads the operations of a document."""

    def __init__(self, root: Mapping) -> None:
        self._root = root
        self.unread: list[Unread] = []

    def all(self) -> Iterator[Operation]:
        """The operations of all paths, their callbacks, and webhooks, in written order."""
        words = words_of(self._root)
        for keyword in ("paths", "webhooks"):
            for key, node in entries_of(words, keyword):
                if key.text.startswith("x-"):
                    continue
                if keyword == "webhooks":
                    yield from self._of_item(f"webhook {key.text}", node)
                else:
                    # clients know path parameters by their position only
                    names = _TEMPLATE.findall(key.text)
                    positions = {name: str(number) for number, name in enumerate(names, 1)}
                    yield from self._of_item(_TEMPLATE.sub("{}", key.text), node, positions)

    def _of_item(self, where: str, node: Node, positions: dict[str, str] | None = None) -> Iterator[Operation]:
        """The operations of a path, with the positions of its parameters, or of a webhook or callback, and callbacks."""
        item = self._words(node)
        is_webhook = positions is None
        shared = items_of(item, "parameters")
        for method in METHODS:
            operation = item.get(method)
            if not isinstance(operation, Mapping):
                continue
            words = words_of(operation)
            parameters = self._parameters((*shared, *items_of(words, "parameters")), positions or {})
            yield Operation(
                f"{method.upper()} {where}",
                operation,
                self._request(words, parameters, operation),
                self._responses(words, operation),
                () if is_webhook else security_of(words, words_of(self._root), self._words),
                is_true(words, "deprecated"),
                is_webhook,
            )
            if not is_webhook:
                yield from self._callbacks(f"{method.upper()} {where}", words)

    def _callbacks(self, operation: str, words: Words) -> Iterator[Operation]:
        """The operations by which the API calls a client that has called an operation."""
        for name, node in entries_of(words, "callbacks"):
            for expression, item in self._words(node).items():
                if not expression.startswith("x-"):
                    yield from self._of_item(f"callback {name.text} {expression} of {operation}", item)

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
            self._check_style(words, location, name)
            if location == "path":
                name = positions.get(name, name)
            is_required = is_true(words, "required") or location == "path"
            schema = self._content(words, node)
            if is_true(words, "deprecated") and isinstance(schema, Mapping):
                schema = as_node({**words_of(schema), "deprecated": words["deprecated"]}, schema)
            schemas[location, name] = (schema, is_required)
        return schemas

    def _check_style(self, words: Words, location: str, name: str) -> None:
        """Report a parameter that is not written in the default style of its location."""
        default = _DEFAULT_STYLES[location]
        style = text(words, "style") or default
        explode = is_true(words, "explode") if "explode" in words else style == "form"
        if style != default or explode is not (default == "form"):
            written = next(words[keyword] for keyword in ("style", "explode") if keyword in words)
            self.unread.append(
                Unread(written.place, f"`style` and `explode` of parameter {quote(name)} are not compared")
            )

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
        content = entries_of(words, "content")
        schemas = {_media_type(key.text): self._schema(self._words(node), node) for key, node in content}
        return object_schema(schemas, (), at, is_closed=True)

    def _content(self, words: Words, at: Node) -> Node:
        """The schema of a parameter or header: its own, or that of its only media type."""
        media_types = entries_of(words, "content")
        return self._schema(self._words(media_types[0].value) if media_types else words, at)

    def _schema(self, words: Words, at: Node) -> Node:
        if "schema" in words:
            return words["schema"]
        # a schema of any value
        return (
            as_node({}, at) if isinstance(at, Mapping) else Scalar(True, "true", True, at.file, at.line, at.column, 0)
        )

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
                if reference is not None:
                    why = "has no target in this document" if reference.startswith("#") else "is another document"
                    message = f"{quote(reference)} {why}, so this part is not compared"
                    self.unread.append(Unread(words["$ref"].place, message))
                return own
            own.pop("$ref", None)
            node = component
        return own


def _media_type(text: str) -> str:
    """Return a media type in one form: its names have no case (RFC 9110, 8.3.1)."""
    name, *parameters = (part.strip() for part in text.split(";"))
    return "; ".join((name.lower(), *parameters))


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


_OTHER = {Messages.REQUEST: "readOnly", Messages.RESPONSE: "writeOnly"}
_UNWANTED = frozenset({"readOnly", "writeOnly", "nullable"})
"""Properties that have another name, or whose absence has a meaning."""


def of_messages(root: Mapping, messages: Messages, *, is_3_0: bool) -> Callable[[Mapping], Mapping]:
    """Return the function that reads a schema of the document for requests or for responses.

    `nullable` is a keyword of OpenAPI 3.0 only, and requires `type` (3.0.3, Schema Object).
    """
    other = _OTHER[messages]

    def is_of_others(node: Node) -> bool:
        if not isinstance(node, Mapping):
            return False
        words = words_of(node)
        reference = text(words, "$ref")
        component = None if reference is None else local(root, reference)
        return is_true(words, other) or (isinstance(component, Mapping) and is_true(words_of(component), other))

    def read(node: Mapping) -> Mapping:
        words = words_of(node)
        dropped = frozenset(key.text for key, value in entries_of(words, "properties") if is_of_others(value))
        unwanted = _UNWANTED & words.keys()
        if not dropped and not unwanted:
            return node
        converted = {name: value for name, value in words.items() if name not in unwanted}
        type_ = converted.get("type")
        if is_3_0 and is_true(words, "nullable") and isinstance(type_, Scalar):
            null = text_node("null", words["nullable"])
            converted["type"] = Sequence((type_, null), type_.file, type_.line, type_.column)
        properties, required = converted.get("properties"), converted.get("required")
        if dropped and isinstance(properties, Mapping):
            kept = tuple(entry for entry in properties.entries if entry.key.text not in dropped)
            converted["properties"] = properties._replace(entries=kept)
        if dropped and isinstance(required, Sequence):
            names = tuple(
                each for each in items_of(words, "required") if not (isinstance(each, Scalar) and each.value in dropped)
            )
            converted["required"] = required._replace(items=names)
        return as_node(converted, node)

    return read


_VERSION = re.compile(r"3\.([01])(?:\.\d+)?")
_VERSIONS = frozenset({"openapi", "swagger"})
"""The keyword with the version of OpenAPI, and that of version 2.0, which is not read."""

_ROOT = "Schema"


class OpenApiSource(Source):
    """An OpenAPI 3.0 or 3.1 document, as JSON or YAML, or a folder with one."""

    form = "openapi"
    title = "an OpenAPI 3.0 or 3.1 document"

    def recognises(self, argument: str, setting: Setting) -> bool:
        """Return whether a JSON or YAML file has `openapi` at its top, or whether a file of a folder has."""
        path = setting.folder / argument
        return any(map(_is_openapi, files_below(path) if path.is_dir() else (path,)))

    def load(self, argument: str, setting: Setting, report: Report) -> Surface | None:
        """Read the input. Returns `None`, with errors in `report`, if that fails; unsupported parts are in `unread`."""
        before = report.error_count
        files = files_of(argument, setting.folder, report)
        if len(files) > 1:  # a folder may hold other files
            files = tuple(each for each in files if _is_openapi(each[0])) or files
        documents = list(documents_of(files, report))
        surface = None
        if len(documents) == 1:
            surface = _surface(argument, documents[0][1], report)
        elif report.error_count == before:
            message = f"expected one OpenAPI document, found {len(documents)}"
            report.error("AG1430", Place(argument), message, hint="name one file with `openapi: 3.1.0` at its top")
        return None if report.error_count > before else surface


def _is_openapi(path: Path) -> bool:
    return not _VERSIONS.isdisjoint(top_entries(path))


def _surface(argument: str, root: Node, report: Report) -> Surface | None:
    if not isinstance(root, Mapping):
        message = f"expected an OpenAPI document, found {describe(root)}"
        report.error("AG1430", root.place, message, hint="name a file with `openapi: 3.1.0` at its top")
        return None
    version = next((value for key, value in words_of(root).items() if key in _VERSIONS), None)
    written = version.text if isinstance(version, Scalar) else ""
    known = _VERSION.fullmatch(written)
    if known is None:
        message = f"OpenAPI {quote(written)} is not read; 3.0 and 3.1 are"
        at = root.place if version is None else version.place
        report.error("AG1430", at, message, hint="convert the document to OpenAPI 3.1")
        return None
    return _Reader(argument, root, report, is_3_0=known[1] == "0").surface()


class _Reader:
    """Makes a group of the requests, one of the responses, and one with the operations."""

    def __init__(self, argument: str, root: Mapping, report: Report, *, is_3_0: bool) -> None:
        self._argument = argument
        self._root = root
        self._report = report
        self._is_3_0 = is_3_0
        operations = Operations(root)
        self._operations = tuple(operations.all())
        self._unread = operations.unread + [
            Unread(each.node.place, f"`security` of {each.name} is not compared")
            for each in self._operations
            if each.is_webhook and "security" in words_of(each.node)
        ]
        self._written: dict[str, Written] = {}

    def surface(self) -> Surface:
        """Return the surface of the document."""
        place = self._root.place
        methods = {
            each.name: Method(
                each.name,
                each.node.place,
                is_deprecated=each.is_deprecated,
                security=each.security,
                is_webhook=each.is_webhook,
            )
            for each in self._operations
        }
        version = Version("", "", place, services={"": Service("", methods, place)})
        groups = {"": Group("", place, {"": version})}
        groups |= {messages.value: self._group_of(messages) for messages in Messages}
        return Surface(
            self._argument, OpenApiSource.form, groups, unread=tuple(dict.fromkeys(self._unread)), schemas=self._written
        )

    def _group_of(self, messages: Messages) -> Group:
        place = self._root.place
        components = words_of(words_of(self._root).get("components"))
        is_request = messages is Messages.REQUEST
        roots: dict[str, Node] = {  # the messages that clients write, or those that they read
            each.name: each.request if is_request is not each.is_webhook else each.responses
            for each in self._operations
        }
        # without operations, other documents use the schemas for requests and responses
        roots = roots or {key.text: node for key, node in entries_of(components, "schemas")}
        scope = Scope(messages.value, "", JSON_SCHEMA)
        read = of_messages(self._root, messages, is_3_0=self._is_3_0)
        document = Document(self._document(roots, components), _ROOT, scope, self._report, read)
        document.define_all()
        scope.types.pop(_ROOT, None)
        scope.places.pop(_ROOT, None)
        for each in self._operations:
            _mark(scope, each.name)
        self._written[scope.group] = written_schemas(scope.places, document.found, document.reads_all)
        self._unread.extend(scope.unread)
        kinds = {name: KindVersion(name, scope.name(name), node.place) for name, node in roots.items()}
        version = Version(scope.group, "", place, types=scope.types, kinds=kinds)
        names = {name: Kind(name, node.place) for name, node in roots.items()}
        return Group(scope.group, place, {"": version}, names, messages=messages)

    def _document(self, roots: dict[str, Node], components: Words) -> Mapping:
        """Return a JSON Schema document with the messages as definitions, in which references have the same targets."""
        bare = self._root._replace(entries=())
        dialect = text_node(OPENAPI_3_0 if self._is_3_0 else OPENAPI_3_1, self._root)
        own_dialect = None if self._is_3_0 else words_of(self._root).get("jsonSchemaDialect")
        words: dict[str, Node] = {"$schema": own_dialect or dialect, "definitions": as_node(roots, bare)}
        if "schemas" in components:
            words["components"] = as_node({"schemas": components["schemas"]}, bare)
        return as_node(words, bare)


def _mark(scope: Scope, operation: str) -> None:
    """Note of structs of an operation that their members are status codes, or media types."""
    statuses = member_path(operation, STATUSES)
    names = {statuses: STATUSES, member_path(operation, BODY): BODY}
    found = scope.types.get(statuses)
    for code in found.fields if isinstance(found, Struct) else ():
        names[member_path(member_path(statuses, code), BODY)] = BODY
    for name, members in names.items():
        type_ = scope.types.get(name)
        if isinstance(type_, Struct):
            scope.types[name] = replace(type_, members=members)
