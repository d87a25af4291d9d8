"""Resolves references of a JSON Schema document.

A schema with `$id` is a resource with its own URI: references in it, including `#/…` and anchors, are resolved against that
URI (JSON Schema 2020-12, Core 8.2 and 9.2; `id` in draft 4).
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote, urljoin

from apigen.dataclass import dataclass, field
from apigen.language.nodes import Mapping, Node, Sequence
from apigen.review.sources.json_schema.drafts import BY_NAME, Drafts
from apigen.review.sources.schemas.words import text, words_of

Found = tuple[Node, tuple[str, ...]]
"""A schema, and the steps to it from the root of the document or from a schema with an `$id`, which is a step after an
empty one.
"""

_DATA = frozenset({"const", "enum", "default", "examples", "example"})
_DYNAMIC = ("$dynamicRef", "$recursiveRef")


@dataclass(slots=True)
class _Resource:
    """The root of a document, or a schema in it with `$id`; `said` is the written `$id`."""

    root: Node
    uri: str
    said: str
    anchors: dict[str, Node] = field(default_factory=dict)


class Resources:
    """The resources of one document, as its drafts read it."""

    def __init__(self, drafts: Drafts) -> None:
        self._drafts = drafts
        self._root = _Resource(drafts.root, "", "")
        self._all = [self._root]
        self._owners: dict[tuple[int, int], _Resource] = {}
        self._members: dict[int, dict[str, Node]] = dict(drafts.whole)
        self._dynamic: list[Node] = []
        for node, resource in self._walk(drafts.root):
            self._owners[node.line, node.column] = resource

    @property
    def is_one(self) -> bool:
        """Return whether the document is a single resource, so that a reference has the same target everywhere."""
        return len(self._all) == 1

    @property
    def undecided(self) -> list[Node]:
        """Return the references whose target depends on the path of evaluation; none in a single resource."""
        return [] if self.is_one else self._dynamic

    def found(self, reference: str, at: Node) -> Found | None:
        """Return the target of the reference at a node, or `None` if it is not in the document."""
        base, _, fragment = reference.partition("#")
        owner = self._owners.get((at.line, at.column), self._root)
        resource = self._resource(base, owner) if base else owner
        if resource is None:
            return None
        steps: tuple[str, ...] = () if resource is self._root else ("", base or resource.said)
        if not fragment:
            return resource.root, steps
        if not fragment.startswith("/"):
            anchored = resource.anchors.get(unquote(fragment))
            return None if anchored is None else (anchored, ("", fragment))
        tokens = tuple(unquote(token).replace("~1", "/").replace("~0", "~") for token in fragment[1:].split("/"))
        node = self._walked(resource.root, tokens)
        return None if node is None else (self._drafts.schema(node), (*steps, *tokens))

    def _resource(self, base: str, owner: _Resource) -> _Resource | None:
        """The one with this URI, as it is taken at another one; else the only one that ends with it, as the document's own URI
        is known to who publishes it.
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
        """Yield all schemas and references of the document with their resource, outer ones first; targets of YAML aliases once."""
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
                yield from ((words[name], resource) for name in ("$ref", *_DYNAMIC) if name in words)
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
                resource.uri, resource.said = base, base
            elif base:
                resource = _Resource(node, _joined(resource.uri, base), base)
                self._all.append(resource)
            elif fragment:
                resource.anchors.setdefault(fragment, node)
        for keyword in ("$anchor", "$dynamicAnchor"):
            anchor = text(words, keyword)
            if anchor is not None:
                resource.anchors.setdefault(anchor, node)
        self._dynamic.extend(words[name] for name in _DYNAMIC if name in words)
        return resource


def _joined(base: str, said: str) -> str:
    """Return a URI resolved against another one, or unchanged if one of them is invalid (`http://[`)."""
    try:
        return urljoin(base, said)
    except ValueError:
        return said
