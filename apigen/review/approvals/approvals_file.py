"""Read the file of approvals, and check each entry."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import TypeVar

from apigen.diagnostics import Related, Report
from apigen.diagnostics.quoting import quote
from apigen.language.build_nodes import build_nodes
from apigen.language.model import Located
from apigen.language.nodes import Context, Mapping, Node, Scalar, Sequence
from apigen.language.releases import RELEASE_PATTERN, Release, parse_release
from apigen.language.shapes import (
    RELEASE,
    TEXT,
    Definitions,
    Found,
    Key,
    Keys,
    ListOf,
    Schema,
    Shape,
    choice,
    text_shape,
)
from apigen.language.source import Sources
from apigen.review.approvals.approval import Approval, ApprovalsFile, Expiry
from apigen.review.results import Direction

T = TypeVar("T")

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class ParsedShape(Shape[Located[T]]):
    """A scalar that a function parses; the function returns None for other values."""

    def __init__(
        self, expected: str, parse: Callable[[Node], T | None], schema: Callable[[Definitions], Schema]
    ) -> None:
        self.expected = expected
        self._parse, self._schema = parse, schema

    def read(self, node: Node, context: Context) -> Located[T] | None:
        value = self._parse(node)
        if value is not None:
            return Located(value, node.place)
        if isinstance(node, Scalar) and node.value is not None:
            message = f"expected {self.expected}, found {quote(node.text)}"
            context.error("AG0210", node.place, message, hint=f"write {self.expected}")
        else:
            context.mismatch(node, self.expected)
        return None

    def schema(self, definitions: Definitions) -> Schema:
        return self._schema(definitions)


def _day(node: Node) -> date | None:
    if not isinstance(node, Scalar) or not _DAY.fullmatch(node.text):
        return None
    try:
        return date.fromisoformat(node.text)
    except ValueError:
        return None


def _release(node: Node) -> Release | None:
    if not isinstance(node, Scalar) or isinstance(node.value, bool) or node.value is None:
        return None
    return parse_release(node.text) if re.fullmatch(RELEASE_PATTERN, node.text) else None


def _day_schema(_: Definitions) -> Schema:
    return {"type": "string", "format": "date"}


DAY = ParsedShape("a date such as `2026-03-31`", _day, _day_schema)
EXPIRY = ParsedShape[Expiry](
    'a date such as `2026-03-31`, or a release such as `"1.10"`',
    lambda node: _day(node) or _release(node),
    lambda definitions: {"anyOf": [_day_schema(definitions), RELEASE.schema(definitions)]},
)

FINGERPRINT = Key(
    "fingerprint",
    text_shape("a fingerprint of 16 hexadecimal digits, in quotes", r"[0-9a-f]{16}"),
    "The hash of rule, element, base and revision; `apigen diff --write-approvals` writes it.",
    required=True,
)
RULE = Key("rule", TEXT, "The rule of the finding.", required=True)
ELEMENT = Key("element", TEXT, "The element of the finding.", required=True)
OLD = Key("old", TEXT, "The base value; empty if absent.", required=True)
NEW = Key("new", TEXT, "The revision value; empty if absent.", required=True)
REASON = Key("reason", TEXT, "Why the change is accepted, in at least 10 characters.", required=True)
OWNER = Key("owner", TEXT, "The person or team that is responsible.")
TICKET = Key("ticket", TEXT, "The issue or discussion.")
DIRECTIONS = Key(
    "directions",
    ListOf(choice(*(direction.value for direction in Direction)), "a list of directions"),
    "The approved directions; all by default.",
)
CREATED = Key("created", DAY, "The date of the approval.", required=True)
EXPIRES = Key("expires", EXPIRY, "The last day of the approval, or the first release without it.", required=True)

ENTRY = Keys(
    "approval",
    "an approval",
    (FINGERPRINT, RULE, ELEMENT, OLD, NEW, REASON, OWNER, TICKET, DIRECTIONS, CREATED, EXPIRES),
)
APPROVALS = Key("approvals", ListOf(ENTRY, "a list of approvals"), "The approvals.")
FILE = Keys("approvals", "a file of approvals", (APPROVALS,), hint="it begins with the key `approvals:`")


SHORTEST_REASON = 10


def read_approvals(path: Path, display_path: str, today: date | None, report: Report) -> ApprovalsFile:
    """Read the valid approvals; each invalid one is reported (AG1420, AG1421, AG1426, or a syntax error).

    `display_path` is the path in messages, `today` the date for expiries.
    """
    file = Sources(report).read(path, display_path)
    root = None if file is None else build_nodes(file, report)
    if file is None or root is None:
        return ApprovalsFile(path, display_path, is_usable=False)
    context = Context.of_run(report)
    nodes = _entries(root, context)
    if nodes is None:
        return ApprovalsFile(path, display_path, file.text, is_usable=False)
    numbered = ((node, context.inside(str(number))) for number, node in enumerate(nodes))
    read = tuple(entry for node, own in numbered if (entry := _approval(node, today, own)) is not None)
    approvals = tuple(_once(read, context))
    return ApprovalsFile(path, display_path, file.text, approvals, tuple(node.place for node in nodes))


def _entries(root: Node, context: Context) -> list[Node] | None:
    """Return the nodes of the entries; None for a file that has no list of approvals. Each entry is read on its own, so that
    an invalid entry does not invalidate the others.
    """
    listed = [
        value.items
        for key, value in (root.entries if isinstance(root, Mapping) else ())
        if key.text == APPROVALS.name and isinstance(value, Sequence)
    ]
    if listed and isinstance(root, Mapping) and len(root.entries) == 1:
        return list(listed[0])
    is_empty = isinstance(root, Mapping) and not root.entries
    FILE.read(root, context)
    return [] if is_empty else None


def _approval(node: Node, today: date | None, context: Context) -> Approval | None:
    entry = ENTRY.read(node, context)
    if entry is None:
        return None
    reason = entry.get(REASON)
    words = "" if reason is None else " ".join(reason.value.split())
    if reason is not None and len(words) < SHORTEST_REASON:
        problem = f"the reason {quote(words)} is too short" if words else "the reason is missing"
        hint = f"write why the change is accepted, in at least {SHORTEST_REASON} characters"
        context.error("AG1420", reason.place, f"invalid approval: {problem}", hint=hint)
    created, expires = entry.get(CREATED), entry.get(EXPIRES)
    fingerprint = entry.get(FINGERPRINT)
    if created is not None and today is not None and created.value > today:
        message = f"`created: {created.value}` is in the future"
        context.error("AG1421", created.place, message, hint=f"write the day of the approval, such as {today}")
    if context.is_broken() or created is None or expires is None or fingerprint is None:
        return None
    return Approval(
        fingerprint=fingerprint.value,
        rule=_text(entry, RULE),
        element=_text(entry, ELEMENT),
        old=_text(entry, OLD),
        new=_text(entry, NEW),
        reason=_text(entry, REASON),
        created=created.value,
        expires=expires.value,
        place=entry.place,
        expires_place=expires.place,
        owner=_text(entry, OWNER),
        ticket=_text(entry, TICKET),
        directions=frozenset(Direction(each.value) for each in entry.some(DIRECTIONS)),
    )


def _text(found: Found, key: Key[Located[str]]) -> str:
    located = found.get(key)
    return "" if located is None else located.value


def _once(approvals: tuple[Approval, ...], context: Context) -> Iterator[Approval]:
    first: dict[str, Approval] = {}
    for approval in approvals:
        known = first.setdefault(approval.fingerprint, approval)
        if known is approval:
            yield approval
        else:
            related = [Related(known.place, "first approved here")]
            context.error("AG1426", approval.place, "this finding is approved twice", related=related)
