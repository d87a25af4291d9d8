"""Kinds: names, scope, strategy, subresources, columns and selectable fields."""

from __future__ import annotations

from apigen.compat.changes.change import Added, Altered, Removed, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.mitigations.window_elapsed import WindowElapsed
from apigen.compat.rules.claims import added, altered, removed
from apigen.compat.rules.lifecycle.serving import Entries, left_behind, may_be_stored
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import INFO, note, silent
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.surface import Kind, KindVersion
from apigen.compat.surface.types import Struct
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.preset import API, WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict
from apigen.dataclass import replace


@change_rule(
    "kind-removed", removed(ElementKind.KIND), severities="W/E/E", mitigated_by=(WindowElapsed(),), presets=WIRE
)
def kind_removed(change: Removed, context: Context) -> Verdict | None:
    """The URL of a kind is gone, and so is what reads its objects."""
    if isinstance(change.part, Kind):
        return silent(f"kind {change.part.name} is gone from all versions, as is told of each")
    if not isinstance(change.part, KindVersion):
        return None
    version = context.old.version(change.element.group, change.element.version)
    is_served = change.part.served and version is not None and version.served
    hits = dict(_kind_removed_hits(change.part, change.element, is_served))
    unread = _stored_anew(change.element, context)
    if unread:
        hits[Direction.ROLLBACK] = breaks(
            f"{change.part.kind} objects are stored in {unread} now, and the release before does not have them there"
        )
    others = _others(change.element, context)
    tail = (
        f"; {' and '.join(others)} still {'has' if len(others) == 1 else 'have'} it"
        if others
        else _renamed(change, context)
    )
    message = (
        f"kind {change.part.kind} was removed from {change.element.group or 'core'}/{change.element.version}{tail}"
    )
    if not hits:
        return note(f"{message}; it was neither served nor stored there", "")
    return Verdict(message, hits)


def _kind_removed_hits(kind: KindVersion, element: Element, is_served: bool) -> list[tuple[Direction, Hit]]:
    hits: list[tuple[Direction, Hit]] = []
    if is_served:
        hits.append((Direction.OLD_CLIENT, breaks(f"who asks for {kind.kind} in {element.version} gets 404 Not Found")))
    if kind.storage:
        hits.append((Direction.STORED, breaks(f"{kind.kind} objects stored in {element.version} can be read no more")))
    elif is_served:
        hits.append(
            (Direction.STORED, depends(f"on whether {kind.kind} objects were ever stored in {element.version}"))
        )
    return hits


def _stored_anew(element: Element, context: Context) -> str:
    """A version that the new side may store the kind in and the old side does not have it in; empty where there is none."""
    group = context.new.groups.get(element.group)
    for version in group.versions.values() if group is not None else ():
        known = context.old.version(element.group, version.name)
        is_new = element.type in version.kinds and (known is None or element.type not in known.kinds)
        if is_new and may_be_stored(element.type, replace(element, version=version.name), context):
            return version.name
    return ""


def _others(element: Element, context: Context) -> list[str]:
    """The versions of the new side that serve the kind."""
    group = context.new.groups.get(element.group)
    versions = () if group is None else group.versions.values()
    return [version.name for version in versions if version.served and element.type in version.kinds]


def _renamed(change: Removed, context: Context) -> str:
    """The new kind with the same plural or the same fields, if there is one."""
    old = context.old.groups[change.element.group].kinds.get(change.element.type)
    group = context.new.groups.get(change.element.group)
    for kind in group.kinds.values() if group is not None and old is not None else ():
        is_new = kind.name not in context.old.groups[change.element.group].kinds
        if old is not None and is_new and kind.plural == old.plural:
            return f"; {kind.name}, which is new, has its plural: another name is another kind"
    return ""


_UNDER_A_PLURAL_OF_BEFORE = Severities.of("W/E/E")
_KEEP = "keep the name of the kind; a new kind needs a plural that no other had"


@change_rule("kind-added", added(ElementKind.KIND), severities="I/I/I")
def kind_added(change: Added, context: Context) -> Verdict | None:
    """Clients that use it need a server that has it."""
    if isinstance(change.part, Kind):
        return silent(f"kind {change.part.name} is new in its group, as is told of each version")
    if not isinstance(change.part, KindVersion):
        return None
    where = f"{change.element.group or 'core'}/{change.element.version}"
    served = change.part.served
    hit = depends(f"a client that uses {change.part.kind} of {where} gets 404 Not Found from a server of before")
    hits = {Direction.NEW_CLIENT: hit} if served else {}
    message = f"kind {change.part.kind} is new in {where}{'' if served else ', and not served yet'}"
    before = _before(change, context) if change.part.storage else None
    if before is not None:
        hits[Direction.ROLLBACK] = _not_taken(change.part.kind, before)
        message = f"{message}; it has the plural {before.plural}, which was that of kind {before.name}"
        return Verdict(message, hits, _KEEP, severities=_UNDER_A_PLURAL_OF_BEFORE)
    if may_be_stored(change.part.kind, change.element, context):
        hits[Direction.ROLLBACK] = left_behind([change.part.kind], change.element)
    return Verdict(message, hits)


def _before(change: Added, context: Context) -> Kind | None:
    """The kind of another name that had the plural of this one: its objects stand under the same keys."""
    old, new = context.old.groups.get(change.element.group), context.new.groups.get(change.element.group)
    kind = None if new is None else new.kinds.get(change.element.type)
    if old is None or kind is None or not kind.plural:
        return None
    return next((each for each in old.kinds.values() if each.plural == kind.plural and each.name != kind.name), None)


def _not_taken(kind: str, before: Kind) -> Hit:
    return breaks(f"{kind} objects stored under {before.plural} are no {before.name} objects to the release before")


@change_rule(
    "kind-names-changed",
    altered(Trait.PLURAL, ElementKind.KIND),
    altered(Trait.SINGULAR, ElementKind.KIND),
    altered(Trait.LIST_KIND, ElementKind.KIND),
    severities="E/E/E",
)
def kind_names_changed(change: Altered, context: Context) -> Verdict | None:
    """Plural, singular and the kind of lists are names that clients have written down."""
    if not isinstance(change.old, Kind):
        return None
    before, after = value_words(change.before), value_words(change.after)
    message = f"the {change.trait} of kind {change.element.type} was {before}, and is {after}"
    return Verdict(message, _kind_names_changed_hits(change.trait, before, after))


def _kind_names_changed_hits(trait: Trait, before: str, after: str) -> dict[Direction, Hit]:
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


@change_rule(
    "short-names-changed",
    altered(Trait.SHORT_NAMES, ElementKind.KIND),
    altered(Trait.CATEGORIES, ElementKind.KIND),
    severities="I/W/W",
)
def short_names_changed(change: Altered, context: Context) -> Verdict | None:
    """People and scripts type them."""
    entries = Entries.of(change)
    message = f"{change.trait} of kind {change.element.type} changed: {entries.words}"
    if not entries.gone:
        return note(message, "nothing")
    hit = depends(f"a script that types {entries.gone[0]} is not understood any more")
    return Verdict(message, {Direction.OLD_CLIENT: hit})


_UPDATES = frozenset({"update", "status"})
_REWRITES = frozenset({"resets", "sets", "adds"})


@change_rule("strategy-changed", altered(Trait.STRATEGY, ElementKind.KIND), severities="I/W/W", presets=API)
def strategy_changed(change: Altered, context: Context) -> Verdict | None:
    """What create and update keep, reset or set decides what becomes of what a client sends."""
    if not isinstance(change.old, Kind) or not isinstance(change.new, Kind):
        return None
    if change.old.strategy is None or change.new.strategy is None:
        return silent("one side says nothing of strategies")
    before, after = dict(change.old.strategy), dict(change.new.strategy)
    changed = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
    words = "; ".join(
        f"{name}: {value_words(after.get(name))}, and was {value_words(before.get(name))}" for name in changed
    )
    text = f"an object of kind {change.element.type} is stored in another way"
    hits = {
        Direction.OLD_CLIENT: depends(f"{text} than a client of before expects"),
        Direction.NEW_CLIENT: depends(f"{text} by a server of before than a new client expects"),
    }
    came, gone = _only_in(after, before), _only_in(before, after)
    if came:
        hits[Direction.STORED] = depends(f"the next update of a stored object changes more than it says: {came}")
    if gone:
        hits[Direction.ROLLBACK] = depends(f"the release before changes more than an update says: {gone}")
    return Verdict(f"the strategy of kind {change.element.type} says of {words}", hits)


def _only_in(one: dict[str, str], other: dict[str, str]) -> str:
    """What updates of the one do to objects that nobody changed, and those of the other do not; empty where that is nothing."""
    found = {name for name in one if one[name] != other.get(name)}
    conditions = {
        name.partition(" ")[0] for name in (*one, *other) if _is_when(name) and one.get(name) != other.get(name)
    }
    told = (name for name in sorted(one) if _rewrites(name) and (name in found or name.partition(" ")[0] in conditions))
    return "; ".join(f"{name} {one[name]}" for name in told)


def _rewrites(name: str) -> bool:
    """Whether a part of a strategy changes what comes as it is stored; what is kept or filled in is there already."""
    operation, _, what = name.partition(" ")
    return name == "hooks" or (operation in _UPDATES and what in _REWRITES)


def _is_when(name: str) -> bool:
    return name.partition(" ")[0] in _UPDATES and name.endswith(" when")


@change_rule("type-meta-changed", altered(Trait.TYPE_META, ElementKind.KIND), severities="E/E/E", presets=WIRE)
def type_meta_changed(change: Altered, context: Context) -> Verdict | None:
    """`apiVersion` and `kind` are how readers find out what an object is."""
    if not isinstance(change.old, Kind) or not isinstance(change.new, Kind):
        return None
    if change.old.type_meta is None or change.new.type_meta is None:
        return silent("one side says nothing of `apiVersion` and `kind`")
    kind, came = change.element.type, change.new.type_meta
    verb = "say" if came else "no longer say"
    finds = f"expects objects of kind {kind} {'without' if came else 'with'} `apiVersion` and `kind`"
    meets = f"expects objects of kind {kind} {'with' if came else 'without'} `apiVersion` and `kind`"
    hits = {
        Direction.OLD_CLIENT: breaks(f"a client of before {finds}, and the server {meets}"),
        Direction.NEW_CLIENT: breaks(f"a new client {meets}, and a server of before {finds}"),
        Direction.STORED: breaks(f"the new release {meets}, and those that are stored are of the other sort"),
        Direction.ROLLBACK: breaks(
            f"the release before {finds}, and those that the new one stored are of the other sort"
        ),
    }
    return Verdict(f"objects of kind {kind} {verb} `apiVersion` and `kind`", hits)


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
        return _scale(kind, f"{change.before or ''}", f"{change.after or ''}")
    gone = Entries.of(change).gone
    if not gone:
        return None
    hits = {Direction.OLD_CLIENT: breaks(f"a client that writes {kind} by /{gone[0]} gets 404 Not Found")}
    if "status" in gone:
        hits[Direction.NEW_CLIENT] = depends(f"a server of before ignores status in a write of {kind} itself")
    message = f"{kind} of {change.element.version} lost /{' and /'.join(gone)}"
    return Verdict(message, hits, patch=f"subresources: {{{gone[0]}: {{}}}}")


def _scale(kind: str, before: str, after: str) -> Verdict | None:
    if not before or not after:
        return None
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
    if "status" not in new:
        return Verdict(message, newer, "nothing", severities=INFO)
    why = _why_harmless(change, context)
    if why:
        return Verdict(f"{message}: {why}", newer, "nothing", severities=INFO)
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
    """A list with that selector is refused."""
    entries = Entries.of(change)
    message = f"selectable fields of {change.element.type} changed: {entries.words}"
    if entries.gone:
        label = entries.gone[0].split(":")[0]
        hit = depends(f"a client that selects by {label} is refused")
        return Verdict(message, {Direction.OLD_CLIENT: hit}, patch=f"selectableFields: {{{entries.gone[0]}}}")
    return note(message, "nothing")


@change_rule("printer-column-removed", altered(Trait.PRINTER_COLUMNS, ElementKind.KIND), severities="I/I/W")
def printer_column_removed(change: Altered, context: Context) -> Verdict | None:
    """Scripts that cut columns out of a table get others."""
    entries = Entries.of(change)
    message = f"printer columns of {change.element.type} changed: {entries.words}"
    if not entries.gone:
        return note(message, "nothing")
    hit = depends(f"a script that reads the column {entries.gone[0]} finds another one, or none")
    return Verdict(message, {Direction.OLD_CLIENT: hit})
