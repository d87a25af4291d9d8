"""Conversions between versions."""

from __future__ import annotations

import re
from collections.abc import Mapping

from apigen.dataclass import dataclass
from apigen.review.changes.change import Altered, Trait
from apigen.review.changes.words import value_words
from apigen.review.context import Context
from apigen.review.effects.effects import alike
from apigen.review.rules.lifecycle.serving import Entries
from apigen.review.rules.rule import change_rule
from apigen.review.rules.selecting import altered
from apigen.review.rules.verdicts import INFO, note, silent
from apigen.review.surface import Element, ElementKind, Struct, field_of
from apigen.review.verdict.impact import Direction, Hit, breaks, depends
from apigen.review.verdict.preset import Preset
from apigen.review.verdict.verdict import Verdict

_HUB = "hub "
"""Before the paths of what only the hub has."""

_KEY = re.compile(r'annotation: "[^"]*"')
_DROP = "drop: "


@dataclass(frozen=True, slots=True)
class LensPairs:
    """Lenses before and after, and the struct on both sides. `has_others`: the group has more than one version to convert between."""

    before: Mapping[str, str]
    after: Mapping[str, str]
    old: Struct
    new: Struct
    has_others: bool

    @classmethod
    def of(cls, change: Altered, context: Context) -> LensPairs:
        """Of a change of the trait `lenses` of a struct."""
        old, new = change.old, change.new
        assert isinstance(old, Struct) and isinstance(new, Struct)
        has_others = len(context.new.versions_of(change.element.group)) > 1
        return cls(dict(old.lenses), dict(new.lenses), old, new, has_others)

    @property
    def gone_of_fields_that_stay(self) -> list[tuple[str, str]]:
        """Lenses without successor whose field is there on both sides; annotations and losses have rules of their own."""
        return [
            (path, lens)
            for path, lens in self.before.items()
            if path not in self.after and self._stays(path) and not _KEY.search(lens) and _DROP not in lens
        ]

    @property
    def other_of_fields_that_stay(self) -> list[tuple[str, str, str]]:
        """Lenses that came or say something else, whose field is there on both sides: path, before, after."""
        return [
            (path, self.before.get(path, "as it is"), lens)
            for path, lens in self.after.items()
            if self.before.get(path) != lens
            and self._stays(path)
            and not _is_same_apart(self.before.get(path, ""), lens)
        ]

    def _stays(self, path: str) -> bool:
        sides = [field_of(each, path.removeprefix(_HUB)) is not None for each in (self.old, self.new)]
        # a field that came or went is told itself, and so is its lens with it
        return not any(sides) if path.startswith(_HUB) else all(sides) or path.startswith("as ")


def _is_same_apart(before: str, after: str) -> bool:
    """Whether two lenses differ in what has rules of its own: the key of an annotation, or that the value is lost."""
    keys = [_KEY.search(lens) is not None for lens in (before, after)]
    if _DROP in before or _DROP in after:
        return True
    return _KEY.sub("", before) == _KEY.sub("", after) if all(keys) else any(keys)


def _where(element: Element) -> str:
    return f"{element.type} of {element.version}"


@change_rule("lossy-conversion", altered(Trait.LOSSES, ElementKind.STRUCT), severities="E/E/E")
def lossy_conversion(change: Altered, context: Context) -> Verdict:
    """A client that writes the object in that version deletes what other clients wrote."""
    entries, where = Entries.of(change), _where(change.element)
    if not entries.new:
        message = f"{where}: it is no longer declared that {' and '.join(entries.gone)}"
        return Verdict(message, _still_lost(entries.gone[0]), "nothing", severities=INFO)
    lost = entries.new[0]
    hits = {
        Direction.OLD_CLIENT: depends(f"a client that writes {where} deletes what others set: {lost}"),
        Direction.NEW_CLIENT: depends(f"a server of before keeps it, or fills it in by default: {lost}"),
        Direction.STORED: breaks(f"what is stored is read without it: {lost}"),
        Direction.ROLLBACK: breaks(f"what was written meanwhile is stored without it: {lost}"),
    }
    path = lost.split("`")[1]
    is_hub = path.startswith(_HUB)
    patch = f"hubOnly: {{{path.removeprefix(_HUB)}: {{annotation: KEY}}}}" if is_hub else ""
    return Verdict(f"{where}: {' and '.join(entries.new)}", hits, patch=patch)


def _still_lost(what: str) -> dict[Direction, Hit]:
    """What the side without the change does with it; the other one shows it, and may fill it in by default."""
    shown = depends(f"objects come with it that came without, as stored or by default: {what}")
    return {
        Direction.OLD_CLIENT: shown,
        Direction.NEW_CLIENT: depends(f"a server of before loses what a new client sets: {what}"),
        Direction.STORED: shown,
        Direction.ROLLBACK: depends(f"the release before loses it when it shows or stores the object: {what}"),
    }


@change_rule(
    "annotation-key-changed", altered(Trait.ANNOTATION_KEYS, ElementKind.STRUCT), severities="E/E/E", is_excusable=False
)
def annotation_key_changed(change: Altered, context: Context) -> Verdict:
    """The key is part of the API: it is in stored objects, and in what clients send back."""
    entries, where = Entries.of(change), _where(change.element)
    if not entries.gone:
        keys = " and ".join(entries.new)
        seen = (
            f"objects that have the field, or get it by default, come with {keys}, which clients of before did not see"
        )
        unseen = f"the release before shows such objects without {keys}"
        hits = {
            Direction.OLD_CLIENT: depends(seen),
            Direction.NEW_CLIENT: depends(unseen),
            Direction.STORED: depends(seen),
            Direction.ROLLBACK: depends(unseen),
        }
        return Verdict(f"{where} carries a field in the annotation {keys}", hits, "nothing", severities=INFO)
    key, other = entries.gone[0], entries.new[0] if entries.new else "nothing"
    hits = {
        Direction.OLD_CLIENT: breaks(f"what a client of before sends in {key} is not read any more"),
        Direction.NEW_CLIENT: breaks(f"a server of before looks in {key}, and a new client sends {other}"),
        Direction.STORED: breaks(f"what objects hold in {key} is lost to all other versions"),
        Direction.ROLLBACK: breaks(f"the release before looks in {key}, and finds {other}"),
    }
    message = f"{where} carried a field in the annotation {key}, and does so in {other} now"
    return Verdict(message, hits, patch=f"annotation: {key}")


_CONVERTING = frozenset({"Webhook", "hub"})


@change_rule(
    "converter-removed",
    altered(Trait.CONVERSION, ElementKind.KIND),
    altered(Trait.LENSES, ElementKind.STRUCT),
    severities="W/E/E",
)
def converter_removed(change: Altered, context: Context) -> Verdict | None:
    """Objects are no longer converted by the converter."""
    what = _removed(change, context)
    if not what:
        return None
    hits = {
        Direction.OLD_CLIENT: depends(f"objects are read without it in the other versions: {what}"),
        Direction.STORED: breaks(f"what is stored is read as it is: {what}"),
        Direction.ROLLBACK: breaks(f"what was written without it is converted by the release before: {what}"),
    }
    return Verdict(f"{change.element.type} is not converted as it was: {what}", hits)


def _removed(change: Altered, context: Context) -> str:
    if change.trait is Trait.CONVERSION:
        kind = change.element.type
        number = sum(kind in version.kinds for version in context.new.versions_of(change.element.group))
        is_removed = change.before in _CONVERTING and change.after not in _CONVERTING and number > 1
        return f"the conversion was {change.before}, and is {change.after or 'none'}" if is_removed else ""
    pairs = LensPairs.of(change, context)
    gone = pairs.gone_of_fields_that_stay
    return f"the lens of {gone[0][0]} ({gone[0][1]}) is gone" if gone and pairs.has_others else ""


@change_rule(
    "conversion-changed",
    altered(Trait.LENSES, ElementKind.STRUCT),
    altered(Trait.CONVERSION, ElementKind.KIND),
    severities="I/W/W",
)
def conversion_changed(change: Altered, context: Context) -> Verdict:
    """An object may mean something else in the other versions than before."""
    if change.trait is Trait.CONVERSION:
        before, after = change.before or "unknown", change.after or "unknown"
        return note(f"the conversion of {change.element.type} was {before}, and is {after}", "nothing")
    pairs = LensPairs.of(change, context)
    other, where = pairs.other_of_fields_that_stay, _where(change.element)
    if not pairs.has_others:
        return note(f"lenses of {where} changed; no other version is there to convert to", "nothing")
    if not other:
        return silent(f"lenses of {where} changed with what is told of fields, annotations and losses")
    path, before, after = other[0]
    hit = depends(f"on whether the other versions changed with it: {path} was carried {before}, and is {after}")
    hits = alike(hit, Direction.OLD_CLIENT, Direction.STORED, Direction.ROLLBACK)
    message = f"{path} of {where} was carried {before}, and is {after}"
    return Verdict(message, hits, not_verified="whether objects look the same")


@change_rule("hub-type-changed", altered(Trait.HUB_NAME, ElementKind.STRUCT), severities="I/W/W")
def hub_type_changed(change: Altered, context: Context) -> Verdict:
    """Only code uses the hub version; it is never written."""
    before, after = (value_words(each or change.element.type) for each in (change.before, change.after))
    message = f"{_where(change.element)} is {after} in the hub, and was {before}"
    if context.preset is not Preset.SOURCE:
        return note(message, "nothing")
    hit = depends(f"code of the server that names the hub's class {before} does not load")
    return Verdict(message, {Direction.OLD_CLIENT: hit})
