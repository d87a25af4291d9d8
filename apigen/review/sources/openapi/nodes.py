"""Nodes for schemas of whole messages, at the places of the nodes from which they are built."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.language.nodes import Mapping, Node, Scalar, Sequence
from apigen.review.sources.schemas.words import Words, as_node

ROOT = Mapping((), frozenset(), False, "", 1, 1)


def text_node(text: str, at: Node) -> Scalar:
    """A string."""
    return Scalar(text, text, True, at.file, at.line, at.column, 0)


def object_schema(members: Words, required: Iterable[str], at: Node, *, is_closed: bool = False) -> Mapping:
    """The schema of an object with these members; `is_closed`: it accepts no other member."""
    like = at if isinstance(at, Mapping) else ROOT._replace(file=at.file, line=at.line, column=at.column)
    names = Sequence(tuple(text_node(name, at) for name in required), at.file, at.line, at.column)
    words: dict[str, Node] = {"type": text_node("object", at), "properties": as_node(members, _bare(like))}
    if names.items:
        words["required"] = names
    if is_closed:
        words["additionalProperties"] = Scalar(False, "false", True, at.file, at.line, at.column, 0)
    return as_node(words, _bare(like))


def _bare(like: Mapping) -> Mapping:
    """The place of a mapping, without its keys."""
    return like._replace(entries=())
