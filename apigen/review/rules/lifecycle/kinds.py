"""Kinds: names, scope, strategy, subresources, columns and selectable fields."""

from __future__ import annotations

from apigen.dataclass import replace
from apigen.review.changes.change import Added, Altered, Removed, Trait, pairs_of
from apigen.review.changes.words import value_words
from apigen.review.context import Context
from apigen.review.mitigations.time import WindowElapsed
from apigen.review.rules.lifecycle.serving import Entries, left_behind, may_be_stored
from apigen.review.rules.rule import change_rule
from apigen.review.rules.selecting import added, altered, removed
from apigen.review.rules.verdicts import INFO, note, silent, version_of
from apigen.review.surface import Element, ElementKind, Kind, KindVersion, Struct
from apigen.review.verdict.impact import Direction, Hit, breaks, depends
from apigen.review.verdict.preset import API, WIRE
from apigen.review.verdict.severity import Severities
from apigen.review.verdict.verdict import Verdict


@change_rule(
    "kind-removed", removed(ElementKind.KIND), severities="W/E/E", mitigated_by=(WindowElapsed(),), presets=WIRE
)
def kind_removed(change: Removed, context: Context) -> Verdict | None:
    """Its URL is removed, and nothing reads its objects."""
    kind, element = change.part, change.element
    if not isinstance(kind, KindVersion):
        return silent(f"kind {element.type} is gone from all versions, as is told of each")
    hits = _hits_of_removed(kind, element, context)
    others = [each.name for each in context.new.versions_of(element.group) if each.served and kind.kind in each.kinds]
    verb = "has" if len(others) == 1 else "have"
    tail = f"; {' and '.join(others)} still {verb} it" if others else _renamed(element, context)
    message = f"kind {kind.kind} was removed from {version_of(element)}{tail}"
    return Verdict(message, hits) if hits else note(f"{message}; it was neither served nor stored there")


def _hits_of_removed(kind: KindVersion, element: Element, context: Context) -> dict[Direction, Hit]:
    version = context.old.version(element.group, element.version)
    hits: dict[Direction, Hit] = {}
    if kind.served and version is not None and version.served:
        hits[Direction.OLD_CLIENT] = breaks(f"who asks for {kind.kind} in {element.version} gets 404 Not Found")
        hits[Direction.STORED] = depends(f"on whether {kind.kind} objects were ever stored in {element.version}")
    if kind.storage:
        hits[Direction.STORED] = breaks(f"{kind.kind} objects stored in {element.version} can be read no more")
    unread = _new_storage(element, context)
    if unread:
        text = f"{kind.kind} objects are stored in {unread} now, and the release before does not have them there"
        hits[Direction.ROLLBACK] = breaks(text)
    return hits


def _new_storage(element: Element, context: Context) -> str:
    """A version in which the new side may store the kind, and in which the old side has no such kind; empty for none."""
    for version in context.new.versions_of(element.group):
        known = context.old.version(element.group, version.name)
        is_new = element.type in version.kinds and (known is None or element.type not in known.kinds)
        if is_new and may_be_stored(element.type, replace(element, version=version.name), context):
            return version.name
    return ""


def _renamed(element: Element, context: Context) -> str:
    """The new kind with the plural of a removed one, for messages; empty for none."""
    known, group = context.old.groups[element.group].kinds, context.new.groups.get(element.group)
    plural = known[element.type].plural if element.type in known else None
    for kind in group.kinds.values() if group is not None else ():
        if kind.name not in known and kind.plural == plural:
            return f"; {kind.name}, which is new, has its plural: another name is another kind"
    return ""


@change_rule("kind-added", added(ElementKind.KIND), severities="I/I/I")
def kind_added(change: Added, context: Context) -> Verdict | None:
    """Clients that use it need a server that serves it."""
    kind, element = change.part, change.element
    if not isinstance(kind, KindVersion):
        return silent(f"kind {element.type} is new in its group, as is told of each version")
    where = version_of(element)
    hit = depends(f"a client that uses {kind.kind} of {where} gets 404 Not Found from a server of before")
    hits = {Direction.NEW_CLIENT: hit} if kind.served else {}
    message = f"kind {kind.kind} is new in {where}{'' if kind.served else ', and not served yet'}"
    before = _of_same_plural(element, context) if kind.storage else None
    if before is not None:
        text = f"{kind.kind} objects stored under {before.plural} are no {before.name} objects to the release before"
        hits[Direction.ROLLBACK] = breaks(text)
        message = f"{message}; it has the plural {before.plural}, which was that of kind {before.name}"
        fix = "keep the name of the kind; a new kind needs a plural that no other had"
        return Verdict(message, hits, fix, severities=Severities.of("W/E/E"))
    if may_be_stored(kind.kind, element, context):
        hits[Direction.ROLLBACK] = left_behind([kind.kind], element)
    return Verdict(message, hits)


def _of_same_plural(element: Element, context: Context) -> Kind | None:
    """The kind of the old side that has the plural of a new kind: its objects are stored under the same keys."""
    old, new = context.old.groups.get(element.group), context.new.groups.get(element.group)
    kind = None if new is None else new.kinds.get(element.type)
    if old is None or kind is None or not kind.plural:
        return None
    return next((each for each in old.kinds.values() if each.plural == kind.plural and each.name != kind.name), None)


@change_rule(
    "kind-names-changed",
    altered(Trait.PLURAL, ElementKind.KIND),
    altered(Trait.SINGULAR, ElementKind.KIND),
    altered(Trait.LIST_KIND, ElementKind.KIND),
    severities="E/E/E",
)
def kind_names_changed(change: Altered, context: Context) -> Verdict:
    """Clients use plural, singular and the kind of lists as constants."""
    before, after = value_words(change.before), value_words(change.after)
    match change.trait:
        case Trait.LIST_KIND:
            was, now = (f"lists of kind {name}" if name else "no lists" for name in (change.before, change.after))
            texts = {
                Direction.OLD_CLIENT: f"a client of before expects {was}, and gets {now}",
                Direction.NEW_CLIENT: f"a new client expects {now} from a server of before, and gets {was}",
            }
        case Trait.SINGULAR:
            texts = {
                Direction.OLD_CLIENT: f"a person or script of before that types {before} is not understood",
                Direction.NEW_CLIENT: f"a script that types {after} is not understood by a server of before",
            }
        case _:
            texts = {
                Direction.OLD_CLIENT: f"a client of before that says {before} gets 404 Not Found",
                Direction.NEW_CLIENT: f"a new client that says {after} gets 404 Not Found from a server of before",
                Direction.STORED: f"objects are stored under {before}, and looked for under {after}",
                Direction.ROLLBACK: f"what was stored under {after} is not found by the release before",
            }
    message = f"the {change.trait} of kind {change.element.type} was {before}, and is {after}"
    return Verdict(message, {direction: breaks(text) for direction, text in texts.items()})


@change_rule(
    "short-names-changed",
    altered(Trait.SHORT_NAMES, ElementKind.KIND),
    altered(Trait.CATEGORIES, ElementKind.KIND),
    severities="I/W/W",
)
def short_names_changed(change: Altered, context: Context) -> Verdict:
    """Users and scripts type them."""
    entries = Entries.of(change)
    effect = f"a script that types {entries.first_gone} is not understood any more"
    return _names_changed(f"{change.trait} of kind {change.element.type}", entries, effect)


def _names_changed(what: str, entries: Entries, effect: str, patch: str = "") -> Verdict:
    """The verdict on a list of names; `effect` is that of removed names on older clients."""
    message = f"{what} changed: {entries.words}"
    if not entries.gone:
        return note(message, "nothing")
    return Verdict(message, {Direction.OLD_CLIENT: depends(effect)}, patch=patch)


_UPDATES = frozenset({"update", "status"})
_REWRITES = frozenset({"resets", "sets", "adds"})


@change_rule("strategy-changed", altered(Trait.STRATEGY, ElementKind.KIND), severities="I/W/W", presets=API)
def strategy_changed(change: Altered, context: Context) -> Verdict | None:
    """Create and update keep, reset or set other fields of what a client sends."""
    if change.before is None or change.after is None:
        return silent("one side says nothing of strategies")
    before, after = pairs_of(change.before), pairs_of(change.after)
    changed = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
    words = "; ".join(
        f"{name}: {value_words(after.get(name))}, and was {value_words(before.get(name))}" for name in changed
    )
    text = f"an object of kind {change.element.type} is stored in another way"
    hits = {
        Direction.OLD_CLIENT: depends(f"{text} than a client of before expects"),
        Direction.NEW_CLIENT: depends(f"{text} by a server of before than a new client expects"),
    }
    added, removed = _rewriting(after, before), _rewriting(before, after)
    if added:
        hits[Direction.STORED] = depends(f"the next update of a stored object changes more than it says: {added}")
    if removed:
        hits[Direction.ROLLBACK] = depends(f"the release before changes more than an update says: {removed}")
    return Verdict(f"the strategy of kind {change.element.type} says of {words}", hits)


def _rewriting(one: dict[str, str], other: dict[str, str]) -> str:
    """What an update of an unchanged object changes by one strategy, and not by the other; empty for nothing.

    The keys of a strategy are `hooks`, or an operation with what it does, such as `update resets`.
    """
    differing = {name for name in (*one, *other) if one.get(name) != other.get(name)}
    conditional = {name.partition(" ")[0] for name in differing if name.endswith(" when")}
    parts: list[str] = []
    for name, said in sorted(one.items()):
        operation, _, what = name.partition(" ")
        rewrites = name == "hooks" or (operation in _UPDATES and what in _REWRITES)
        if rewrites and (name in differing or operation in conditional):
            parts.append(f"{name} {said}")
    return "; ".join(parts)


@change_rule("type-meta-changed", altered(Trait.TYPE_META, ElementKind.KIND), severities="E/E/E", presets=WIRE)
def type_meta_changed(change: Altered, context: Context) -> Verdict | None:
    """`apiVersion` and `kind` are how readers find out what an object is."""
    if change.before is None or change.after is None:
        return silent("one side says nothing of `apiVersion` and `kind`")
    objects = f"objects of kind {change.element.type}"
    old, new = (
        f"expects {objects} {'with' if said else 'without'} `apiVersion` and `kind`"
        for said in (change.before, change.after)
    )
    hits = {
        Direction.OLD_CLIENT: breaks(f"a client of before {old}, and the server {new}"),
        Direction.NEW_CLIENT: breaks(f"a new client {new}, and a server of before {old}"),
        Direction.STORED: breaks(f"the new release {new}, and those that are stored are of the other sort"),
        Direction.ROLLBACK: breaks(
            f"the release before {old}, and those that the new one stored are of the other sort"
        ),
    }
    return Verdict(f"{objects} {'say' if change.after else 'no longer say'} `apiVersion` and `kind`", hits)


@change_rule("scope-changed", altered(Trait.SCOPE, ElementKind.KIND), severities="E/E/E")
def scope_changed(change: Altered, context: Context) -> Verdict | None:
    """URLs and store keys of a kind have a namespace in them, or have not."""
    kind, before, after = change.element.type, f"{change.before}", f"{change.after}"
    hits = {
        Direction.OLD_CLIENT: breaks(f"a client of before asks for {kind} as {before}, and gets 404 Not Found"),
        Direction.NEW_CLIENT: breaks(f"a new client asks a server of before for {kind} as {after}, and gets 404"),
        Direction.STORED: breaks(f"{kind} objects are stored under keys of {before}, and looked for as {after}"),
        Direction.ROLLBACK: breaks(f"{kind} objects stored as {after} are not found by the release before"),
    }
    return Verdict(f"the scope of kind {kind} was {before}, and is {after}", hits)


@change_rule(
    "subresource-removed",
    altered(Trait.SUBRESOURCES, ElementKind.KIND),
    altered(Trait.SCALE, ElementKind.KIND),
    severities="W/E/E",
)
def subresource_removed(change: Altered, context: Context) -> Verdict | None:
    """Clients that write by it get no answer."""
    kind = change.element.type
    if change.trait is Trait.SCALE:
        return _other_scale(change) if change.before and change.after else None
    gone = Entries.of(change).gone
    if not gone:
        return None
    hits = {Direction.OLD_CLIENT: breaks(f"a client that writes {kind} by /{gone[0]} gets 404 Not Found")}
    if "status" in gone:
        hits[Direction.NEW_CLIENT] = depends(f"a server of before ignores status in a write of {kind} itself")
    message = f"{kind} of {change.element.version} lost /{' and /'.join(gone)}"
    return Verdict(message, hits, patch=f"subresources: {{{gone[0]}: {{}}}}")


def _other_scale(change: Altered) -> Verdict:
    kind, before, after = change.element.type, change.before, change.after
    hits = {
        Direction.OLD_CLIENT: breaks(f"an autoscaler of before reads and writes other fields of {kind}"),
        Direction.NEW_CLIENT: breaks(f"/scale of a server of before means other fields of {kind}"),
    }
    return Verdict(f"/scale of {kind} was of {before}, and is of {after}", hits, patch=f"scale: {{{before}}}")


@change_rule(
    "subresource-added",
    altered(Trait.SUBRESOURCES, ElementKind.KIND),
    altered(Trait.SCALE, ElementKind.KIND),
    severities="I/W/E",
)
def subresource_added(change: Altered, context: Context) -> Verdict | None:
    """With `/status`, writes of the whole object do not reach status any more."""
    kind = change.element.type
    if change.trait is Trait.SCALE:
        return silent(f"the paths of /scale of {kind} came or went with it")
    entries = Entries.of(change)
    new = entries.new
    if not new:
        return None if entries.gone else silent(f"subresources of {kind} stand in another order")
    message = f"{kind} of {change.element.version} has /{' and /'.join(new)}, and had not"
    newer = {Direction.NEW_CLIENT: depends(f"a client that asks a server of before for /{new[0]} gets 404 Not Found")}
    why = _why_harmless(change, context)
    if "status" not in new or why:
        message += f": {why}" if "status" in new else ""
        return Verdict(message, newer, "nothing", severities=INFO)
    hits = {
        **newer,
        Direction.OLD_CLIENT: depends(f"status in a write of {kind} itself is ignored: it goes by /status"),
        Direction.STORED: depends(f"status of {kind} that users wrote stays until a controller writes it"),
        Direction.ROLLBACK: depends(f"in the release before, a write of {kind} overwrites its status"),
    }
    return Verdict(message, hits)


def _why_harmless(change: Altered, context: Context) -> str:
    """Why nobody can have written status with the object; empty where somebody can."""
    element = change.element
    before = context.old.type(change.old.root) if isinstance(change.old, KindVersion) else None
    if isinstance(before, Struct) and "status" not in before.fields:
        return "status itself is new"
    group = context.old.groups.get(element.group)
    kind = None if group is None else group.kinds.get(element.type)
    return "its objects are answered, and not kept" if kind is not None and not kind.list_kind else ""


@change_rule("selectable-field-removed", altered(Trait.SELECTABLE_FIELDS, ElementKind.KIND), severities="I/I/W")
def selectable_field_removed(change: Altered, context: Context) -> Verdict | None:
    """A list request with that selector is rejected."""
    entries = Entries.of(change)
    effect = f"a client that selects by {entries.first_gone.split(':')[0]} is refused"
    patch = f"selectableFields: {{{entries.first_gone}}}"
    return _names_changed(f"selectable fields of {change.element.type}", entries, effect, patch)


@change_rule("printer-column-removed", altered(Trait.PRINTER_COLUMNS, ElementKind.KIND), severities="I/I/W")
def printer_column_removed(change: Altered, context: Context) -> Verdict | None:
    """Scripts that parse the table read other columns."""
    entries = Entries.of(change)
    effect = f"a script that reads the column {entries.first_gone} finds another one, or none"
    return _names_changed(f"printer columns of {change.element.type}", entries, effect)
