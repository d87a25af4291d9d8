"""Keywords by the draft that `$schema` names: up to draft 7, keywords next to `$ref` are ignored
(draft-handrews-json-schema-01, 8.3; of draft 3 and 4: JSON Reference 3); from 2019-09 on it does.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from apigen.diagnostics.quoting import quote
from apigen.language.nodes import Entry, Mapping, Node, Scalar, Sequence
from apigen.review.sources.schemas.words import as_node, text, words_of

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

_OLD = re.compile(r"https?://json-schema\.org/draft-0([3-7])/(?:hyper-)?schema#?")
_MOST_NAMED = 5

Complain = Callable[[Node, str], None]
"""Reports that a node is unsupported, and why."""


class Drafts:
    """Removes ignored keywords, and reports them with `complain`; unchanged parts keep their nodes."""

    def __init__(self, root: Node, complain: Complain, read: Callable[[Mapping], Mapping] | None = None) -> None:
        """`read` is applied to each schema first."""
        self._complain = complain
        self._first = read
        # each with what it was made of, so that no id is used again
        self._made: dict[tuple[int, str], tuple[Node, Node]] = {}
        self._results: dict[int, Node] = {}
        self._drafts: dict[int, str] = {}
        self.whole: dict[int, dict[str, Node]] = {}
        """By the `id()` of a schema, all keywords that a pointer may use: a pointer may lead to a schema in an ignored
        keyword.
        """
        self._draft = _draft_of(root, "")
        self.root = self._schema(root, self._draft, is_root=True)

    def schema(self, node: Node) -> Node:
        """Return the target of a reference, also below an unknown keyword."""
        return node if id(node) in self._results else self._schema(node, self._draft)

    def excludes_fractions(self, schema: Node) -> bool:
        """Return whether `1.0` is no `integer` in a schema: its draft is older than 6."""
        return self._drafts.get(id(schema)) in ("3", "4", "5")

    def _schema(self, node: Node, draft: str, *, is_root: bool = False) -> Node:
        known = self._made.get((id(node), draft))
        if known is not None:
            return known[1]
        own = _draft_of(node, draft)
        result = self._read(node, own, is_root=is_root) if isinstance(node, Mapping) else node
        self._made[id(node), draft] = node, result
        self._drafts[id(result)] = own
        self._results[id(result)] = result
        return result

    def _read(self, node: Mapping, draft: str, *, is_root: bool) -> Node:
        node = node if self._first is None else self._first(node)
        entries = tuple(Entry(each.key, self._value(each, draft)) for each in node.entries)
        is_same = all(new.value is old.value for new, old in zip(entries, node.entries, strict=True))
        read = node if is_same else node._replace(entries=entries)
        words = words_of(read)
        if not draft or text(words, "$ref") is None:
            return read
        kept = _KEPT | _IDENTIFIERS if is_root else _KEPT
        ignored = [entry.key for entry in entries if entry.key.text not in kept]
        if not ignored:
            return read
        self._complain(ignored[0], f"draft {draft} ignores keywords next to `$ref`: {_named(ignored)}")
        result = as_node({name: value for name, value in words.items() if name in kept}, read)
        self.whole[id(result)] = {name: value for name, value in words.items() if name not in _IDENTIFIERS - kept}
        return result

    def _value(self, entry: Entry, draft: str) -> Node:
        """The value of a keyword, with the schemas in it as they are read."""
        keyword, value = entry.key.text, entry.value
        if keyword in BY_NAME and isinstance(value, Mapping):
            members = tuple(Entry(each.key, self._schema(each.value, draft)) for each in value.entries)
            is_same = all(new.value is old.value for new, old in zip(members, value.entries, strict=True))
            return value if is_same else value._replace(entries=members)
        if keyword not in _SCHEMAS:
            return value
        if isinstance(value, Sequence):
            items = tuple(self._schema(each, draft) for each in value.items)
            is_same = all(new is old for new, old in zip(items, value.items, strict=True))
            return value if is_same else value._replace(items=items)
        return self._schema(value, draft)


def _draft_of(node: Node, otherwise: str) -> str:
    """Return the draft of a schema if it ignores keywords next to `$ref`, else an empty text; without `$schema`, that
    of the enclosing schema.
    """
    said = text(words_of(node), "$schema") if isinstance(node, Mapping) else None
    if said is None:
        return otherwise
    old = _OLD.fullmatch(said)
    return old[1] if old else ""


def _named(keys: list[Scalar]) -> str:
    names = ", ".join(quote(key.text) for key in keys[:_MOST_NAMED])
    return names if len(keys) <= _MOST_NAMED else f"{names} and {len(keys) - _MOST_NAMED} more"
