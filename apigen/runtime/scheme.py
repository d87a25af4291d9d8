"""The scheme: finds the generated functions of a kind and runs them in the order of an API server.

Generated code registers names only; a version's modules load when they are first used.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable
from functools import cached_property

from .documents import JSON, PROTOBUF, YAML, api_version_and_kind, parse_tree
from .equality import semantic_equal
from .errors import DecodeError, SchemeError
from .features import FeatureGate, Features
from .kind_table import KindTable
from .kinds import HubKind, KindVersion
from .lifecycle import deprecation_warning, served, stored, warnings_of

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

    from .conversion_ways import ConversionWays
    from .json_quick import QuickDecoder
    from .native import NativeCodec
    from .strategy import Strategy

    Defaulter = Callable[[Any, Features], None]
    Unknown: TypeAlias = Literal["ignore", "warn", "error"]
else:
    Unknown = str

__all__ = ["MEDIA_TYPES", "Scheme", "SchemeError", "Unknown", "UnknownFieldWarning"]

MEDIA_TYPES = (JSON, YAML, PROTOBUF)


class UnknownFieldWarning(UserWarning):
    """Input has a field that its type has not; it was ignored."""


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
        self._kinds = KindTable(package, versions, hubs)
        self._entry = self._kinds.entry
        self._function = self._kinds.function
        self._json_writers: dict[type[object], Callable[[Any], bytes]] = {}
        self._copiers: dict[type[object], Callable[[Any], Any]] = {}
        self._defaulters: dict[type[object], Defaulter | None] = {}
        self._ways: dict[tuple[type[object], str], Callable[..., Any]] = {}
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
        native = self._native
        if native is not None and unknown == "ignore" and expect is None:
            obj = native.decode(data, media_type, None)
            if obj is not None:
                if default:
                    self.default(obj, features=features)
                return obj
        media = _media_type(media_type)
        silent = None if expect is None else self._kinds.silent(expect)
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
            self.default(obj, features=features)
        return obj

    def encode(
        self, obj: object, media_type: str = JSON, *, indent: int | None = None
    ) -> bytes:
        """The bytes of a version's object, as Kubernetes writes them. `indent` is for JSON. Raises EncodeError."""
        if media_type == JSON and indent is None:
            write = self._json_writers.get(type(obj))
            if write is not None:
                return write(obj)
        native = self._native if indent is None else None
        if native is not None:
            written = native.encode(obj, media_type)
            if written is not None:
                return written
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
        """What makes compact JSON of objects of this one's class.

        Kept, as finding it takes time, unless there is the extension, which has to be asked first.
        """
        from .json_writer import encoded_json

        entry = self._entry(obj)
        encode = self._function(entry, "json_codec", f"encode_{entry.functions}")

        def write(obj: Any) -> bytes:
            return encoded_json(encode(obj))

        if self._native is None:
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
            self._kinds.found, lambda entry: self._kinds.module(entry, "json_codec")
        )

    def _decode_tree(
        self,
        data: bytes | str,
        media: str,
        unknown: Unknown,
        silent: KindVersion | None,
    ) -> tuple[KindVersion, Any]:
        if self._native is not None and media == JSON and unknown == "ignore":
            found = self._native.decode_anew(data, media, self._kinds.versions, silent)
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
        entry = silent or self._kinds.found(*api_version_and_kind(tree))
        codec = self._kinds.module(entry, "json_codec")
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
            found = self._native.decode_anew(
                data, PROTOBUF, self._kinds.versions, silent
            )
            if found is not None:
                return found
        from .envelope import unwrap

        envelope = unwrap(data)
        entry = silent or self._kinds.found(envelope.api_version, envelope.kind)
        decode = self._function(entry, "protobuf_codec", f"decode_{entry.functions}")
        obj = decode(envelope.raw)
        if entry.type_meta:
            obj.api_version, obj.kind = envelope.api_version, envelope.kind
        return entry, obj

    # --- versions -------------------------------------------------------------------------------------------------

    def default(self, obj: object, *, features: Features | None = None) -> None:
        """Fill in what is not set, in place. `features` left out: the newest release's defaults."""
        try:
            default = self._defaulters[type(obj)]
        except KeyError:
            default = self._defaulter(obj)
        if default is not None:
            default(obj, features or self._newest_features())

    def _defaulter(self, obj: object) -> Defaulter | None:
        """What fills in objects of this one's class; kept, as finding it takes longer than some defaults."""
        entry, default = self._entry(obj), None
        if entry.has_defaults:
            default = self._function(entry, "defaults", f"default_{entry.functions}")
        self._defaulters[type(obj)] = default
        return default

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
        return way(obj, share=share)

    def _way(self, obj: object, to: str) -> Callable[..., Any]:
        """What converts objects of this one's class; kept, as finding it takes longer than some conversions."""
        way = self._conversion_ways.find(obj, to)
        self._ways[type(obj), to] = way
        return way

    @cached_property
    def _conversion_ways(self) -> ConversionWays:
        from .conversion_ways import ConversionWays

        return ConversionWays(self, self._kinds, self._native)

    # --- objects --------------------------------------------------------------------------------------------------

    def copy(self, obj: Any) -> Any:
        """A deep copy, of an object of a version or of a hub."""
        native = self._native
        if native is not None:
            copied = native.copy(obj)
            if copied is None:
                copied = native.copy_anew(obj, self._kinds.place(obj).package)
            if copied is not None:
                return copied
        copy = self._copiers.get(type(obj)) or self._copier(obj)
        return copy(obj)

    def _copier(self, obj: object) -> Callable[[Any], Any]:
        """What copies objects of this one's class; kept, as finding it takes longer than some copies."""
        place = self._kinds.place(obj)
        copy = self._function(place, "copying", f"copy_{place.functions}")
        self._copiers[type(obj)] = copy
        return copy

    def equal(self, a: object, b: object) -> bool:
        """Semantic equality: absent and empty lists and maps are equal, quantities by value, times by instant."""
        return semantic_equal(a, b)

    # --- what there is --------------------------------------------------------------------------------------------

    def kinds(self) -> tuple[str, ...]:
        """The kinds, lists left out; one whose name two groups share is written with its group."""
        return tuple(self._kinds.names)

    def versions(self, kind: str) -> tuple[str, ...]:
        """The `group/version`s of a kind, in the order of the specs. Raises SchemeError for no such kind."""
        return tuple(v.api_version for v in self._kinds.kind(kind))

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
            self._kinds.kind(kind),
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
        version = stored(self._kinds.kind(kind), features)
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
            module = self._kinds.module(entry, "deprecations")
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
        hub = self._kinds.hubs[self._kinds.kind(kind)[0].hub]
        if subresource and subresource not in hub.subresources:
            there = ", ".join(hub.subresources) or "none"
            raise SchemeError(
                "", f"{kind} has no subresource {subresource!r}; it has {there}"
            )
        key = (hub.key, subresource)
        if key not in self._strategies:
            from .strategy_of_kind import strategy_of_kind

            made = strategy_of_kind(self, self._kinds, hub, subresource)
            self._strategies[key] = made
        return self._strategies[key]

    @cached_property
    def _native(self) -> NativeCodec | None:
        from .native import native_codec

        return native_codec(self._package)

    def _newest_features(self) -> Features:
        if self._newest is None:
            self._newest = self.features()
        return self._newest


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
