"""Kinds: added, removed; their names, scope, strategy, subresources, columns and selectable fields."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.dataclass import replace
from apigen.ir.surface import Element, ElementKind, Kind, KindVersion, Struct
from apigen.review.changes.change import Added, Altered, Removed, Trait, pairs_of
from apigen.review.changes.words import Entries, value_words
from apigen.review.context import Context
from apigen.review.mitigations import window_elapsed
from apigen.review.results import API, WIRE, Direction, Effect, RuleResult, Severities, breaks, depends
from apigen.review.rules.lifecycle.served_and_stored import left_behind, may_be_stored
from apigen.review.rules.rule import INFO, added, altered, change_rule, note, removed, silent, version_of
from apigen.review.windows import NOTES, edit_instead_of_removal


@change_rule(
    "kind-removed", removed(ElementKind.KIND), severities="W/E/E", mitigated_by=(window_elapsed,), presets=WIRE
)
def kind_removed(change: Removed, context: Context) -> RuleResult | None:
    """Its URL is removed, and no server reads its objects."""
    kind, element = change.part, change.element
    if not isinstance(kind, KindVersion):
        return silent(f"kind `{element.type}` was removed from all versions, each of which is reported")
    effects = _effects_of_removed(kind, element, context)
    others = [each.name for each in context.new.versions_of(element.group) if each.served and kind.kind in each.kinds]
    verb = "has" if len(others) == 1 else "have"
    tail = f"; {' and '.join(others)} still {verb} it" if others else _renamed_kind(element, context)
    message = f"kind `{kind.kind}` was removed from {version_of(element)}{tail}"
    if not effects:
        return note(f"{message}; it was neither served nor stored there")
    fix = edit_instead_of_removal(kind.lifecycle, element, context.old, context.new, due=NOTES)
    return RuleResult(message, effects, fix)


def _effects_of_removed(kind: KindVersion, element: Element, context: Context) -> dict[Direction, Effect]:
    version = context.old.version(element.group, element.version)
    effects: dict[Direction, Effect] = {}
    if kind.served and version is not None and version.served:
        effects[Direction.OLD_CLIENT] = breaks(f"clients of {element.version} `{kind.kind}` get 404 Not Found")
        effects[Direction.STORED] = depends(
            f"objects of `{kind.kind}` cannot be read if they are stored in {element.version}"
        )
    if kind.storage:
        effects[Direction.STORED] = breaks(
            f"objects of `{kind.kind}` stored in {element.version} can no longer be read"
        )
    unread = _new_storage(element, context)
    if unread:
        text = f"objects of `{kind.kind}` are stored in {unread}, which the previous release cannot read"
        effects[Direction.ROLLBACK] = breaks(text)
    return effects


def _new_storage(element: Element, context: Context) -> str:
    """Return a version in which the revision may store the kind, but in which the base does not have it; empty if none."""
    for version in context.new.versions_of(element.group):
        known = context.old.version(element.group, version.name)
        is_new = element.type in version.kinds and (known is None or element.type not in known.kinds)
        if is_new and may_be_stored(element.type, replace(element, version=version.name), context):
            return version.name
    return ""


def _renamed_kind(element: Element, context: Context) -> str:
    """Return the new kind with the plural of a removed one, for messages; empty if no new kind has it."""
    known, group = context.old.groups[element.group].kinds, context.new.groups.get(element.group)
    plural = known[element.type].plural if element.type in known else None
    for kind in group.kinds.values() if group is not None else ():
        if kind.name not in known and kind.plural == plural:
            return f"; the new kind `{kind.name}` has its plural"
    return ""


@change_rule("kind-added", added(ElementKind.KIND), severities="I/I/I")
def kind_added(change: Added, context: Context) -> RuleResult | None:
    """Clients that use it need a server that serves it."""
    kind, element = change.part, change.element
    if not isinstance(kind, KindVersion):
        return silent(f"kind `{element.type}` is new in its group; each version is reported")
    where = version_of(element)
    effect = depends(f"clients of {where} `{kind.kind}` get 404 Not Found from an older server")
    effects = {Direction.NEW_CLIENT: effect} if kind.served else {}
    message = f"kind `{kind.kind}` was added to {where}{'' if kind.served else ', but is not served yet'}"
    before = _of_same_plural(element, context) if kind.storage else None
    if before is not None:
        text = f"objects of `{kind.kind}` are stored as `{before.plural}`, which the previous release reads as `{before.name}`"
        effects[Direction.ROLLBACK] = breaks(text)
        message = f"{message}; it has the plural `{before.plural}` of the former kind `{before.name}`"
        fix = "restore the name of the kind, or give the new kind another plural"
        return RuleResult(message, effects, fix, severities=Severities.of("W/E/E"))
    if may_be_stored(kind.kind, element, context):
        effects[Direction.ROLLBACK] = left_behind([kind.kind], element)
    return RuleResult(message, effects)


def _of_same_plural(element: Element, context: Context) -> Kind | None:
    """Return the kind of the base with the plural of a new kind: their objects are stored under the same keys."""
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
def kind_names_changed(change: Altered, context: Context) -> RuleResult:
    """Clients use plural, singular and the kind of lists as constants."""
    before, after = value_words(change.before), value_words(change.after)
    match change.trait:
        case Trait.LIST_KIND:
            was, now = (f"lists of kind {name}" if name else "no lists" for name in (change.before, change.after))
            texts = {
                Direction.OLD_CLIENT: f"older clients expect {was}, and get {now}",
                Direction.NEW_CLIENT: f"newer clients expect {now} from an older server, and get {was}",
            }
        case Trait.SINGULAR:
            texts = {
                Direction.OLD_CLIENT: f"commands and scripts that use `{before}` fail",
                Direction.NEW_CLIENT: f"scripts that use `{after}` fail on an older server",
            }
        case _:
            texts = {
                Direction.OLD_CLIENT: f"older clients of `{before}` get 404 Not Found",
                Direction.NEW_CLIENT: f"newer clients of `{after}` get 404 Not Found from an older server",
                Direction.STORED: f"objects are stored as `{before}`, but the server looks for them as `{after}`",
                Direction.ROLLBACK: f"the previous release does not find objects that are stored as `{after}`",
            }
    message = f"{change.trait} of kind `{change.element.type}` changed from {before} to {after}"
    return RuleResult(message, {direction: breaks(text) for direction, text in texts.items()})


@change_rule(
    "short-names-changed",
    altered(Trait.SHORT_NAMES, ElementKind.KIND),
    altered(Trait.CATEGORIES, ElementKind.KIND),
    severities="I/W/W",
)
def short_names_changed(change: Altered, context: Context) -> RuleResult:
    """Users and scripts use these names on the command line."""
    entries = Entries.of(change)
    effect = f"scripts that use `{entries.first_removed}` fail"
    return _names_changed(f"{change.trait} of kind `{change.element.type}`", entries, effect)


def _names_changed(subject: str, entries: Entries, effect: str, patch: str = "") -> RuleResult:
    """Return the result for a list of names; `effect` is that of removed names on older clients."""
    message = f"{subject} changed: {entries.words}"
    if not entries.removed:
        return note(message, "no action is needed")
    return RuleResult(message, {Direction.OLD_CLIENT: depends(effect)}, patch=patch)


_UPDATES = frozenset({"update", "status"})
_REWRITES = frozenset({"resets", "sets", "adds"})


@change_rule("strategy-changed", altered(Trait.STRATEGY, ElementKind.KIND), severities="I/W/W", presets=API)
def strategy_changed(change: Altered, context: Context) -> RuleResult | None:
    """Create and update keep, reset or set other fields of what a client sends."""
    if change.before is None or change.after is None:
        return silent("one side does not declare strategies")
    before, after = pairs_of(change.before), pairs_of(change.after)
    changed = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
    words = "; ".join(
        f"{name} changed from {value_words(before.get(name))} to {value_words(after.get(name))}" for name in changed
    )
    text = f"the server stores objects of `{change.element.type}` differently"
    effects = {
        Direction.OLD_CLIENT: depends(f"{text} than older clients expect"),
        Direction.NEW_CLIENT: depends(
            f"an older server stores objects of `{change.element.type}` differently than newer clients expect"
        ),
    }
    added, removed = _rewriting(after, before), _rewriting(before, after)
    if added:
        effects[Direction.STORED] = depends(f"the next update of a stored object also changes other fields: {added}")
    if removed:
        effects[Direction.ROLLBACK] = depends(f"an update by the previous release also changes other fields: {removed}")
    return RuleResult(f"strategy of kind `{change.element.type}` changed: {words}", effects)


def _rewriting(one: dict[str, str], other: dict[str, str]) -> str:
    """Return what an update of an unchanged object changes by one strategy, but not by the other; empty if nothing.

    The keys of a strategy are `hooks`, or an operation with its effect, such as `update resets`.
    """
    differing = {name for name in (*one, *other) if one.get(name) != other.get(name)}
    conditional = {name.partition(" ")[0] for name in differing if name.endswith(" when")}
    parts: list[str] = []
    for name, condition in sorted(one.items()):
        operation, _, effect = name.partition(" ")
        rewrites = name == "hooks" or (operation in _UPDATES and effect in _REWRITES)
        if rewrites and (name in differing or operation in conditional):
            parts.append(f"{name} {condition}")
    return "; ".join(parts)


@change_rule("type-meta-changed", altered(Trait.TYPE_META, ElementKind.KIND), severities="E/E/E", presets=WIRE)
def type_meta_changed(change: Altered, context: Context) -> RuleResult | None:
    """Readers decode objects by `apiVersion` and `kind`."""
    if change.before is None or change.after is None:
        return silent("one side does not declare whether objects have `apiVersion` and `kind`")
    objects = f"objects of `{change.element.type}`"
    old, new = (
        f"expects {objects} {'with' if has_meta else 'without'} `apiVersion` and `kind`"
        for has_meta in (change.before, change.after)
    )
    effects = {
        Direction.OLD_CLIENT: breaks(f"an older client {old}, and the server {new}"),
        Direction.NEW_CLIENT: breaks(f"a newer client {new}, and an older server {old}"),
        Direction.STORED: breaks(f"the new release {new}, and stored objects have the other form"),
        Direction.ROLLBACK: breaks(
            f"the previous release {old}, and objects stored by the newer one have the other form"
        ),
    }
    how = "were added to" if change.after else "were removed from"
    return RuleResult(f"`apiVersion` and `kind` {how} {objects}", effects)


@change_rule("scope-changed", altered(Trait.SCOPE, ElementKind.KIND), severities="E/E/E")
def scope_changed(change: Altered, context: Context) -> RuleResult | None:
    """URLs and store keys of a namespaced kind contain the namespace."""
    kind, before, after = change.element.type, f"{change.before}", f"{change.after}"
    effects = {
        Direction.OLD_CLIENT: breaks(f"older clients request `{kind}` as {before}, and get 404 Not Found"),
        Direction.NEW_CLIENT: breaks(
            f"newer clients request `{kind}` as {after} from an older server, and get 404 Not Found"
        ),
        Direction.STORED: breaks(
            f"objects of `{kind}` are stored under keys of {before}, but the server looks for them as {after}"
        ),
        Direction.ROLLBACK: breaks(
            f"the previous release does not find objects of `{kind}` that are stored as {after}"
        ),
    }
    return RuleResult(f"scope of kind `{kind}` changed from {before} to {after}", effects)


@change_rule(
    "subresource-removed",
    altered(Trait.SUBRESOURCES, ElementKind.KIND),
    altered(Trait.SCALE, ElementKind.KIND),
    severities="W/E/E",
)
def subresource_removed(change: Altered, context: Context) -> RuleResult | None:
    """Clients of the subresource get no answer."""
    kind = change.element.type
    if change.trait is Trait.SCALE:
        return _other_scale(change) if change.before and change.after else None
    removed_names = Entries.of(change).removed
    if not removed_names:
        return None
    effects = {
        Direction.OLD_CLIENT: breaks(f"clients that write `{kind}` through /{removed_names[0]} get 404 Not Found")
    }
    if "status" in removed_names:
        effects[Direction.NEW_CLIENT] = depends(f"an older server ignores status in a write of `{kind}` itself")
    verb = "was" if len(removed_names) == 1 else "were"
    message = f"/{' and /'.join(removed_names)} of {change.element.version} `{kind}` {verb} removed"
    return RuleResult(message, effects, patch=_declared_subresources(removed_names, change.old))


def _declared_subresources(names: Iterable[str], kind: object) -> str:
    """Return subresources of a kind, as in group.yaml."""
    scale = kind.scale if isinstance(kind, KindVersion) else ""
    declared = ", ".join(f"{name}: {{{scale if name == 'scale' else ''}}}" for name in names)
    return f"subresources: {{{declared}}}"


def _other_scale(change: Altered) -> RuleResult:
    kind, before, after = change.element.type, change.before, change.after
    effects = {
        Direction.OLD_CLIENT: breaks(f"older autoscalers read and write other fields of `{kind}`"),
        Direction.NEW_CLIENT: breaks(f"/scale of an older server uses other fields of `{kind}`"),
    }
    return RuleResult(f"/scale of `{kind}` changed from {before} to {after}", effects, patch=f"scale: {{{before}}}")


@change_rule(
    "subresource-added",
    altered(Trait.SUBRESOURCES, ElementKind.KIND),
    altered(Trait.SCALE, ElementKind.KIND),
    severities="I/W/E",
)
def subresource_added(change: Altered, context: Context) -> RuleResult | None:
    """With `/status`, writes of the whole object no longer change its status."""
    kind = change.element.type
    if change.trait is Trait.SCALE:
        return silent(f"the paths of /scale of `{kind}` were added or removed with it")
    entries = Entries.of(change)
    new = entries.new
    if not new:
        return None if entries.removed else silent(f"the order of subresources of `{kind}` changed")
    message = f"/{' and /'.join(new)} was added to {change.element.version} `{kind}`"
    newer = {Direction.NEW_CLIENT: depends(f"newer clients of /{new[0]} get 404 Not Found from an older server")}
    why = _why_harmless(change, context)
    if "status" not in new or why:
        message += f": {why}" if "status" in new else ""
        return RuleResult(message, newer, "no action is needed", severities=INFO)
    effects = {
        **newer,
        Direction.OLD_CLIENT: depends(
            f"the server ignores status in a write of `{kind}` itself; clients must use /status"
        ),
        Direction.STORED: depends(f"a status of `{kind}` that users wrote remains until a controller writes it"),
        Direction.ROLLBACK: depends(f"in the previous release, a write of `{kind}` overwrites its status"),
    }
    return RuleResult(message, effects)


def _why_harmless(change: Altered, context: Context) -> str:
    """Return why no client can have written status with the object; empty if a client can."""
    element = change.element
    before = context.old.type(change.old.root) if isinstance(change.old, KindVersion) else None
    if isinstance(before, Struct) and "status" not in before.fields:
        return "status itself is new"
    group = context.old.groups.get(element.group)
    kind = None if group is None else group.kinds.get(element.type)
    return "its objects are not stored" if kind is not None and not kind.list_kind else ""


@change_rule("selectable-field-removed", altered(Trait.SELECTABLE_FIELDS, ElementKind.KIND), severities="I/I/W")
def selectable_field_removed(change: Altered, context: Context) -> RuleResult | None:
    """A list request with that selector is rejected."""
    entries = Entries.of(change)
    effect = f"the server rejects requests that select by `{entries.first_removed.split(':')[0]}`"
    patch = f"selectableFields: {{{entries.first_removed}}}"
    return _names_changed(f"selectable fields of `{change.element.type}`", entries, effect, patch)


@change_rule("printer-column-removed", altered(Trait.PRINTER_COLUMNS, ElementKind.KIND), severities="I/I/W")
def printer_column_removed(change: Altered, context: Context) -> RuleResult | None:
    """Scripts that parse the table read other columns."""
    entries = Entries.of(change)
    effect = f"scripts that read the column `{entries.first_removed}` find another one, or none"
    return _names_changed(f"printer columns of `{change.element.type}`", entries, effect)
