"""A subresource of a kind is gone, or has other paths."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.lifecycle.entries import Entries
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class SubresourceRemoved(ChangeRule):
    """Clients that write by it get no answer."""

    id = "subresource-removed"
    title = "a subresource (status, scale) was removed, or means other fields"
    severities = Severities.of("W/E/E")
    explanation = (
        "Controllers write `/status`, autoscalers read and write `/scale`: without it they get `404 Not Found`, or another number."
        " Without `/status`, what users write may overwrite what controllers reported, and the other way round."
    )
    fix = "keep the subresource, with the paths that it had"
    no_witness = "subresources are URLs, which no object shows"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Altered):
            return None
        kind = change.element.type
        if change.trait is Trait.SCALE:
            return self._scale(kind, f"{change.before or ''}", f"{change.after or ''}")
        gone = Entries.of(change).gone
        if not gone:
            return None
        hits = {Direction.OLD_CLIENT: breaks(f"a client that writes {kind} by /{gone[0]} gets 404 Not Found")}
        if "status" in gone:
            hits[Direction.NEW_CLIENT] = depends(f"a server of before ignores status in a write of {kind} itself")
        message = f"{kind} of {change.element.version} lost /{' and /'.join(gone)}"
        return Verdict(message, hits, self.fix, f"subresources: {{{gone[0]}: {{}}}}")

    def _scale(self, kind: str, before: str, after: str) -> Verdict | None:
        if not before or not after:
            return None
        hits = {
            Direction.OLD_CLIENT: breaks(f"an autoscaler of before reads and writes other fields of {kind}"),
            Direction.NEW_CLIENT: breaks(f"/scale of a server of before means other fields of {kind}"),
        }
        return Verdict(f"/scale of {kind} was of {before}, and is of {after}", hits, self.fix, f"scale: {{{before}}}")
