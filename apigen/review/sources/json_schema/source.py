"""JSON Schema documents as a source."""

from __future__ import annotations

from pathlib import Path

from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.language.nodes import Mapping, Node, Scalar, describe
from apigen.review.sources.json_schema.document import Document
from apigen.review.sources.json_schema.keywords import has_keyword, is_trivial_schema, looks_like_schema, other_document
from apigen.review.sources.json_schema.written import Written, written_schemas
from apigen.review.sources.schemas.files import documents_of, files_below, files_of, first_text, top_entries
from apigen.review.sources.schemas.scope import JSON_SCHEMA, Scope
from apigen.review.sources.schemas.words import words_of
from apigen.review.sources.source import Rejection, Setting, Source
from apigen.review.surface import Group, Kind, KindVersion, Surface, Unread, Version

KIND = "Schema"
"""The name of the root of a single document, independent of its file name and title, which identify files of a folder."""
_TRIVIAL = 64
"""Maximum size of a file with a schema without keywords, including whitespace."""

_NO_KEYWORD = "it has no keyword of JSON Schema at its top level"


class JsonSchemaSource(Source):
    """A JSON Schema document (draft 4 to 2020-12), as JSON or YAML, or a folder of them."""

    form = "jsonschema"
    title = "a JSON Schema document, or a folder of them"

    def recognises(self, argument: str, setting: Setting) -> bool:
        """Return whether a JSON or YAML file has keywords of JSON Schema at its top, or is `{}`, `true` or `false`; of a folder,
        whether one of its files has `$schema` at its top.
        """
        path = setting.folder / argument
        if path.is_dir():
            return any("$schema" in top_entries(each) for each in files_below(path))
        return looks_like_schema(top_entries(path)) or is_trivial_schema(first_text(path, _TRIVIAL))

    def load(self, argument: str, setting: Setting, report: Report) -> Surface | None:
        """Read the input. Returns `None`, with errors in `report`, if that fails; unsupported parts are in `unread`."""
        files = files_of(argument, setting.folder, report)
        before = report.error_count
        documents = list(documents_of(files, report))
        if not documents and report.error_count == before:
            report.error("AG1430", Place(argument), "no JSON Schema document here", hint="name a file of JSON or YAML")
        reader = _Reader(argument, report)
        for name, node in documents:
            if len(files) == 1:
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
    return not isinstance(node, Mapping) or has_keyword(words_of(node))


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
        self._written[group] = written_schemas(scope.places, document.found, document.excludes_fractions)
        self._ignored += scope.unread
        places = {root: scope.types[root].place for root in document.roots()}
        kinds = {root: KindVersion(root, scope.name(root), at) for root, at in places.items()}
        version = Version(group, "", node.place, types=scope.types, kinds=kinds)
        return Group(group, node.place, {"": version}, {root: Kind(root, at) for root, at in places.items()})

    def surface(self) -> Surface:
        """Return the surface of all documents."""
        unread = (*self.unread, *self._ignored)
        return Surface(self._argument, JsonSchemaSource.form, self._groups, unread=unread, schemas=self._written)
