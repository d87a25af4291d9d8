"""The scheme: finds the generated functions of a kind and runs them in the order of an API server.

Generated code registers names only; a version's modules load when they are first used.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable
from functools import cached_property, partial
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

from .documents import JSON, PROTOBUF, YAML, api_version_and_kind, parse_tree
from .equality import semantic_equal
from .errors import ApiError, DecodeError
from .features import FeatureGate, Features
from .field_paths import ROOT
from .kinds import HubKind, KindVersion
from .lifecycle import deprecation_warning, served, stored, warnings_of
from .strategy import Strategy
from .validation import FieldError

if TYPE_CHECKING:
    from .json_quick import QuickDecoder
    from .native import NativeCodec

Unknown = Literal["ignore", "warn", "error"]

MEDIA_TYPES = (JSON, YAML, PROTOBUF)

HUB = "hub"


class UnknownFieldWarning(UserWarning):
    """Input has a field that its type has not; it was ignored."""


class SchemeError(ApiError):
    """The scheme has no such kind, version or media type."""


class Scheme:
    """All kinds of a generated package. Objects of versions and of hubs are its arguments and results."""

    def __init__(
        self,
        package: str,
        versions: Iterable[KindVersion],
        hubs: Iterable[HubKind],
        gates: Callable[[], tuple[tuple[FeatureGate, ...], str]],
    ) -> None:
        self._package = package
        self._versions = {(v.api_version, v.kind): v for v in versions}
        self._hubs = {h.key: h for h in hubs}
        self._by_class = {
            (f"{package}.{v.package}.types", v.kind): v for v in self._versions.values()
        }
        self._hub_by_class = {
            (f"{package}.{h.package}.types", h.kind): h for h in self._hubs.values()
        }
        self._by_hub: dict[str, dict[str, KindVersion]] = {}
        for version in self._versions.values():
            self._by_hub.setdefault(version.hub, {})[version.api_version] = version
        self._places: dict[type[object], KindVersion | HubKind] = {}
        self._functions: dict[tuple[str, str, str], Callable[..., Any]] = {}
        self._json_writers: dict[type[object], Callable[[Any], bytes]] = {}
        self._ways: dict[tuple[type[object], str], Callable[[Any, bool], Any]] = {}
        self._names = _kind_names(self._versions.values())
        self._gates = gates
        self._newest: Features | None = None
        self._strategies: dict[tuple[str, str], Strategy[Any]] = {}

    # --- bytes and objects ----------------------------------------------------------------------------------------

    def decode(
        self,
        data: bytes | str,
        media_type: str = JSON,
        *,
        default: bool = True,
        unknown: Unknown = "ignore",
        features: Features | None = None,
        expect: type[Any] | None = None,
    ) -> Any:
        """The object that `data` holds, of the version that it says (`apiVersion`, `kind`), defaulted.

        `unknown`: fields that the type has not, and names that come twice, are ignored, warned of
        (UnknownFieldWarning) or refused; protobuf has none. `expect` is the class wanted; an object that does not
        say what it is, because its kind never does, is decoded with it only. Raises DecodeError, also for a kind that
        the scheme does not have.
        """
        if self._native is not None and unknown == "ignore" and expect is None:
            obj = self._native.decode(data, media_type, None)
            if obj is not None:
                if default:
                    self._default(self._entry(obj), obj, features)
                return obj
        media = _media_type(media_type)
        silent = self._silent(expect)
        if media == PROTOBUF:
            entry, obj = self._decode_protobuf(
                data if isinstance(data, bytes) else data.encode(), silent
            )
        else:
            entry, obj = self._decode_tree(data, media, unknown, silent)
        if expect is not None and not isinstance(obj, expect):
            raise DecodeError(
                "",
                f"expected {expect.__name__}, found {entry.api_version} {entry.kind}",
            )
        if default:
            self._default(entry, obj, features)
        return obj

    def encode(
        self, obj: object, media_type: str = JSON, *, indent: int | None = None
    ) -> bytes:
        """The bytes of a version's object, as Kubernetes writes them. `indent` is for JSON. Raises EncodeError."""
        native = self._native if indent is None else None
        if native is not None:
            written = native.encode(obj, media_type)
            if written is not None:
                return written
        elif media_type == JSON and indent is None:
            write = self._json_writers.get(type(obj)) or self._json_writer(obj)
            return write(obj)
        entry = self._entry(obj)
        media = _media_type(media_type)
        if native is not None and (native.learn(entry) or media != media_type):
            written = native.encode(obj, media)
            if written is not None:
                return written
        if media == PROTOBUF:
            return self._message(entry, obj)
        encode = self._function(entry, "json_codec", f"encode_{entry.functions}")
        if media == YAML:
            from .yaml_writer import yaml_text

            return yaml_text(encode(obj)).encode()
        if indent is None:
            return self._json_writer(obj)(obj)
        from .json_writer import json_text

        return json_text(encode(obj), indent, floats_encoded=True).encode()

    def _json_writer(self, obj: object) -> Callable[[Any], bytes]:
        """What makes compact JSON of objects of this one's class; kept, as finding it takes time."""
        from .json_writer import encoded_json

        entry = self._entry(obj)
        encode = self._function(entry, "json_codec", f"encode_{entry.functions}")

        def write(obj: Any) -> bytes:
            return encoded_json(encode(obj))

        self._json_writers[type(obj)] = write
        return write

    def _message(self, entry: KindVersion, obj: Any) -> bytes:
        """The message of an object, in its envelope."""
        api_version, kind = (obj.api_version, obj.kind) if entry.type_meta else ("", "")
        from .envelope import wrap

        encode = self._function(entry, "protobuf_codec", f"encode_{entry.functions}")
        return wrap(api_version, kind, encode(obj))

    @cached_property
    def _quick_decoder(self) -> QuickDecoder:
        from .json_quick import QuickDecoder

        return QuickDecoder(
            self._found, lambda entry: self._module(entry, "json_codec")
        )

    def _silent(self, expect: type[Any] | None) -> KindVersion | None:
        """The kind of a class whose objects never say what they are; None for all others."""
        if expect is None:
            return None
        entry = self._by_class.get((expect.__module__, expect.__name__))
        return entry if entry is not None and not entry.type_meta else None

    def _decode_tree(
        self,
        data: bytes | str,
        media: str,
        unknown: Unknown,
        silent: KindVersion | None,
    ) -> tuple[KindVersion, Any]:
        if self._native is not None and media == JSON and unknown == "ignore":
            found = self._native.decode_anew(data, media, self._versions, silent)
            if found is not None:
                return found
        if media == JSON and unknown == "ignore":
            found = self._quick_decoder.decode(data, silent)
            if found is not None:
                return found
        from .json_members import UnknownMembers

        noted = None if unknown == "ignore" else UnknownMembers()
        duplicates: list[str] | None = None if unknown == "ignore" else []
        tree = parse_tree(data, media, frozenset(), duplicates)
        entry = silent or self._found(*api_version_and_kind(tree))
        codec = self._module(entry, "json_codec")
        raw_names = codec.RAW_NAMES.get(entry.kind, frozenset())
        if raw_names and media == JSON:
            tree = parse_tree(data, media, raw_names, None)
        obj = getattr(codec, f"decode_{entry.functions}")(tree, "", noted)
        if noted is not None:
            problems = [f'duplicate field "{path}"' for path in duplicates or ()]
            problems += [f'unknown field "{path}"' for path in noted.paths(tree)]
            _complain(problems, refuse=unknown == "error")
        return entry, obj

    def _decode_protobuf(
        self, data: bytes, silent: KindVersion | None
    ) -> tuple[KindVersion, Any]:
        if self._native is not None:
            found = self._native.decode_anew(data, PROTOBUF, self._versions, silent)
            if found is not None:
                return found
        from .envelope import unwrap

        envelope = unwrap(data)
        entry = silent or self._found(envelope.api_version, envelope.kind)
        decode = self._function(entry, "protobuf_codec", f"decode_{entry.functions}")
        obj = decode(envelope.raw)
        if entry.type_meta:
            obj.api_version, obj.kind = envelope.api_version, envelope.kind
        return entry, obj

    # --- versions -------------------------------------------------------------------------------------------------

    def default(self, obj: object, *, features: Features | None = None) -> None:
        """Fill in what is not set, in place. `features` left out: the newest release's defaults."""
        self._default(self._entry(obj), obj, features)

    def convert(self, obj: object, to: str, *, share: bool = False) -> Any:
        """The object in another version (`group/version`), or as `hub`, always by way of the hub.

        A kind that is seen as a type of another group's hub becomes that by its name (`apps/hub.ReplicaSet`), and an
        object of that hub any version of the kind. Raises ConversionError where a value does not fit, SchemeError where
        the kind has no such version. Nothing that can change is shared with `obj` unless `share` allows it.
        """
        native = self._native
        if native is not None:
            converted = native.convert(obj, to, share)
            if converted is not None:
                return converted
        way = self._ways.get((type(obj), to)) or self._way(obj, to)
        return way(obj, share)

    def _way(self, obj: object, to: str) -> Callable[[Any, bool], Any]:
        """What converts objects of this one's class; kept, as finding it takes longer than some conversions."""
        place = self._place(obj)
        way: Callable[[Any, bool], Any] = partial(self._converted_anyhow, to)
        if self._native is None and to not in self._hubs:
            if isinstance(place, KindVersion):
                way = self._way_to_hub(place) if to == HUB else way
            elif to in self._by_hub.get(place.key, {}):
                way = self._way_from_hub(self._by_hub[place.key][to]) or way
        self._ways[type(obj), to] = way
        return way

    def _way_to_hub(self, entry: KindVersion) -> Callable[[Any, bool], Any]:
        convert = self._function(entry, "conversions", f"{entry.functions}_to_hub")
        return lambda obj, share: convert(obj, share=share)

    def _way_from_hub(self, entry: KindVersion) -> Callable[[Any, bool], Any] | None:
        """None for a version that is its own hub."""
        if self._hubs[entry.hub].package == entry.package:
            return None
        convert = self._function(entry, "conversions", f"{entry.functions}_from_hub")
        api_version, kind = entry.api_version, entry.kind

        def from_hub(hub: object, share: bool) -> Any:
            obj = convert(hub, share=share)
            if entry.type_meta:
                obj.api_version, obj.kind = api_version, kind
            return obj

        return from_hub

    def _converted_anyhow(self, to: str, obj: object, share: bool) -> Any:
        if to in self._hubs:
            return self._to_named_hub(obj, to, share)
        place = self._place(obj)
        native = self._native
        if native is not None:
            way = self._places_on_way(place, to)
            if len(way) > 1 and native.learn_route(obj, to, way):
                converted = native.convert(obj, to, share)
                if converted is not None:
                    return converted
        copied = None if share else self._native_copy(place, obj)
        if copied is not None:
            obj, share = copied, True
        if isinstance(place, KindVersion):
            hub, key = self._to_hub(place, obj, share), place.hub
            share = True  # the hub object is nobody else's
        elif to == HUB:
            return obj if share else self.copy(obj)
        else:
            hub, key = obj, place.key
        return hub if to == HUB else self._from_hub(key, to, hub, share)

    def _places_on_way(
        self, place: KindVersion | HubKind, to: str
    ) -> tuple[KindVersion | HubKind, ...]:
        """The places on the way to the hub or to another version; none where one of them is used as another."""
        hub = self._hubs[place.hub] if isinstance(place, KindVersion) else place
        target = None if to == HUB else self._by_hub.get(hub.key, {}).get(to)
        if target is None and to != HUB:
            return ()
        versions = [each for each in (place, target) if isinstance(each, KindVersion)]
        if any(version.package == hub.package for version in versions):
            return ()
        start = () if place is hub else (place,)
        return (*start, hub) if target is None else (*start, hub, target)

    def _to_hub(self, entry: KindVersion, obj: object, share: bool) -> Any:
        return self._converted(entry, f"{entry.functions}_to_hub", obj, share)

    def _to_named_hub(self, obj: object, key: str, share: bool) -> Any:
        """The object as a type of a hub, which is its own or one that a version of its kind is seen as."""
        own = self._hub_key(obj)
        if own == key:
            return self.convert(obj, HUB, share=share)
        seen_so = {
            version: functions
            for version in self._versions.values()
            for hub, functions in version.also
            if version.hub == own and hub == key
        }
        if not seen_so:
            kind = self._hubs[own].kind
            raise SchemeError("", f"no version of {kind} is seen as {key}")
        mine = self._place(obj)
        version = (
            mine
            if isinstance(mine, KindVersion) and mine in seen_so
            else next(iter(seen_so))
        )
        if version is not mine:
            obj = self.convert(obj, version.api_version, share=share)
        return self._converted(version, f"{seen_so[version]}_to_hub", obj, share)

    def _hub_key(self, obj: object) -> str:
        """The hub type that an object is of, or that its version converts to."""
        place = self._place(obj)
        return place.hub if isinstance(place, KindVersion) else place.key

    def _from_hub(self, key: str, to: str, hub: object, share: bool) -> Any:
        targets = self._by_hub.get(key, {})
        entry = targets.get(to)
        if entry is None:
            entry, functions = self._seen_as(key, to, targets)
        elif self._hubs[entry.hub].package == entry.package:  # used as it is
            return hub if share else self.copy(hub)
        else:
            functions = entry.functions
        obj = self._converted(entry, f"{functions}_from_hub", hub, share)
        if entry.type_meta:
            obj.api_version, obj.kind = entry.api_version, entry.kind
        return obj

    def _seen_as(
        self, key: str, to: str, targets: Iterable[str]
    ) -> tuple[KindVersion, str]:
        """The kind of `to` that is seen as a hub type which is not its own, and the part of function names for that."""
        found = [
            (version, functions)
            for version in self._versions.values()
            for hub, functions in version.also
            if hub == key and version.api_version == to
        ]
        if len(found) == 1:
            return found[0]
        kind = self._hubs[key].kind
        if found:
            kinds = " and ".join(version.kind for version, _ in found)
            raise SchemeError("", f"{kinds} of {to} are both seen as {kind}")
        raise SchemeError(
            "", f"{kind} has no version {to!r}; it has {', '.join(targets)}"
        )

    def _converted(
        self, entry: KindVersion, function: str, obj: object, share: bool
    ) -> Any:
        return self._function(entry, "conversions", function)(obj, share=share)

    def _default(
        self, entry: KindVersion, obj: object, features: Features | None
    ) -> None:
        if entry.has_defaults:
            default = self._function(entry, "defaults", f"default_{entry.functions}")
            default(obj, features or self._newest_features())

    # --- objects --------------------------------------------------------------------------------------------------

    def copy(self, obj: Any) -> Any:
        """A deep copy, of an object of a version or of a hub."""
        place = self._places.get(type(obj)) or self._place(obj)
        copied = self._native_copy(place, obj)
        if copied is not None:
            return copied
        return self._function(place, "copying", f"copy_{place.functions}")(obj)

    def _native_copy(self, place: KindVersion | HubKind, obj: object) -> Any:
        """A deep copy by the native codec, or None."""
        native = self._native
        if native is None:
            return None
        copied = native.copy(obj)
        if copied is None and native.load(place.package):
            copied = native.copy(obj)
        return copied

    def equal(self, a: object, b: object) -> bool:
        """Semantic equality: absent and empty lists and maps are equal, quantities by value, times by instant."""
        return semantic_equal(a, b)

    # --- what there is --------------------------------------------------------------------------------------------

    def kinds(self) -> tuple[str, ...]:
        """The kinds, lists left out; one whose name two groups share is written with its group."""
        return tuple(self._names)

    def versions(self, kind: str) -> tuple[str, ...]:
        """The `group/version`s of a kind, in the order of the specs. Raises SchemeError for no such kind."""
        return tuple(v.api_version for v in self._kind(kind))

    def served_versions(
        self,
        kind: str,
        release: str | None = None,
        *,
        features: Features | None = None,
        keep_removed: bool = False,
        forward_compatible: bool = False,
        enabled: Collection[str] = (),
    ) -> tuple[str, ...]:
        """The `group/version`s of a kind that a server of a release serves, the preferred one first.

        The release is the one named, else that which `features` emulate, else the newest. What is removed in that very
        release is gone, unless `keep_removed`. What comes later is hidden, unless `enabled` names it (`group/version`),
        or `forward_compatible` and an older version, no alpha, is served. Raises SchemeError for no such kind.
        """
        at = release or (features or self._newest_features()).release
        found = served(
            self._kind(kind),
            at,
            keep_removed=keep_removed,
            forward_compatible=forward_compatible,
            enabled=enabled,
        )
        return tuple(v.api_version for v in found)

    def storage_version(
        self, kind: str, *, features: Features | None = None
    ) -> str | None:
        """The `group/version` in which a kind is stored; None where it has none.

        With `features`, what a server stores that emulates their release and may have to go back to their minimum
        compatibility version: what that one knows already. Raises SchemeError for no such kind.
        """
        version = stored(self._kind(kind), features)
        return None if version is None else version.api_version

    def deprecation_warning(
        self, obj: object, release: str | None = None
    ) -> str | None:
        """The words that an API server of `release` (left out: any) sends with the object; None if not deprecated."""
        return deprecation_warning(self._entry(obj), release)

    def warnings(self, obj: object, release: str | None = None) -> list[str]:
        """What an API server of `release` (left out: any) warns of when it takes the object.

        That its kind is deprecated, in the words of `deprecation_warning`, then each field that is set and each value
        that is deprecated: `spec.x: deprecated since v1.11`.
        """
        entry = self._entry(obj)
        of_kind = deprecation_warning(entry, release)
        found = [] if of_kind is None else [of_kind]
        if entry.has_deprecations:
            module = self._module(entry, "deprecations")
            inside = getattr(module, f"{entry.functions}_deprecations")(obj, "")
            found += warnings_of(inside, release)
        return found

    def features(
        self, release: str | None = None, *, min_compatibility: str | None = None
    ) -> Features:
        """The feature gates as of a release; left out: the newest. `min_compatibility`: see `Features`."""
        gates, newest = self._gates()
        return Features(gates, release or newest, min_compatibility=min_compatibility)

    def strategy(self, kind: str, subresource: str = "") -> Strategy[Any]:
        """What is done to hub objects of a kind before they are stored. Raises SchemeError where there is none."""
        hub = self._hubs[self._kind(kind)[0].hub]
        if subresource and subresource not in hub.subresources:
            there = ", ".join(hub.subresources) or "none"
            raise SchemeError(
                "", f"{kind} has no subresource {subresource!r}; it has {there}"
            )
        key = (hub.key, subresource)
        if key not in self._strategies:
            self._strategies[key] = self._make_strategy(hub, subresource)
        return self._strategies[key]

    def _make_strategy(self, hub: HubKind, subresource: str) -> Strategy[Any]:
        suffix = f"_for_{subresource}" if subresource else ""
        make = getattr(
            self._module(hub, "strategies"), f"{hub.functions}_strategy{suffix}"
        )
        strategy: Strategy[Any] = make()
        strategy.read_requests_by(
            lambda obj, old: self._from_request(hub, subresource, obj, old)
        )
        return strategy

    def _from_request(
        self, hub: HubKind, subresource: str, obj: object, old: object
    ) -> tuple[Any, list[FieldError]]:
        """The hub object that a request means; what of it the subresource does not write is converted as it is."""
        if self._hub_key(obj) != hub.key:
            raise SchemeError("", f"{type(obj).__name__} is no {hub.kind}")
        entry = self._place(obj)
        if isinstance(entry, HubKind) or not entry.has_singulars:
            return self.convert(obj, HUB), []
        module = self._module(entry, "singulars")
        suffix = f"_for_{subresource}" if subresource else ""
        errors: list[FieldError] = []
        normalize = getattr(module, f"normalize_{entry.functions}{suffix}", None)
        if normalize is not None:
            before = None
            if old is not None:
                before = self.convert(old, entry.api_version)
            obj = self.copy(obj)
            normalize(obj, before, ROOT, errors)
        found = self.convert(obj, HUB)
        restore = getattr(module, f"restore_{entry.functions}{suffix}", None)
        if restore is not None and old is not None:
            restore(found, self.copy(old))
        return found, errors

    @cached_property
    def _native(self) -> NativeCodec | None:
        from .native import native_codec

        return native_codec(self._package)

    # --- lookups --------------------------------------------------------------------------------------------------

    def _newest_features(self) -> Features:
        if self._newest is None:
            self._newest = self.features()
        return self._newest

    def _module(self, entry: KindVersion | HubKind, name: str) -> ModuleType:
        return import_module(f"{self._package}.{entry.package}.{name}")

    def _function(
        self, entry: KindVersion | HubKind, module: str, name: str
    ) -> Callable[..., Any]:
        key = (entry.package, module, name)
        function = self._functions.get(key)
        if function is None:
            function = getattr(self._module(entry, module), name)
            self._functions[key] = function
        return function

    def _entry(self, obj: object) -> KindVersion:
        place = self._place(obj)
        if isinstance(place, HubKind):  # perhaps a version as well, used as it is
            version = self._by_class.get(_class_key(obj))
            if version is None:
                raise _no_version(obj)
            return version
        return place

    def _place(self, obj: object) -> KindVersion | HubKind:
        """The kind's version or hub that an object is of."""
        place = self._places.get(type(obj))
        if place is None:
            key = _class_key(obj)
            place = self._hub_by_class.get(key) or self._by_class.get(key)
            if place is None:
                raise _no_version(obj)
            self._places[type(obj)] = place
        return place

    def _kind(self, kind: str) -> tuple[KindVersion, ...]:
        found = self._names.get(kind)
        if found is None:
            shared = [name for name in self._names if name.startswith(f"{kind}.")]
            hint = f"; say {' or '.join(shared)}" if shared else ""
            raise SchemeError("", f"there is no kind {kind!r}{hint}")
        return found

    def _found(self, api_version: str, kind: str) -> KindVersion:
        if not kind:
            raise DecodeError("", "`kind` is missing")
        if not api_version:
            raise DecodeError("", "`apiVersion` is missing")
        if api_version.count("/") > 1:
            raise DecodeError(
                "apiVersion", f"expected group/version, found {api_version!r}"
            )
        entry = self._versions.get((api_version, kind))
        if entry is None:
            raise DecodeError(
                "", f"there is no kind {kind!r} in version {api_version!r}"
            )
        return entry


def _kind_names(versions: Iterable[KindVersion]) -> dict[str, tuple[KindVersion, ...]]:
    by_group: dict[tuple[str, str], list[KindVersion]] = {}
    for version in versions:
        if not version.is_list:
            by_group.setdefault((version.kind, version.group), []).append(version)
    groups: dict[str, int] = {}
    for kind, _ in by_group:
        groups[kind] = groups.get(kind, 0) + 1
    return {
        (kind if groups[kind] == 1 else f"{kind}.{group}" if group else kind): tuple(
            found
        )
        for (kind, group), found in by_group.items()
    }


def _class_key(obj: object) -> tuple[str, str]:
    return type(obj).__module__, type(obj).__name__


def _no_version(obj: object) -> SchemeError:
    name = f"{type(obj).__module__}.{type(obj).__name__}"
    return SchemeError("", f"{name} is no class of a kind's version")


def _media_type(text: str) -> str:
    if text in MEDIA_TYPES:
        return text
    media = text.partition(";")[0].strip().lower()
    if media not in MEDIA_TYPES:
        raise SchemeError(
            "", f"no media type {text!r}; there are {', '.join(MEDIA_TYPES)}"
        )
    return media


def _complain(problems: list[str], *, refuse: bool) -> None:
    if problems and refuse:
        raise DecodeError("", "; ".join(problems))
    for problem in problems:
        warnings.warn(problem, UnknownFieldWarning, stacklevel=4)
