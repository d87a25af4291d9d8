"""A map or struct is merged member by member, or replaced as a whole."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.values.hits import alike
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict

_GRANULAR = (None, "granular")


@change_rule("map-type-changed", altered(Trait.MAP_TYPE), altered(Trait.STRUCT_TYPE), severities="I/W/E")
def map_type_changed(change: AnyChange, context: Context) -> Verdict | None:
    """Who owns members of it, or the whole of it, is another question than before."""
    if not isinstance(change, Altered):
        return None
    if change.before in _GRANULAR and change.after in _GRANULAR:
        return Verdict(f"{change.element} is merged, as it was", {}, severities=Severities.of("-/-/-"))
    now = "merged member by member" if change.after in _GRANULAR else "replaced as a whole"
    text = f"apply finds it {now}, where the other side expects the reverse"
    hits = alike(depends(text), Direction.OLD_CLIENT, Direction.NEW_CLIENT, Direction.ROLLBACK)
    return Verdict(f"{change.element} is {now}, and was not", hits)
