"""Build the tree of a YAML document with only the features of JSON: without anchors, tags and merge keys.

Nearly all documents are of this form; it takes a third of the time of `yaml_composer`, which handles the rest.
"""

from __future__ import annotations

from .yaml_composer import (
    MAX_DEPTH,
    MERGE_KEY,
    has_surrogate,
    json_value,
    line_of,
    too_deep,
)
from .yaml_scalars import plain_value

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from typing import Final, Protocol

    from .yaml_composer import Event

    class EventSource(Protocol):
        """A parser of PyYAML."""

        def get_event(self) -> Event:
            """Return the next event. Raises YAMLError."""
            ...


ODD: Final = object()
"""Raised if the document must be read by the full composer."""

_Container = dict[str, object] | list[object]


def compose_plainly(source: EventSource) -> object:
    """Return the tree of the first document; ODD for other features and repeated keys. Raises DecodeError, and the
    parser's errors.
    """
    stack: list[tuple[_Container, str | None]] = []
    container: _Container = []  # the document itself
    key: str | None = None
    while True:
        event = source.get_event()
        name = type(event).__name__
        value: object
        if name == "ScalarEvent":
            value = ODD if event.anchor or event.tag else _scalar(event)
        elif name == "MappingStartEvent" or name == "SequenceStartEvent":
            is_key = key is None and not isinstance(container, list)
            if is_key or event.anchor:
                return ODD
            if len(stack) >= MAX_DEPTH:
                raise too_deep(line_of(event))
            stack.append((container, key))
            container, key = {} if name == "MappingStartEvent" else [], None
            continue
        elif name == "MappingEndEvent" or name == "SequenceEndEvent":
            value = container
            if isinstance(container, dict):
                value = dict(sorted(container.items()))
            container, key = stack.pop()
        elif name == "DocumentEndEvent" or name == "StreamEndEvent":
            break
        elif name == "AliasEvent":
            return ODD
        else:
            continue
        if value is ODD:
            return ODD
        if isinstance(container, list):
            container.append(value)
        elif key is not None:
            container[key] = value
            key = None
        elif not isinstance(value, str) or value in container:
            return ODD
        else:
            key = value
    return container[0] if isinstance(container, list) and container else None


def _scalar(event: Event) -> object:
    text = event.value
    if not text.isascii() and has_surrogate(text):
        return ODD
    if not event.implicit[0]:
        return text
    if text == MERGE_KEY:
        return ODD
    value = plain_value(text)
    try:
        return json_value(value) if type(value) is float else value
    except ValueError:
        return ODD
