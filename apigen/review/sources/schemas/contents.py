"""The content of a schema as text: schemas with the same effect have the same text, independently of descriptions."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.files.hashing import sha256
from apigen.language.nodes import Node
from apigen.review.json_values import JsonValue
from apigen.review.sources.schemas.literals import canonical, value_of
from apigen.review.sources.schemas.scope import References

_TOLD = frozenset({"description", "title", "$comment", "examples", "example", "$id", "id", "$anchor"})
_DATA = frozenset({"const", "enum", "default", "examples", "example"})
_INVERTING = frozenset({"not", "if", "oneOf", "contains", "dependencies", "unevaluatedProperties", "unevaluatedItems"})
_LONGEST = 80
_HASH = 8


def content_of(node: Node) -> str:
    """Return a schema as canonical JSON, without documentation."""
    return canonical(_bare(value_of(node)))


def label_of(content: str) -> str:
    """A content as a name: itself, or its beginning with a hash of the whole."""
    if len(content) <= _LONGEST:
        return content
    return f"{content[: _LONGEST - _HASH - 2]}… {_hash(content)}"


def references_in(value: JsonValue) -> Iterator[str]:
    """The `$ref`s in a schema."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == "$ref" and isinstance(inner, str):
                yield inner
            elif name not in _DATA:
                yield from references_in(inner)
    elif isinstance(value, list):
        for item in value:
            yield from references_in(item)


class Resolved:
    """The contents of schemas together with all that they refer to, over any number of steps."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._contents: dict[str, tuple[str, tuple[str, ...]]] = {}

    def names(self, node: Node) -> tuple[str, ...]:
        """The types that a schema refers to itself, in order of the alphabet."""
        found = (self._references.name(reference, node) for reference in references_in(value_of(node)))
        return tuple(sorted({name for name in found if name is not None}))

    def content_of(self, node: Node, *, always: bool = True) -> str:
        """Return the content of a schema; if it has references, with a hash of all referenced schemas.

        Without `always`, only if it contains a keyword that inverts strictness.
        """
        content, waiting = content_of(node), list(self.names(node))
        if not waiting or not (always or _inverts(value_of(node))):
            return content
        seen: dict[str, str] = {}
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen[name], inner = self._of(name)
                waiting.extend(inner)
        return f"{content} with {_hash(canonical([list(each) for each in sorted(seen.items())]))}"

    def _of(self, name: str) -> tuple[str, tuple[str, ...]]:
        if name not in self._contents:
            target = self._references.target(name)
            self._contents[name] = ("", ()) if target is None else (content_of(target), self.names(target))
        return self._contents[name]


def _inverts(value: JsonValue) -> bool:
    """Return whether a schema contains references that make the whole stricter when their targets become looser (`not`)."""
    if isinstance(value, list):
        return any(map(_inverts, value))
    if not isinstance(value, dict):
        return False
    return any(
        (name in _INVERTING and any(references_in(inner))) or (name not in _DATA and _inverts(inner))
        for name, inner in value.items()
    )


def _bare(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        kept = ((name, inner) for name, inner in value.items() if not (name in _TOLD and not isinstance(inner, dict)))
        return {name: inner if name in _DATA else _bare(inner) for name, inner in kept}
    return [_bare(item) for item in value] if isinstance(value, list) else value


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass"))[:_HASH]
