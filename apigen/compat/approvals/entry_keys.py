"""The grammar of the file of approvals, in the words of the spec language's own."""

from __future__ import annotations

import re
from datetime import date

from apigen.compat.approvals.approval import Expiry
from apigen.compat.verdict.impact import Direction
from apigen.diagnostics.quoting import quote
from apigen.ir.lifecycle import parse_release
from apigen.ir.model import Release
from apigen.spec.context import Context
from apigen.spec.keys import Key, Keys
from apigen.spec.model import Located
from apigen.spec.nodes import Node, Scalar
from apigen.spec.shapes import Definitions, ListOf, Schema, Shape
from apigen.spec.words import RELEASE, TEXT, Choice, TextShape

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class DayShape(Shape[Located[date]]):
    """A day, as `2026-03-31`."""

    expected = "a day such as `2026-03-31`"

    def read(self, node: Node, context: Context) -> Located[date] | None:
        day = _day(node)
        if day is None:
            _refuse(node, self.expected, context)
            return None
        return Located(day, node.place)

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": "string", "format": "date"}


class ExpiryShape(Shape[Located[Expiry]]):
    """A day, or a release."""

    expected = 'a day such as `2026-03-31`, or a release such as `"1.10"`'

    def read(self, node: Node, context: Context) -> Located[Expiry] | None:
        end = _day(node) or _release(node)
        if end is None:
            _refuse(node, self.expected, context)
            return None
        return Located(end, node.place)

    def schema(self, definitions: Definitions) -> Schema:
        return {"anyOf": [{"type": "string", "format": "date"}, RELEASE.schema(definitions)]}


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
    return (
        parse_release(node.text) if re.fullmatch(r"(?:0|[1-9][0-9]{0,8})\.(?:0|[1-9][0-9]{0,8})", node.text) else None
    )


def _refuse(node: Node, expected: str, context: Context) -> None:
    if isinstance(node, Scalar) and node.value is not None:
        context.error("AG0210", node.place, f"expected {expected}, found {quote(node.text)}")
    else:
        context.mismatch(node, expected)


FINGERPRINT = Key(
    "fingerprint",
    TextShape("a fingerprint of 16 hexadecimal digits, in quotes", r"[0-9a-f]{16}"),
    "Of rule, element, old and new: `apigen diff --write-approvals` writes it.",
    required=True,
)
RULE = Key("rule", TEXT, "The rule of the finding.", required=True)
ELEMENT = Key("element", TEXT, "What the finding is about.", required=True)
OLD = Key("old", TEXT, "What was there; empty for nothing.", required=True)
NEW = Key("new", TEXT, "What is there now; empty for nothing.", required=True)
REASON = Key("reason", TEXT, "Why the change may be made all the same, in at least 10 characters.", required=True)
OWNER = Key("owner", TEXT, "Who answers for it.")
TICKET = Key("ticket", TEXT, "Where it was discussed.")
DIRECTIONS = Key(
    "directions",
    ListOf(Choice(*(direction.value for direction in Direction)), "a list of directions"),
    "The directions that are approved; left out: all of them.",
)
CREATED = Key("created", DayShape(), "The day on which it was made.", required=True)
EXPIRES = Key(
    "expires", ExpiryShape(), "The last day on which it holds, or the first release without it.", required=True
)

ENTRY = Keys(
    "approval",
    "an approval",
    (FINGERPRINT, RULE, ELEMENT, OLD, NEW, REASON, OWNER, TICKET, DIRECTIONS, CREATED, EXPIRES),
)
APPROVALS = Key("approvals", ListOf(ENTRY, "a list of approvals"), "The approvals.")
FILE = Keys("approvals", "a file of approvals", (APPROVALS,), hint="it begins with the key `approvals:`")
