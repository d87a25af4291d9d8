"""OpenAPI documents as a source."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from apigen.dataclass import replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.language.nodes import Mapping, Node, Scalar, Sequence, describe
from apigen.review.sources.json_schema.document import Document
from apigen.review.sources.json_schema.written import Written, written_schemas
from apigen.review.sources.openapi.operations import BODY, STATUSES, Operation, Operations, local
from apigen.review.sources.schemas.files import documents_of, files_below, files_of, top_entries
from apigen.review.sources.schemas.scope import JSON_SCHEMA, Scope, member_path
from apigen.review.sources.schemas.words import as_node, entries_of, is_true, items_of, text, text_node, words_of
from apigen.review.sources.source import Setting, Source
from apigen.review.surface import Group, Kind, KindVersion, Messages, Method, Service, Struct, Surface, Unread, Version

_OTHER = {Messages.REQUEST: "readOnly", Messages.RESPONSE: "writeOnly"}
_UNWANTED = frozenset({"readOnly", "writeOnly", "nullable"})
"""Properties that have another name, or whose absence has a meaning."""


_EXCLUSIVE = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
"""Flags of the bounds next to them in OpenAPI 3.0, bounds of their own in 3.1."""


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
        unwanted = {*(_UNWANTED & words.keys()), *(bound for bound in _EXCLUSIVE if _is_flag(words.get(bound)))}
        if not dropped and not unwanted:
            return node
        converted = {name: value for name, value in words.items() if name not in unwanted}
        for exclusive, bound in _EXCLUSIVE.items():
            if is_3_0 and is_true(words, exclusive) and bound in converted:
                converted[exclusive] = converted.pop(bound)
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


def _is_flag(node: Node | None) -> bool:
    return isinstance(node, Scalar) and isinstance(node.value, bool)


_VERSION = re.compile(r"3\.([01])(?:\.\d+)?")
_DRAFT_4 = "http://json-schema.org/draft-04/schema#"
"""OpenAPI 3.0 has the integers, the exclusive bounds and the references of this draft."""

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
    return "openapi" in top_entries(path)


def _surface(argument: str, root: Node, report: Report) -> Surface | None:
    if not isinstance(root, Mapping):
        message = f"expected an OpenAPI document, found {describe(root)}"
        report.error("AG1430", root.place, message, hint="name a file with `openapi: 3.1.0` at its top")
        return None
    version = words_of(root).get("openapi")
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
        self._operations = tuple(Operations(root).all())
        self._unread: list[Unread] = []
        self._written: dict[str, Written] = {}

    def surface(self) -> Surface:
        """Return the surface of the document."""
        groups = {"": self._group_of_operations()}
        groups |= {messages.value: self._group_of(messages) for messages in Messages}
        return Surface(
            self._argument, OpenApiSource.form, groups, unread=tuple(dict.fromkeys(self._unread)), schemas=self._written
        )

    def _group_of_operations(self) -> Group:
        place = self._root.place
        methods = {
            each.name: Method(each.name, each.node.place, is_deprecated=each.is_deprecated) for each in self._operations
        }
        version = Version("", "", place, services={"": Service("", methods, place)})
        return Group("", place, {"": version})

    def _group_of(self, messages: Messages) -> Group:
        place = self._root.place
        roots: dict[str, Node] = {
            each.name: _schema_of(each, messages) for each in self._operations
        } or self._components()
        scope = Scope(messages.value, "", JSON_SCHEMA)
        read = of_messages(self._root, messages, is_3_0=self._is_3_0)
        document = Document(self._document(roots), _ROOT, scope, self._report, read)
        document.define_all()
        scope.types.pop(_ROOT, None)
        scope.places.pop(_ROOT, None)
        for each in self._operations:
            _mark(scope, each.name)
        self._written[scope.group] = written_schemas(scope.places, document.found)
        self._unread.extend(scope.unread)
        kinds = {name: KindVersion(name, scope.name(name), node.place) for name, node in roots.items()}
        version = Version(scope.group, "", place, types=scope.types, kinds=kinds)
        names = {name: Kind(name, node.place) for name, node in roots.items()}
        return Group(scope.group, place, {"": version}, names, messages=messages)

    def _components(self) -> dict[str, Node]:
        """The schemas of a document that describes no operation: others use them for requests and responses."""
        components = words_of(self._root).get("components")
        return {key.text: node for key, node in entries_of(words_of(components), "schemas")}

    def _document(self, roots: dict[str, Node]) -> Mapping:
        """Return a JSON Schema document with the messages as definitions, in which references have the same targets."""
        bare = self._root._replace(entries=())
        words: dict[str, Node] = {"definitions": as_node(roots, bare)}
        if self._is_3_0:
            words["$schema"] = text_node(_DRAFT_4, self._root)
        schemas = words_of(words_of(self._root).get("components")).get("schemas")
        if schemas is not None:
            words["components"] = as_node({"schemas": schemas}, bare)
        return as_node(words, bare)


def _schema_of(operation: Operation, messages: Messages) -> Mapping:
    """The schema of the messages that clients write, or of those that they read."""
    is_of_clients = (messages is Messages.REQUEST) is not operation.is_webhook
    return operation.request if is_of_clients else operation.responses


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
