"""Reads the file of approvals."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from apigen.compat.approvals import entry_keys as keys
from apigen.compat.approvals.approval import Approval
from apigen.compat.approvals.approvals_file import ApprovalsFile
from apigen.compat.verdict.impact import Direction
from apigen.diagnostics import Related, Report
from apigen.diagnostics.quoting import quote
from apigen.spec.build_nodes import build_nodes
from apigen.spec.context import Context
from apigen.spec.keys import Found
from apigen.spec.nodes import Mapping, Node, Sequence
from apigen.spec.source import Sources

SHORTEST_REASON = 10


def read_approvals(path: Path, shown: str, today: date | None, report: Report) -> ApprovalsFile:
    """The approvals that hold good; each of the others is an error (AG1420, AG1421, AG1426, or of the grammar)."""
    file = Sources(report).read(path, shown)
    root = None if file is None else build_nodes(file, report)
    if file is None or root is None:
        return ApprovalsFile(path, shown, is_usable=False)
    context = Context.of_run(report)
    nodes = _entries(root, context)
    if nodes is None:
        return ApprovalsFile(path, shown, file.text, is_usable=False)
    numbered = ((node, context.inside(str(number))) for number, node in enumerate(nodes))
    read = tuple(entry for node, own in numbered if (entry := _approval(node, today, own)) is not None)
    approvals = tuple(_once(read, context))
    return ApprovalsFile(path, shown, file.text, approvals, tuple(node.place for node in nodes))


def _entries(root: Node, context: Context) -> list[Node] | None:
    """The nodes of the entries; None for a file that is not of approvals. The list is taken apart here, since one bad entry does not make the others bad."""
    listed = [
        value.items
        for key, value in (root.entries if isinstance(root, Mapping) else ())
        if key.text == keys.APPROVALS.name and isinstance(value, Sequence)
    ]
    if listed and isinstance(root, Mapping) and len(root.entries) == 1:
        return list(listed[0])
    is_empty = isinstance(root, Mapping) and not root.entries
    keys.FILE.read(root, context)
    return [] if is_empty else None


def _approval(node: Node, today: date | None, context: Context) -> Approval | None:
    found = keys.ENTRY.read(node, context)
    if found is None:
        return None
    _check_reason(found, context)
    created, expires = found.get(keys.CREATED), found.get(keys.EXPIRES)
    fingerprint = found.get(keys.FINGERPRINT)
    if created is not None and today is not None and created.value > today:
        context.error("AG1421", created.place, f"this approval is of {created.value}, which has not come yet")
    if context.is_broken() or created is None or expires is None or fingerprint is None:
        return None
    return Approval(
        fingerprint=fingerprint.value,
        rule=_text(found, "rule"),
        element=_text(found, "element"),
        old=_text(found, "old"),
        new=_text(found, "new"),
        reason=_text(found, "reason"),
        created=created.value,
        expires=expires.value,
        place=found.place,
        expires_place=expires.place,
        owner=_text(found, "owner"),
        ticket=_text(found, "ticket"),
        directions=frozenset(Direction(each.value) for each in found.some(keys.DIRECTIONS)),
    )


_TEXTS = {key.name: key for key in (keys.RULE, keys.ELEMENT, keys.OLD, keys.NEW, keys.REASON, keys.OWNER, keys.TICKET)}


def _text(found: Found, name: str) -> str:
    located = found.get(_TEXTS[name])
    return "" if located is None else located.value


def _check_reason(found: Found, context: Context) -> None:
    reason = found.get(keys.REASON)
    said = "" if reason is None else " ".join(reason.value.split())
    if reason is None or len(said) >= SHORTEST_REASON:
        return
    what = f"the reason {quote(said)} is too short" if said else "there is no reason"
    hint = f"write why the change may be made all the same, in at least {SHORTEST_REASON} characters"
    context.error("AG1420", reason.place, f"this approval does not count: {what}", hint=hint)


def _once(approvals: tuple[Approval, ...], context: Context) -> Iterator[Approval]:
    first: dict[str, Approval] = {}
    for approval in approvals:
        known = first.setdefault(approval.fingerprint, approval)
        if known is approval:
            yield approval
        else:
            related = [Related(known.place, "first approved here")]
            context.error("AG1426", approval.place, "this finding is approved twice", related=related)
