"""A kind moved into namespaces, or out of them."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class ScopeChanged(ChangeRule):
    """URLs and store keys of a kind have a namespace in them, or have not."""

    id = "scope-changed"
    title = "a kind became namespaced, or cluster-wide"
    severities = Severities.of("E/E/E")
    explanation = (
        "The namespace is part of an object's identity: of its URL, of its key in the store and of the permissions on it. Objects of"
        " the other scope are found by nobody. (The scope of a CustomResourceDefinition is immutable.)"
    )
    fix = "keep the scope; what needs the other one is another kind"
    no_witness = "the scope stands in URLs and store keys, which no object shows"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Altered):
            return None
        kind, before, after = change.element.type, f"{change.before}", f"{change.after}"
        hits = {
            Direction.OLD_CLIENT: breaks(f"a client of before asks for {kind} as {before}, and gets 404 Not Found"),
            Direction.NEW_CLIENT: breaks(f"a new client asks a server of before for {kind} as {after}, and gets 404"),
            Direction.STORED: breaks(f"{kind} objects are stored under keys of {before}, and looked for as {after}"),
            Direction.ROLLBACK: breaks(f"{kind} objects stored as {after} are not found by the release before"),
        }
        return Verdict(f"the scope of kind {kind} was {before}, and is {after}", hits, self.fix)
