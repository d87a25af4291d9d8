"""The annotation of `preserve:`: it stores hub fields that a version does not have.

Clients can write any text to the annotation. Conversion never fails because of it: invalid text is ignored.
"""

from __future__ import annotations

from .conversion import parse_annotation, with_entry, without_key
from .dataclasses import new
from .equality import semantic_equal, semantic_key
from .errors import ApiError, ConversionError, EncodeError
from .json_writer import json_text

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping
    from typing import Any, Protocol, TypeVar

    class HasMetadata(Protocol):
        """An object of a kind."""

        metadata: Any

    V = TypeVar("V", bound=HasMetadata)
    H = TypeVar("H", bound=HasMetadata)

_NOT_PRESERVED = ("apiVersion", "kind", "metadata")


class Preservation:
    """Preserve the hub object of one kind in objects of one version.

    `key` is that of the annotation. `encode` returns the JSON of an object of the hub, `decode` reads it; `to_hub` and
    `from_hub` convert without the annotation.
    `sent` returns an object of the version in the form of responses, without the empty lists and maps that its JSON omits.
    `keys` has the attributes that identify the items of a list, by the class and attribute of the list; `unions` has the
    attributes of which at most one is set, by class.
    """

    __slots__ = (
        "decode",
        "encode",
        "from_hub",
        "key",
        "keys",
        "sent",
        "to_hub",
        "unions",
    )

    def __init__(
        self,
        key: str,
        *,
        encode: Callable[[Any], dict[str, object]],
        decode: Callable[[object, str], Any],
        to_hub: Callable[[Any], Any],
        from_hub: Callable[[Any], Any],
        sent: Callable[[Any], Any],
        keys: Mapping[tuple[type, str], tuple[str, ...]],
        unions: Mapping[type, tuple[tuple[str, ...], ...]],
    ) -> None:
        self.key = key
        self.encode, self.decode = encode, decode
        self.to_hub, self.from_hub, self.sent = to_hub, from_hub, sent
        self.keys, self.unions = keys, unions

    def preserve(self, hub: Any, version: V) -> V:
        """Write the hub's object to the annotation of `version`, its conversion, unless the version preserves all of
        it.

        Raises ConversionError for a value that JSON cannot hold, such as an infinite number.
        """
        metadata = version.metadata
        metadata.annotations = without_key(metadata.annotations, self.key)
        try:
            if self._holds(version, hub) and self._holds(self.sent(version), hub):
                return version
            data = self.encode(hub)
        except EncodeError as error:
            raise ConversionError(error.path, error.problem) from None
        for name in _NOT_PRESERVED:
            data.pop(name, None)
        text = json_text(data, floats_encoded=True)
        metadata.annotations = with_entry(metadata.annotations, self.key, text)
        return version

    def _holds(self, version: Any, hub: Any) -> bool:
        back = self.to_hub(version)
        back.metadata = hub.metadata
        return bool(back == hub)

    def restore(self, version: Any, hub: H) -> H:
        """Return the hub's object for `version`, with the preserved values of all parts that the version did not change.

        No value is restored if a round trip of the version through the result would change a part that is preserved
        without the annotation.
        """
        metadata = hub.metadata
        annotations = version.metadata.annotations
        text = None if annotations is None else annotations.get(self.key)
        if text is None:
            return hub
        metadata.annotations = without_key(metadata.annotations, self.key)
        try:
            saved = self._parsed(text)
            saved.metadata = metadata
            base = self.to_hub(self.from_hub(saved))
            restored: H = self._merged(hub, base, saved)
            restored.metadata = metadata
            round_trip = self.from_hub(restored)
            if self._seen(round_trip) == self._seen(version):
                return restored
            sent = (
                self.sent(each) for each in (round_trip, version, self.from_hub(hub))
            )
            if _is_mixed(*map(self._seen, sent)):
                return restored
        except ApiError:
            pass
        return hub

    def _parsed(self, text: str) -> Any:
        path = f"metadata.annotations[{self.key}]"
        data = parse_annotation(text, path)
        if isinstance(data, dict):
            data = {name: data[name] for name in data if name not in _NOT_PRESERVED}
        return self.decode(data, path)

    def _seen(self, version: Any) -> object:
        """Return the fields that a client of the version sees, without the annotation."""
        attributes = {
            name: getattr(version, name) for name in version.__dataclass_fields__
        }
        metadata = attributes.pop("metadata")
        annotations = without_key(metadata.annotations, self.key)
        rest = {
            name: getattr(metadata, name)
            for name in metadata.__dataclass_fields__
            if name != "annotations"
        }
        return attributes, annotations or None, rest

    def _merged(self, found: Any, base: Any, saved: Any) -> Any:
        """Return the value `found` with the values of `saved` in all parts in which `found` is equal to `base`, the
        round trip of `saved`.
        """
        kind = type(found)
        if kind is type(base) is type(saved):
            if kind is dict:
                return self._merged_map(found, base, saved)
            if kind is list:
                return self._merged_list(found, base, saved, ())
            parameters = getattr(kind, "__dataclass_params__", None)
            if parameters is not None and not parameters.frozen:
                return self._merged_struct(found, base, saved)
        if not semantic_equal(found, base):
            return found
        if found is not None and semantic_equal(found, saved):
            return found  # the version may hold an empty list that the hub's JSON omits
        return saved

    def _merged_struct(self, found: Any, base: Any, saved: Any) -> Any:
        kind = type(found)
        changed = {
            name
            for members in self.unions.get(kind, ())
            if not all(
                semantic_equal(getattr(found, n), getattr(base, n)) for n in members
            )
            for name in members
            if any(getattr(each, name) is None for each in (found, base, saved))
        }
        merged = new(kind)
        for name in kind.__dataclass_fields__:
            three = getattr(found, name), getattr(base, name), getattr(saved, name)
            value = three[0]
            if name not in changed:
                keys = self.keys.get((kind, name), ())
                lists = keys and all(isinstance(each, list) for each in three)
                value = (
                    self._merged_list(*three, keys) if lists else self._merged(*three)
                )
            setattr(merged, name, value)
        return merged

    def _merged_map(
        self, found: dict[str, Any], base: dict[str, Any], saved: dict[str, Any]
    ) -> dict[str, Any]:
        merged = {
            key: (
                self._merged(value, base[key], saved[key])
                if key in base and key in saved
                else value
            )
            for key, value in found.items()
        }
        merged.update(
            (key, value)
            for key, value in saved.items()
            if key not in base and key not in found
        )
        return merged

    def _merged_list(
        self, found: list[Any], base: list[Any], saved: list[Any], keys: tuple[str, ...]
    ) -> list[Any]:
        """The items, each with the preserved values of its item: that of its key, or else of all that it is.

        If a list does not preserve its length in a round trip, its items cannot be matched.
        """
        if len(base) != len(saved):
            return saved if semantic_equal(found, base) else found
        before, now = _by_identity(base, keys), _by_identity(found, keys)
        originals = _by_identity(saved, keys) if keys else before
        if list(originals) != list(before) and semantic_equal(found, base):
            return saved  # the version does not preserve their order, or a key
        merged = list(found)
        for identity, places in now.items():
            earlier, first = before.get(identity, []), originals.get(identity, [])
            # equal items are matched by their order, which is unknown if one of them was added or removed
            if len(places) == len(earlier) == len(first):
                for i, j, k in zip(places, earlier, first, strict=True):
                    if keys or semantic_equal(found[i], base[j]):
                        merged[i] = self._merged(found[i], base[j], saved[k])
        return merged


def _is_mixed(value: Any, one: Any, other: Any) -> bool:
    """Return whether each part of a value is equal to that of one of two others."""
    if value in (one, other):
        return True
    kind = type(value)
    if not kind is type(one) is type(other):
        return False
    if kind is dict:
        return value.keys() == one.keys() == other.keys() and all(
            _is_mixed(value[key], one[key], other[key]) for key in value
        )
    if kind is list or kind is tuple:
        return len(value) == len(one) == len(other) and all(
            map(_is_mixed, value, one, other)
        )
    names = getattr(kind, "__dataclass_fields__", None)
    return names is not None and all(
        _is_mixed(getattr(value, name), getattr(one, name), getattr(other, name))
        for name in names
    )


def _by_identity(items: list[Any], keys: tuple[str, ...]) -> dict[Hashable, list[int]]:
    places: dict[Hashable, list[int]] = {}
    for i, item in enumerate(items):
        own = tuple(getattr(item, key) for key in keys) if keys else semantic_key(item)
        places.setdefault(own, []).append(i)
    return places
