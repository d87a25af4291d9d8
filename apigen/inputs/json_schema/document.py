"""A JSON Schema document: its references, the types that they lead to, and its schemas by the places that they describe."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from collections.abc import Mapping as AbstractMapping
from typing import NamedTuple
from urllib.parse import unquote, urljoin

from apigen.dataclass import dataclass, field
from apigen.diagnostics.model import Related
from apigen.diagnostics.quoting import quote
from apigen.diagnostics.report import Report
from apigen.inputs.schemas.flattening import flattened
from apigen.inputs.schemas.scope import Scope, member_path
from apigen.inputs.schemas.slots import Slots, define
from apigen.inputs.schemas.words import as_node, entries_of, text, words_of
from apigen.ir.graphs import walk
from apigen.ir.surface import CONDITIONS, WITHOUT_FRACTION, Alias, Named
from apigen.language.json_values import JsonValue
from apigen.language.nodes import Entry, Mapping, Node, Scalar, Sequence

BY_NAME = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"})
"""Keywords whose keys are names, never keywords."""

_SCHEMAS = frozenset(
    {
        *("items", "prefixItems", "additionalItems", "contains", "unevaluatedItems", "contentSchema"),
        *("additionalProperties", "propertyNames", "unevaluatedProperties"),
        *("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "extends"),
    }
)
"""Keywords that hold a schema, or a list of them."""

_DYNAMIC = ("$dynamicRef", "$recursiveRef")
_IDENTIFIERS = frozenset({"$id", "id"})
_KEPT = frozenset(
    {
        *("$ref", "$schema", "$defs", "definitions", "$comment", "title", "description", "default", "examples"),
        *("example", "deprecated", "readOnly", "writeOnly"),
    }
)
"""Keywords that are read next to a reference in all drafts: schemas that others refer to, and keywords that reject no
value.
"""

_DIALECT = re.compile(
    r"https?://json-schema\.org/(?:draft-0([3-7])|draft/(2019-09|2020-12))/(?:hyper-)?schema#?"
    r"|https://spec\.openapis\.org/oas/(3\.[01])/dialect/.*"
)
OPENAPI_3_0 = "https://spec.openapis.org/oas/3.0/dialect/base"
"""A name for the dialect of OpenAPI 3.0: that of draft 4, of which it has the integers and the references."""

OPENAPI_3_1 = "https://spec.openapis.org/oas/3.1/dialect/base"


class _Draft(NamedTuple):
    """A draft of JSON Schema. `number` is its number, or the year since 2019; 0 for an unknown dialect."""

    number: int
    name: str

    def has(self, keyword: str, value: Node) -> bool:
        """Return whether the draft has a keyword with this kind of value."""
        if keyword in _EXCLUSIVE and isinstance(value, Scalar):
            return isinstance(value.value, bool) is self.is_old
        return keyword not in _SINCE or _SINCE[keyword] <= self.number

    @property
    def is_old(self) -> bool:
        """Return whether it is older than draft 6."""
        return 0 < self.number < 6


_UNKNOWN = _Draft(0, "")
_SINCE = {
    **dict.fromkeys(("const", "contains", "propertyNames"), 6),
    **dict.fromkeys(("if", "then", "else"), 7),
    **dict.fromkeys(("dependentRequired", "dependentSchemas", "minContains", "maxContains", "$recursiveRef"), 2019),
    **dict.fromkeys(("unevaluatedProperties", "unevaluatedItems"), 2019),
    **dict.fromkeys(("prefixItems", "$dynamicRef"), 2020),
    "nullable": 9999,  # only OpenAPI 3.0 has it
}
"""The first draft of each keyword that validates values and that draft 4 does not have."""

_EXCLUSIVE = frozenset({"exclusiveMinimum", "exclusiveMaximum"})
"""Keywords that are flags of the bounds next to them up to draft 5, and bounds of their own since."""

_MOST_NAMED = 5

Complain = Callable[[Node, str], None]
"""Reports that a node is unsupported, and why."""


class Drafts:
    """Removes ignored keywords, and reports them with `complain`; unchanged parts keep their nodes. A dynamic reference
    becomes a `$ref`: in a document of one resource, both have the same target.
    """

    def __init__(self, root: Node, complain: Complain, read: Callable[[Mapping], Mapping] | None = None) -> None:
        """`read` is applied to each schema first."""
        self._complain = complain
        self._first = read
        # each with its source, so that no id is reused
        self._made: dict[tuple[int, _Draft], tuple[Node, Node]] = {}
        self._results: dict[int, Node] = {}
        self._drafts: dict[int, _Draft] = {}
        self.dynamic: list[Node] = []
        """The dynamic references: in a document of several resources, their target depends on the path of evaluation."""
        self.whole: dict[int, dict[str, Node]] = {}
        """By the `id()` of a schema, all keywords that a pointer may use: a pointer may lead to a schema in an ignored
        keyword.
        """
        self._draft = _draft_of(root, _UNKNOWN)
        self.root = self._schema(root, self._draft, is_root=True)

    def schema(self, node: Node) -> Node:
        """Return the target of a reference, also below an unknown keyword."""
        return node if id(node) in self._results else self._schema(node, self._draft)

    def excludes_fractions(self, schema: Node) -> bool:
        """Return whether `1.0` is not an `integer` in a schema, because its draft is older than 6."""
        return self._drafts.get(id(schema), _UNKNOWN).is_old

    def reads_all(self, schema: Node) -> bool:
        """Return whether keywords next to `$ref` certainly apply in a schema: its draft is 2019-09 or newer."""
        return self._drafts.get(id(schema), _UNKNOWN).number >= 2019

    def _schema(self, node: Node, draft: _Draft, *, is_root: bool = False) -> Node:
        known = self._made.get((id(node), draft))
        if known is not None:
            return known[1]
        own = _draft_of(node, draft)
        result = self._read(node, own, is_root=is_root) if isinstance(node, Mapping) else node
        self._made[id(node), draft] = node, result
        self._drafts[id(result)] = own
        self._results[id(result)] = result
        return result

    def _read(self, node: Mapping, draft: _Draft, *, is_root: bool) -> Node:
        node = node if self._first is None else self._first(node)
        read = self._with_static_references(node, draft)
        read = _with_values(read, lambda entry: self._value(entry, draft))
        if draft is _UNKNOWN:
            return read
        words = words_of(read)
        if draft.number < 2019 and text(words, "$ref") is not None:
            kept = _KEPT | _IDENTIFIERS if is_root else _KEPT
            ignored = [key for key, _ in read.entries if key.text not in kept]
            message = f"{draft.name} ignores keywords next to `$ref`: {_named(ignored)}"
        else:
            ignored = [key for key, value in read.entries if not draft.has(key.text, value)]
            message = f"{draft.name} ignores keywords and values of other drafts: {_named(ignored)}"
        if not ignored:
            return read
        self._complain(ignored[0], message)
        dropped = {key.text for key in ignored}
        result = as_node({name: value for name, value in words.items() if name not in dropped}, read)
        self.whole[id(result)] = {name: value for name, value in words.items() if name not in _IDENTIFIERS & dropped}
        return result

    def _with_static_references(self, node: Mapping, draft: _Draft) -> Mapping:
        words = words_of(node)
        known = [name for name in _DYNAMIC if draft is _UNKNOWN or _SINCE[name] <= draft.number]
        names = [name for name in known if text(words, name) is not None]
        for name in names:
            reference = words.pop(name)
            self.dynamic.append(reference)
            if "$ref" not in words:
                words["$ref"] = reference
                continue
            target, all_of = as_node({"$ref": reference}, node), words.get("allOf")
            others = all_of.items if isinstance(all_of, Sequence) else ()
            words["allOf"] = Sequence((*others, target), node.file, node.line, node.column)
        return as_node(words, node) if names else node

    def _value(self, entry: Entry, draft: _Draft) -> Node:
        """The value of a keyword, with `read` applied to the schemas in it."""
        keyword, value = entry.key.text, entry.value
        if keyword in BY_NAME and isinstance(value, Mapping):
            return _with_values(value, lambda entry: self._schema(entry.value, draft))
        if keyword not in _SCHEMAS:
            return value
        if isinstance(value, Sequence):
            items = tuple(self._schema(each, draft) for each in value.items)
            is_same = all(new is old for new, old in zip(items, value.items, strict=True))
            return value if is_same else value._replace(items=items)
        return self._schema(value, draft)


def _with_values(node: Mapping, read: Callable[[Entry], Node]) -> Mapping:
    """Return a mapping with the value that `read` returns for each entry; the mapping itself if all are the same."""
    entries = tuple(Entry(each.key, read(each)) for each in node.entries)
    is_same = all(new.value is old.value for new, old in zip(entries, node.entries, strict=True))
    return node if is_same else node._replace(entries=entries)


def _draft_of(node: Node, otherwise: _Draft) -> _Draft:
    """Return the draft of a schema; without `$schema`, that of the enclosing schema."""
    dialect = text(words_of(node), "$schema")
    if dialect is None:
        return otherwise
    known = _DIALECT.fullmatch(dialect)
    if known is None:
        return _UNKNOWN
    old, new, openapi = known.groups()
    if openapi:
        return _Draft(4 if openapi == "3.0" else 2020, f"OpenAPI {openapi}")
    return _Draft(int(old), f"draft {old}") if old else _Draft(int(new[:4]), f"draft {new}")


def _named(keys: list[Scalar]) -> str:
    names = ", ".join(quote(key.text) for key in keys[:_MOST_NAMED])
    return names if len(keys) <= _MOST_NAMED else f"{names} and {len(keys) - _MOST_NAMED} more"


Found = tuple[Node, tuple[str, ...]]
"""A schema, and the steps to it from the root of the document or from a schema with an `$id`, which is a step after an
empty one.
"""

_DATA = frozenset({"const", "enum", "default", "examples", "example"})


@dataclass(slots=True)
class _Resource:
    """The root of a document, or a schema in it with `$id`; `id_text` is the written `$id`."""

    root: Node
    uri: str
    id_text: str
    anchors: dict[str, Node] = field(default_factory=dict)


class Resources:
    """The resources of one document, as its drafts read it."""

    def __init__(self, drafts: Drafts) -> None:
        self._drafts = drafts
        self._root = _Resource(drafts.root, "", "")
        self._all = [self._root]
        self._owners: dict[tuple[int, int], _Resource] = {}
        self._members: dict[int, dict[str, Node]] = dict(drafts.whole)
        for node, resource in self._walk(drafts.root):
            self._owners[node.line, node.column] = resource

    @property
    def is_one(self) -> bool:
        """Return whether the document is a single resource, so that a reference has the same target everywhere."""
        return len(self._all) == 1

    def found(self, reference: str, at: Node) -> Found | None:
        """Return the target of the reference at a node, or `None` if it is not in the document."""
        base, _, fragment = reference.partition("#")
        owner = self._owners.get((at.line, at.column), self._root)
        resource = self._resource(base, owner) if base else owner
        if resource is None:
            return None
        steps: tuple[str, ...] = () if resource is self._root else ("", base or resource.id_text)
        if not fragment:
            return resource.root, steps
        if not fragment.startswith("/"):
            anchored = resource.anchors.get(unquote(fragment))
            return None if anchored is None else (anchored, ("", fragment))
        tokens = tuple(unquote(token).replace("~1", "/").replace("~0", "~") for token in fragment[1:].split("/"))
        node = self._walked(resource.root, tokens)
        return None if node is None else (self._drafts.schema(node), (*steps, *tokens))

    def _resource(self, base: str, owner: _Resource) -> _Resource | None:
        """The resource with this URI, resolved against that of `owner`; else the only one whose URI ends with it, because
        the URI under which the document itself is published may be unknown.
        """
        uri = _joined(owner.uri, base)
        for resource in self._all:
            if resource.uri and resource.uri in (uri, base):
                return resource
        ends = [resource for resource in self._all if resource.uri.endswith(f"/{base.removeprefix('./')}")]
        return ends[0] if len(ends) == 1 else None

    def _walked(self, start: Node, tokens: tuple[str, ...]) -> Node | None:
        node: Node | None = start
        for token in tokens:
            if isinstance(node, Mapping):
                if id(node) not in self._members:
                    self._members[id(node)] = words_of(node)
                node = self._members[id(node)].get(token)
            elif isinstance(node, Sequence) and token.isdecimal() and len(token) < 9:
                node = node.items[int(token)] if int(token) < len(node.items) else None
            else:
                return None
        return node

    def _walk(self, root: Node) -> Iterator[tuple[Node, _Resource]]:
        """Yield all schemas and references of the document with their resource, outer ones first; targets of YAML
        aliases once.
        """
        waiting: list[tuple[Node, _Resource, bool]] = [(root, self._root, False)]
        seen = set[int]()
        while waiting:
            node, resource, is_by_name = waiting.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            if isinstance(node, Sequence):
                waiting.extend((each, resource, False) for each in reversed(node.items))
            if not isinstance(node, Mapping):
                continue
            words = self._members.get(id(node)) or words_of(node)
            if not is_by_name:
                resource = self._entered(node, words, resource)
                yield node, resource
                if "$ref" in words:
                    yield words["$ref"], resource
            waiting.extend(
                (value, resource, not is_by_name and name in BY_NAME)
                for name, value in reversed(words.items())
                if is_by_name or name not in _DATA
            )

    def _entered(self, node: Node, words: dict[str, Node], resource: _Resource) -> _Resource:
        """The resource of a schema, which may begin with it; its anchors are noted."""
        for keyword in ("$id", "id"):
            identifier = text(words, keyword) or ""
            base, _, fragment = identifier.partition("#")
            if base and node is self._root.root:
                resource.uri, resource.id_text = base, base
            elif base:
                resource = _Resource(node, _joined(resource.uri, base), base)
                self._all.append(resource)
            elif fragment:
                resource.anchors.setdefault(fragment, node)
        for keyword in ("$anchor", "$dynamicAnchor"):
            anchor = text(words, keyword)
            if anchor is not None:
                resource.anchors.setdefault(anchor, node)
        return resource


def _joined(base: str, reference: str) -> str:
    """Return a URI resolved against another one, or unchanged if one of them is invalid (`http://[`)."""
    try:
        return urljoin(base, reference)
    except ValueError:
        return reference


_DEFINITIONS = ("definitions", "$defs")
_COMPONENTS = ("components", "schemas")
"""The path of the definitions in OpenAPI."""

_LIBRARY = frozenset({*_DEFINITIONS, "$schema", "$id", "id", "$comment", "title", "description"})
"""Words of a document that only holds definitions for others."""

_REFERRING = frozenset({*_LIBRARY, "$ref", "$anchor", "$vocabulary", "default", "examples", "example", "deprecated"})
"""Keywords of a schema that only refers to another one: none of them validates a value."""


class Document:
    """The types of one document, with its `$ref` targets. `read` is applied to each schema first."""

    has_any = True

    def __init__(
        self,
        root: Node,
        root_name: str,
        scope: Scope,
        report: Report,
        read: Callable[[Mapping], Mapping] | None = None,
    ) -> None:
        drafts = Drafts(root, scope.complain, read)
        self._root = drafts.root
        self.excludes_fractions = drafts.excludes_fractions
        self.reads_all = drafts.reads_all
        self._root_name = root_name
        self._scope = scope
        self._report = report
        self._named: dict[str, Node] = {root_name: self._root}
        self._names: dict[int, str] = {id(self._root): root_name}
        self._resources = Resources(drafts)
        self._dynamic = drafts.dynamic
        self._reported: set[str] = set()

    def define_all(self) -> None:
        """Define the root, every definition, and every target of a reference."""
        slots = Slots(self._scope, self)
        root = self._unfolded_root()
        for keyword in _DEFINITIONS:
            for key, node in entries_of(words_of(self._root), keyword):
                self._name_of(node, (keyword, key.text))
        define(self._root_name, root, self._root.place, slots)
        done = {self._root_name}
        while waiting := [name for name in self._named if name not in done]:
            for name in waiting:
                done.add(name)
                define(name, self._named[name], self._named[name].place, slots)
        self._scope.inherit()
        self._check_cycles()
        for each in () if self._resources.is_one else self._dynamic:
            self._scope.complain(
                each,
                "the target of this reference depends on the referring schema; apigen uses the one in this document",
            )

    def name(self, reference: str, at: Node) -> str | None:
        """Return the name of the type that a reference refers to; None, with a diagnostic, if it is unknown."""
        resource = self._resources.found(reference, at)
        if resource is not None:
            return self._name_of(*resource)
        if reference not in self._reported:
            self._reported.add(reference)
            if reference.startswith("#"):
                message = f"the reference {quote(reference)} has no target in this document"
                self._report.error(
                    "AG1433", at.place, message, hint="write the path of a schema: `#/definitions/Name`, `#/$defs/Name`"
                )
            else:
                self._scope.complain(
                    at, f"{quote(reference)} is another document, which is not read; any value counts as valid"
                )
        return None

    def target(self, name: str) -> Node | None:
        """The schema of a type that a reference leads to."""
        return self._named.get(name)

    def roots(self) -> tuple[str, ...]:
        """Return the types for validation: the root, or the definitions of a document that has nothing else."""
        words = words_of(self._root)
        if not words or words.keys() - _LIBRARY:
            return (self._root_name,)
        nodes = [node for keyword in _DEFINITIONS for _, node in entries_of(words, keyword)]
        return (self._root_name, *dict.fromkeys(self._names[id(node)] for node in nodes))

    def found(self, reference: str) -> Node | None:
        """Return the schema that a reference refers to; None if that is not certain."""
        found = self._resources.found(reference, self._root) if self._resources.is_one else None
        return None if found is None else found[0]

    def _unfolded_root(self) -> Node:
        """Return the schema of the root, or the one that it refers to if it only consists of a reference."""
        root, seen = self._root, set[int]()
        while isinstance(root, Mapping) and id(root) not in seen:
            seen.add(id(root))
            words = flattened(root)
            reference = text(words, "$ref")
            resource = None
            if reference is not None and not words.keys() - _REFERRING:
                resource = self._resources.found(reference, words["$ref"])
            if resource is None or not isinstance(resource[0], Mapping):
                break
            root = resource[0]
            self._names[id(root)] = self._root_name
        if root is not self._root:
            self._named[self._root_name] = root
        return root

    def _name_of(self, node: Node, steps: tuple[str, ...]) -> str:
        """The name of the type of a schema; the schema is queued to be defined."""
        known = self._names.get(id(node))
        if known is not None:
            return known
        name = _name(self._root_name, steps)
        if name in self._named:
            name = ".".join(step for step in steps if step)
        while name in self._named:
            name += "'"
        self._names[id(node)] = name
        self._named[name] = node
        return name

    def _check_cycles(self) -> None:
        """Report definitions that only refer to themselves."""
        for names in walk(self._scope.types, self._alone).cycles:
            first = self._scope.types[names[0]]
            related = [Related(self._scope.types[name].place, f"so does {quote(name)}") for name in names[1:4]]
            message = f"{quote(names[0])} consists only of references that lead back to it"
            hint = "give one of them a type of its own"
            self._report.error("AG1434", first.place, message, hint=hint, related=related)

    def _alone(self, name: str) -> tuple[str, ...]:
        """Return the type to which an alias refers; none for other types."""
        type_ = self._scope.types.get(name)
        inner = type_.slot.type if isinstance(type_, Alias) else None
        return (inner.name.name,) if isinstance(inner, Named) else ()


def _name(root: str, steps: tuple[str, ...]) -> str:
    """Return the name of the type at a path from the root."""
    name, rest = root, list(steps)
    if tuple(rest[:2]) == _COMPONENTS:
        rest = [_DEFINITIONS[0], *rest[2:]]
    while rest:
        step = rest.pop(0)
        if step in _DEFINITIONS or step == "":
            following = rest.pop(0) if rest else ""
            name = following if name == root else f"{name}.{following}"
        elif step == "properties" and rest:
            name = member_path(name, rest.pop(0))
        elif step == "items" and not (rest and rest[0].isdigit()):
            name += "[]"
        elif step == "additionalProperties":
            name += "{}"
        else:
            name += f"({step})"
    return name


@dataclass(frozen=True, slots=True)
class Written:
    """The schemas of a document as plain data, and the target of each reference in them."""

    places: AbstractMapping[str, JsonValue]
    targets: AbstractMapping[str, JsonValue]

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
    places: AbstractMapping[str, Node | None],
    find: Callable[[str], Node | None],
    reads_all: Callable[[Node], bool],
    excludes_fractions: Callable[[Node], bool] = lambda _: False,
) -> Written:
    """Return the schemas of some places. `find` resolves a reference; `reads_all` returns whether keywords next to `$ref`
    certainly apply in a schema, and `excludes_fractions` whether `1.0` is no integer in it.

    The data of a schema is part of the data of the schemas that contain it.
    """
    known: dict[int, JsonValue] = {}
    references: dict[str, None] = {}

    def data(node: Node | None) -> JsonValue:
        if node is None or isinstance(node, Scalar):
            return None if node is None else node.value
        if id(node) not in known:
            if isinstance(node, Mapping):
                words: dict[str, JsonValue] = {entry.key.text: data(entry.value) for entry in node.entries}
                types = words.get("type")
                names = types if isinstance(types, list) else [types]
                if "integer" in names and "number" not in names and excludes_fractions(node):
                    words[CONDITIONS] = [WITHOUT_FRACTION]
                if isinstance(reference := words.get("$ref"), str):
                    references[reference] = None
                    if len(words) > 1 and reads_all(node) and isinstance(others := words.get("allOf", []), list):
                        words["allOf"] = [{"$ref": words.pop("$ref")}, *others]
                known[id(node)] = words
            else:
                known[id(node)] = [data(item) for item in node.items]
        return known[id(node)]

    of_places = {path: data(node) for path, node in places.items()}
    targets: dict[str, JsonValue] = {}
    while waiting := [each for each in references if each not in targets]:
        targets.update((each, data(find(each))) for each in waiting)
    return Written(of_places, targets)
