"""A kind goes by another name in URLs, lists or on the command line."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.surface import Kind
from apigen.compat.verdict.impact import Direction, Hit, breaks
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "kind-names-changed",
    altered(Trait.PLURAL, ElementKind.KIND),
    altered(Trait.SINGULAR, ElementKind.KIND),
    altered(Trait.LIST_KIND, ElementKind.KIND),
    severities="E/E/E",
)
def kind_names_changed(change: AnyChange, context: Context) -> Verdict | None:
    """Plural, singular and the kind of lists are names that clients have written down."""
    if not isinstance(change, Altered) or not isinstance(change.old, Kind):
        return None
    before, after = value_words(change.before), value_words(change.after)
    message = f"the {change.trait} of kind {change.element.type} was {before}, and is {after}"
    return Verdict(
        message,
        _hits(change.trait, before, after),
    )


def _hits(trait: Trait, before: str, after: str) -> dict[Direction, Hit]:
    old = f"a client of before that says {before} gets 404 Not Found"
    new = f"a new client that says {after} gets 404 Not Found from a server of before"
    if trait is Trait.LIST_KIND:
        old = f"a client of before expects {_kind(before)}, and gets {_kind(after)}"
        new = f"a new client expects {_kind(after)} from a server of before, and gets {_kind(before)}"
    elif trait is Trait.SINGULAR:
        old = f"a person or script of before that types {before} is not understood"
        new = f"a script that types {after} is not understood by a server of before"
    clients = {Direction.OLD_CLIENT: breaks(old), Direction.NEW_CLIENT: breaks(new)}
    if trait is not Trait.PLURAL:
        return clients
    return {
        **clients,
        Direction.STORED: breaks(f"objects are stored under {before}, and looked for under {after}"),
        Direction.ROLLBACK: breaks(f"what was stored under {after} is not found by the release before"),
    }


def _kind(name: str) -> str:
    return "no lists" if name == "nothing" else f"lists of kind {name}"
