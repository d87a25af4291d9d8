"""Conversions between versions."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.dataclass import dataclass
from apigen.ir.surface import Element, ElementKind, Lens, Struct, field_of
from apigen.review.changes.change import Altered, Trait
from apigen.review.changes.words import Entries, value_words
from apigen.review.context import Context
from apigen.review.results import Direction, Effect, Preset, RuleResult, alike, breaks, depends
from apigen.review.rules.rule import INFO, altered, change_rule, note, silent


@dataclass(frozen=True, slots=True)
class LensPairs:
    """Lenses of both sides by place, and the struct on both sides. `has_others`: the group has other versions to convert to."""

    before: Mapping[str, Lens]
    after: Mapping[str, Lens]
    old: Struct
    new: Struct
    has_others: bool

    @classmethod
    def of(cls, change: Altered, context: Context) -> LensPairs:
        """Return the lenses of a change of the trait `lenses` of a struct."""
        old, new = change.both(Struct)
        has_others = len(context.new.versions_of(change.element.group)) > 1
        before, after = ({lens.place: lens for lens in side.lenses} for side in (old, new))
        return cls(before, after, old, new, has_others)

    @property
    def removed_of_kept_fields(self) -> list[Lens]:
        """Removed lenses of fields that both sides have. Annotations and losses have rules of their own."""
        removed = (lens for place, lens in self.before.items() if place not in self.after)
        return [lens for lens in removed if self._is_kept(lens) and not lens.annotation and not lens.loss]

    @property
    def changed_of_kept_fields(self) -> list[tuple[Lens | None, Lens]]:
        """Added or changed lenses of fields that both sides have, before and after."""
        pairs = [(self.before.get(place), lens) for place, lens in self.after.items()]
        return [
            (before, after)
            for before, after in pairs
            if before != after and self._is_kept(after) and not _is_same_apart(before, after)
        ]

    def _is_kept(self, lens: Lens) -> bool:
        # an added or removed field is reported itself, together with its lens
        sides = [field_of(each, lens.path) is not None for each in (self.old, self.new)]
        return bool(lens.second_hub) or (not any(sides) if lens.hub_only else all(sides))


def _is_same_apart(before: Lens | None, after: Lens) -> bool:
    """Return whether two lenses differ only in parts with their own rules: an annotation key, or a declared loss."""
    if after.loss or (before is not None and before.loss):
        return True
    if before is None or not before.annotation or not after.annotation:
        return bool(after.annotation or (before is not None and before.annotation))
    return _without_annotation(before) == _without_annotation(after)


def _without_annotation(lens: Lens) -> list[tuple[str, str]]:
    return [(word, value) for word, value in lens.options if word not in ("annotation", "preserve")]


def _where(element: Element) -> str:
    return f"{element.version} `{element.type}`"


FIX_BELOW_KIND = "add the field to the version, or, unless a list or map contains it, add `hubOnly: {PATH: {annotation: KEY}}` to the kind"
"""The fix of a loss in a type without annotations: only the kind's type can preserve the value."""


@change_rule("lossy-conversion", altered(Trait.LOSSES, ElementKind.STRUCT), severities="E/E/E")
def lossy_conversion(change: Altered, context: Context) -> RuleResult:
    """A client that writes the object in that version deletes values of other clients."""
    entries, where = Entries.of(change), _where(change.element)
    if not entries.new:
        message = f"{where} no longer declares that {' and '.join(entries.removed)}"
        return RuleResult(message, _still_lost(entries.removed[0]), "no action is needed", severities=INFO)
    lost = entries.new[0]
    effects = {
        Direction.OLD_CLIENT: depends(f"clients that write {where} delete values of other clients: {lost}"),
        Direction.NEW_CLIENT: depends(f"an older server keeps the value, or sets it by default: {lost}"),
        Direction.STORED: breaks(f"stored objects are read without the value: {lost}"),
        Direction.ROLLBACK: breaks(f"objects written by the newer server were stored without the value: {lost}"),
    }
    message = f"{where} declares a new conversion loss: {' and '.join(entries.new)}"
    if "metadata" not in change.both(Struct)[1].fields:
        return RuleResult(message, effects, fix=FIX_BELOW_KIND)
    return RuleResult(message, effects, patch=_preserving(change, lost))


def _preserving(change: Altered, lost: str) -> str:
    """Return the `hubOnly:` that preserves a lost value in an annotation, under its former key; empty for a lens of a
    version, or of a second hub.
    """
    old, new = change.both(Struct)
    lens = next(each for each in new.lenses if each.loss == lost)
    if not lens.hub_only or lens.second_hub:
        return ""
    former = (each.annotation for each in old.lenses if each.place == lens.place and each.annotation)
    key = next(former, f"{change.element.group}/{lens.path.rpartition('.')[2]}")
    return f"hubOnly: {{{lens.path}: {{annotation: {key}}}}}"


def _still_lost(loss: str) -> dict[Direction, Effect]:
    """Return the effects of a loss that only the base has. The revision returns the value, or sets it by default."""
    returned = depends(f"objects contain a value that they did not contain before, stored or by default: {loss}")
    return {
        Direction.OLD_CLIENT: returned,
        Direction.NEW_CLIENT: depends(f"an older server loses the value that a newer client sets: {loss}"),
        Direction.STORED: returned,
        Direction.ROLLBACK: depends(
            f"the previous release loses the value when it returns or stores the object: {loss}"
        ),
    }


@change_rule(
    "annotation-key-changed", altered(Trait.ANNOTATION_KEYS, ElementKind.STRUCT), severities="E/E/E", is_excusable=False
)
def annotation_key_changed(change: Altered, context: Context) -> RuleResult:
    """The key is part of the API: stored objects contain it, and clients send it back."""
    entries, where = Entries.of(change), _where(change.element)
    if not entries.removed:
        keys = " and ".join(entries.new)
        seen = f"objects that have the field, or get it by default, contain the annotation {keys}, which older clients do not know"
        unseen = f"the previous release returns such objects without the annotation {keys}"
        effects = {
            Direction.OLD_CLIENT: depends(seen),
            Direction.NEW_CLIENT: depends(unseen),
            Direction.STORED: depends(seen),
            Direction.ROLLBACK: depends(unseen),
        }
        return RuleResult(
            f"{where} preserves a field in the new annotation {keys}", effects, "no action is needed", severities=INFO
        )
    key, other = entries.removed[0], entries.new[0] if entries.new else "no annotation"
    effects = {
        Direction.OLD_CLIENT: breaks(f"the server no longer reads the annotation {key} that older clients send"),
        Direction.NEW_CLIENT: breaks(f"an older server reads {key}, but newer clients send {other}"),
        Direction.STORED: breaks(f"values that stored objects have in {key} are lost in all other versions"),
        Direction.ROLLBACK: breaks(f"the previous release reads {key}, but objects have {other}"),
    }
    message = f"the annotation of a field in {where} changed from {key} to {other}"
    return RuleResult(message, effects, patch=f"annotation: {key}")


_CONVERTING = frozenset({"Webhook", "hub"})


@change_rule(
    "converter-removed",
    altered(Trait.CONVERSION, ElementKind.KIND),
    altered(Trait.LENSES, ElementKind.STRUCT),
    severities="W/E/E",
)
def converter_removed(change: Altered, context: Context) -> RuleResult | None:
    """Objects are no longer converted by the converter."""
    removal = _removed(change, context)
    if not removal:
        return None
    effects = {
        Direction.OLD_CLIENT: depends(f"objects are read in the other versions without conversion: {removal}"),
        Direction.STORED: breaks(f"stored objects are read without conversion: {removal}"),
        Direction.ROLLBACK: breaks(
            f"the previous release converts objects that were written without conversion: {removal}"
        ),
    }
    return RuleResult(f"conversion of `{change.element.type}` was removed: {removal}", effects)


def _removed(change: Altered, context: Context) -> str:
    if change.trait is Trait.CONVERSION:
        kind = change.element.type
        number = sum(kind in version.kinds for version in context.new.versions_of(change.element.group))
        is_removed = change.before in _CONVERTING and change.after not in _CONVERTING and number > 1
        return f"it changed from {change.before} to {change.after or 'none'}" if is_removed else ""
    pairs = LensPairs.of(change, context)
    removed = next(iter(pairs.removed_of_kept_fields), None) if pairs.has_others else None
    return "" if removed is None else f"the lens of `{removed.place}` ({removed.words}) was removed"


@change_rule(
    "conversion-changed",
    altered(Trait.LENSES, ElementKind.STRUCT),
    altered(Trait.CONVERSION, ElementKind.KIND),
    severities="I/W/W",
)
def conversion_changed(change: Altered, context: Context) -> RuleResult:
    """The same object can have another meaning in the other versions."""
    if change.trait is Trait.CONVERSION:
        before, after = change.before or "unknown", change.after or "unknown"
        return note(f"conversion of `{change.element.type}` changed from {before} to {after}", "no action is needed")
    pairs = LensPairs.of(change, context)
    other, where = pairs.changed_of_kept_fields, _where(change.element)
    if not pairs.has_others:
        return note(f"lenses of {where} changed; the group has no other version", "no action is needed")
    if not other:
        return silent(f"lenses of {where} changed together with fields, annotations or losses that are reported")
    previous, lens = other[0]
    before, after = "unchanged" if previous is None else previous.words, lens.words
    effect = depends(
        f"the result depends on the lenses of the other versions: the lens of `{lens.place}` changed from {before} to {after}"
    )
    effects = alike(effect, Direction.OLD_CLIENT, Direction.STORED, Direction.ROLLBACK)
    message = f"lens of `{lens.place}` in {where} changed from {before} to {after}"
    return RuleResult(message, effects, not_verified="apigen does not compare the converted objects")


@change_rule("hub-type-changed", altered(Trait.HUB_NAME, ElementKind.STRUCT), severities="I/W/W")
def hub_type_changed(change: Altered, context: Context) -> RuleResult:
    """Only code uses the hub version; hub objects are never written."""
    before, after = (value_words(each or change.element.type) for each in (change.before, change.after))
    message = f"hub type of {_where(change.element)} was renamed from `{before}` to `{after}`"
    if context.preset is not Preset.SOURCE:
        return note(message, "no action is needed")
    effect = depends(f"server code that uses the hub class `{before}` fails to import it")
    return RuleResult(message, {Direction.OLD_CLIENT: effect})
