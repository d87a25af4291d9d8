"""`not-imported.yaml`: the elements that an import omits, with reasons. Omitted elements without an entry are errors.

- {what: marker, name: "+k8s:deepcopy-gen*", reason: for another generator}
- {what: gate, where: core/v1.*, name: FrobGate, instead: Frobber2D, reason: a slip in the source}
- {what: type, where: meta/v1.GroupVersion, leaveOut: true, reason: text in JSON, by a method}
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place, Report
from apigen.language.build_nodes import build_nodes
from apigen.language.folders import NOT_IMPORTED_FILE
from apigen.language.nodes import Context, Node
from apigen.language.shapes import FLAG, REASON, TEXT, Found, Key, Keys, ListOf, choice, mapped
from apigen.language.source import SourceFile

KINDS = (
    *("marker", "validation", "type", "field", "tag", "constant", "gate", "replacement", "tombstone", "kind"),
    *("untyped", "value", "version"),
)
"""The kinds of elements that can be omitted."""

_WHAT = Key("what", choice(*KINDS), "The omitted kind of element.", required=True)
_WHERE = Key("where", TEXT, "Where: `core/v1`, `core/v1.Pod` or `core/v1.Pod.spec`; `*` matches any string.")
_NAME = Key("name", TEXT, "The name: a marker as written, a gate, a constant; `*` matches any string.")
_REASON = Key("reason", REASON, "Why.", required=True)
_LEAVE_OUT = Key("leaveOut", FLAG, "Omit the element although it could be imported.")
_INSTEAD = Key("instead", TEXT, "The feature gate to use instead.")
_KEYS = Keys("notImported", "something that is not imported", (_WHAT, _WHERE, _NAME, _REASON, _LEAVE_OUT, _INSTEAD))


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the list."""

    kind: str
    where: re.Pattern[str]
    name: re.Pattern[str]
    leave_out: bool
    instead: str | None
    place: Place

    def fits(self, kind: str, where: str, name: str) -> bool:
        """Return whether it is about something."""
        return kind == self.kind and self.where.fullmatch(where) is not None and self.name.fullmatch(name) is not None


_Holds = Callable[[Entry], bool]


@dataclass(slots=True)
class NotImported:
    """The list of a spec folder. `exists`: a folder without one has no opinion."""

    entries: tuple[Entry, ...] = ()
    exists: bool = False
    _used: set[int] = field(default_factory=set)

    def explains(self, kind: str, where: str, name: str) -> bool:
        """Return whether an entry has the reason for an omitted element; all such entries count as used."""
        found = [number for number, entry in enumerate(self.entries) if entry.fits(kind, where, name)]
        self._used.update(found)
        return bool(found)

    def leaves_out(self, kind: str, where: str, name: str) -> bool:
        """Return whether an entry declares that an element is omitted although it could be imported."""
        return self._first(kind, where, name, lambda entry: entry.leave_out) is not None

    def instead_of(self, where: str, gate: str) -> str:
        """The gate that is meant by one."""
        entry = self._first("gate", where, gate, lambda entry: entry.instead is not None)
        return gate if entry is None or entry.instead is None else entry.instead

    def unused(self) -> list[Entry]:
        """Yield the unused entries of this run."""
        return [entry for number, entry in enumerate(self.entries) if number not in self._used]

    def _first(self, kind: str, where: str, name: str, holds: _Holds) -> Entry | None:
        for number, entry in enumerate(self.entries):
            if holds(entry) and entry.fits(kind, where, name):
                self._used.add(number)
                return entry
        return None


def _pattern(text: str | None) -> re.Pattern[str]:
    return re.compile(".*" if text is None else ".*".join(map(re.escape, text.split("*"))), re.DOTALL)


def _entry(found: Found, node: Node, _: Context) -> Entry | None:
    kind, where, name, instead = found.get(_WHAT), found.get(_WHERE), found.get(_NAME), found.get(_INSTEAD)
    if kind is None:
        return None
    return Entry(
        kind=kind.value,
        where=_pattern(None if where is None else where.value),
        name=_pattern(None if name is None else name.value),
        leave_out=found.is_true(_LEAVE_OUT),
        instead=None if instead is None else instead.value,
        place=node.place,
    )


_ENTRIES = ListOf(mapped(_KEYS, _entry), "a list of elements that are not imported")


def read_not_imported(file: SourceFile | None, report: Report) -> NotImported:
    """Read the list in a file; it is empty if there is no file. Errors are added to the report."""
    if file is None:
        return NotImported()
    root = build_nodes(file, report)
    entries = None if root is None else _ENTRIES.read(root, Context.of_run(report))
    return NotImported(entries or (), exists=True)


def path_in(specs: Path) -> Path:
    """Return the path of the list in a spec folder."""
    return specs / NOT_IMPORTED_FILE
