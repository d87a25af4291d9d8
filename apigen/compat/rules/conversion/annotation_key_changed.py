"""What was carried in an annotation is looked for elsewhere, or nowhere."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.lifecycle.entries import Entries
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import INFO
from apigen.compat.surface.elements import ElementKind
from apigen.compat.values.hits import alike, joined
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "annotation-key-changed", altered(Trait.ANNOTATION_KEYS, ElementKind.STRUCT), severities="E/E/E", is_excusable=False
)
def annotation_key_changed(change: AnyChange, context: Context) -> Verdict | None:
    """The key is part of the API: it is in stored objects, and in what clients send back."""
    if not isinstance(change, Altered):
        return None
    entries = Entries.of(change)
    where = f"{change.element.type} of {change.element.version}"
    if not entries.gone:
        keys = " and ".join(entries.new)
        text = (
            f"objects that have the field, or get it by default, come with {keys}, which clients of before did not see"
        )
        message = f"{where} carries a field in the annotation {keys}"
        hits = alike(depends(text), Direction.OLD_CLIENT, Direction.STORED)
        without = depends(f"the release before shows such objects without {keys}")
        hits = joined((hits, alike(without, Direction.NEW_CLIENT, Direction.ROLLBACK)))
        return Verdict(message, hits, "nothing", severities=INFO)
    key, other = entries.gone[0], entries.new[0] if entries.new else "nothing"
    hits = {
        Direction.OLD_CLIENT: breaks(f"what a client of before sends in {key} is not read any more"),
        Direction.NEW_CLIENT: breaks(f"a server of before looks in {key}, and a new client sends {other}"),
        Direction.STORED: breaks(f"what objects hold in {key} is lost to all other versions"),
        Direction.ROLLBACK: breaks(f"the release before looks in {key}, and finds {other}"),
    }
    message = f"{where} carried a field in the annotation {key}, and does so in {other} now"
    return Verdict(message, hits, patch=f"annotation: {key}")
