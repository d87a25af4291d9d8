"""JSON Schema documents as a source. They are recognized by their keys."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping as AbstractMapping
from pathlib import Path

from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.inputs.json_schema.document import Document, Written, written_schemas
from apigen.inputs.schemas.files import documents_of, files_below, files_of, first_text, top_entries
from apigen.inputs.schemas.scope import JSON_SCHEMA, Scope
from apigen.inputs.schemas.words import words_of
from apigen.inputs.source import Rejection, Setting, Source
from apigen.ir.surface import Group, Kind, KindVersion, Surface, Unread, Version
from apigen.language.json_values import TYPES, JsonValue
from apigen.language.nodes import Mapping, Node, Scalar, describe

KIND = "Schema"
"""The name of the root of a document, independent of its title, and of the name of its file unless that is in a folder."""
_TRIVIAL = 64
"""Maximum size of a file with a schema without keywords, including whitespace."""

_NO_KEYWORD = "it has no keyword of JSON Schema at its top level"


class JsonSchemaSource(Source):
    """A JSON Schema document (draft 4 to 2020-12), as JSON or YAML, or a folder of them."""

    form = "jsonschema"
    title = "JSON Schemas"

    def recognises(self, argument: str, setting: Setting) -> bool:
        """Return whether a JSON or YAML file has keywords of JSON Schema at its top, or is `{}`, `true` or `false`; of a folder,
        whether one of its files has `$schema` at its top.
        """
        path = setting.folder / argument
        if path.is_dir():
            return any("$schema" in top_entries(each) for each in files_below(path))
        is_trivial = "".join(first_text(path, _TRIVIAL).split()) in ("{}", "true", "false")
        return is_trivial or looks_like_schema(top_entries(path))

    def load(self, argument: str, setting: Setting, report: Report) -> Surface | None:
        """Read the input. Returns `None`, with errors in `report`, if that fails; unsupported parts are in `unread`."""
        files = files_of(argument, setting.folder, report)
        before = report.error_count
        documents = list(documents_of(files, report))
        if not documents and report.error_count == before:
            report.error("AG1430", Place(argument), "no JSON Schema document here", hint="name a file of JSON or YAML")
        reader = _Reader(argument, report)
        is_folder = (setting.folder / argument).is_dir()
        for name, node in documents:
            if not is_folder:
                reader.read(KIND, node)
            elif _is_schema(node):
                reader.read(_name(name, argument), node)
            else:
                reader.unread.append(Unread(node.place, f"{quote(name)} is not a schema: {_NO_KEYWORD}"))
        return None if report.error_count > before else reader.surface()

    def rejection(self, argument: str, setting: Setting) -> Rejection | None:
        """A document that is known to be something else."""
        other = other_document(top_entries(setting.folder / argument))
        if other is None:
            return None
        hint = "pass a CustomResourceDefinition, or a file that only contains a JSON Schema"
        return Rejection(f"{other}, not the definition of an API", hint)


def _is_schema(node: Node) -> bool:
    """Return whether a node may be a schema: a mapping that is not empty has a keyword of JSON Schema, or of its dialect in
    OpenAPI.
    """
    found = words_of(node).keys()
    return not found or not found.isdisjoint(_KEYWORDS) or any(key.startswith("x-kubernetes-") for key in found)


def _name(file: str, argument: str) -> str:
    """The name of the document of a file in a folder: its path there, without ending."""
    inside = file.removeprefix(argument.rstrip("/")).lstrip("/") or Path(file).name
    return inside.removesuffix(Path(file).suffix).removesuffix(".schema")


class _Reader:
    """Makes a group of each document; the types of one of several begin with its name."""

    def __init__(self, argument: str, report: Report) -> None:
        self._argument = argument
        self._report = report
        self._groups: dict[str, Group] = {}
        self._written: dict[str, Written] = {}
        self._ignored: list[Unread] = []
        self.unread: list[Unread] = []

    def read(self, name: str, node: Node) -> None:
        """Read one document."""
        is_boolean = isinstance(node, Scalar) and isinstance(node.value, bool)
        group = "" if name == KIND else name
        if not is_boolean and not isinstance(node, Mapping):
            message = f"expected a schema, found {describe(node)}"
            self._report.error(
                "AG1430", node.place, message, hint="a schema is a mapping of keywords, `true` or `false`"
            )
        elif not _is_schema(node):
            hint = "name a file with keywords at its top level, such as `type`, `properties` or `$ref`"
            self._report.error("AG1430", node.place, f"not a JSON Schema: {_NO_KEYWORD}", hint=hint)
        elif group in self._groups:
            message = f"a second document for {quote(name)}; a file contains one schema"
            self._report.error("AG1432", node.place, message, hint="write it to a file of its own")
        else:
            self._groups[group] = self._group(group, node)

    def _group(self, group: str, node: Node) -> Group:
        scope = Scope(group, "", JSON_SCHEMA)
        document = Document(node, KIND, scope, self._report)
        document.define_all()
        self._written[group] = written_schemas(
            scope.places, document.found, document.reads_all, document.excludes_fractions
        )
        self._ignored += scope.unread
        places = {root: scope.types[root].place for root in document.roots()}
        kinds = {root: KindVersion(root, scope.name(root), at) for root, at in places.items()}
        version = Version(group, "", node.place, types=scope.types, kinds=kinds)
        return Group(group, node.place, {"": version}, {root: Kind(root, at) for root, at in places.items()})

    def surface(self) -> Surface:
        """Return the surface of all documents."""
        unread = (*self.unread, *self._ignored)
        return Surface(self._argument, JsonSchemaSource.form, self._groups, unread=unread, schemas=self._written)


_SURE = frozenset(
    {
        *("$schema", "$id", "$ref", "$defs", "definitions", "properties", "patternProperties", "additionalProperties"),
        *("allOf", "anyOf", "oneOf"),
    }
)
"""Keywords that hardly any other document has at its top."""

_KEYWORDS = _SURE | {
    *("id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "$vocabulary", "$comment"),
    *("type", "enum", "const", "not", "if", "then", "else", "format", "nullable", "discriminator"),
    *("required", "dependencies", "dependentRequired", "dependentSchemas", "propertyNames", "unevaluatedProperties"),
    *("minProperties", "maxProperties", "items", "prefixItems", "additionalItems", "unevaluatedItems", "contains"),
    *("minContains", "maxContains", "minItems", "maxItems", "uniqueItems", "minLength", "maxLength", "pattern"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "divisibleBy"),
    *("contentEncoding", "contentMediaType", "contentSchema", "title", "description", "default", "example", "examples"),
    *("deprecated", "readOnly", "writeOnly"),
}

_TYPES = frozenset({*TYPES, "integer"})


def _is_type(value: JsonValue) -> bool:
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, str) and first in _TYPES


def _is_mapping(value: JsonValue) -> bool:
    return isinstance(value, dict)


_VALUES: dict[str, Callable[[JsonValue], bool]] = {
    "type": _is_type,
    "items": _is_mapping,
    "not": _is_mapping,
    "enum": lambda value: isinstance(value, list),
}
"""Keywords that are words of other documents, too: whether a value is that of a schema."""


def looks_like_schema(entries: AbstractMapping[str, JsonValue]) -> bool:
    """Return whether a document with these entries, without what is nested in them, is treated as a schema by default."""
    if other_document(entries) is not None:
        return False
    if not _SURE.isdisjoint(entries):
        return True
    as_in_schemas = [fits(entries[key]) for key, fits in _VALUES.items() if key in entries]
    return any(as_in_schemas) if as_in_schemas else bool(entries) and _KEYWORDS.issuperset(entries)


def other_document(entries: AbstractMapping[str, JsonValue]) -> str | None:
    """Return the kind of a document that is not a schema, for messages; None if it may be one."""
    if "$schema" in entries:
        return None
    if "apiVersion" in entries and "kind" in entries:
        kind = entries["kind"]
        is_name = isinstance(kind, str) and kind.isalnum()
        return f"a Kubernetes object of kind {kind}" if is_name else "a Kubernetes object"
    if "openapi" in entries or "swagger" in entries:
        return "an OpenAPI document"
    return None
