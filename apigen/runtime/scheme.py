"""The scheme: finds the generated functions of a kind and runs them in the order of an API server.

Generated code registers names only; a version's modules load when they are first used.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property

from .documents import (
    JSON,
    PROTOBUF,
    YAML,
    Tree,
    api_version_and_kind,
    decodable,
    parse_tree,
    possible_kinds,
)
from .equality import semantic_equal
from .errors import (
    ApiError,
    ConversionError,
    DecodeError,
    DecodeErrors,
    EncodeError,
    SchemeError,
    StrictDecodingError,
    class_name,
    describe,
)
from .features import FeatureGate, Features, unknown_series
from .kinds import HUB, HubKind, KindTable, KindVersion
from .lifecycle import deprecation_warning, served, stored, warnings_of

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

    from .conversion_ways import ConversionWays
    from .documents import Document
    from .json_quick import QuickDecoder
    from .kinds import Kind
    from .native import NativeCodec
    from .strategy import Strategy

    Defaulter = Callable[[Any, Features], None]
    Missing: TypeAlias = Literal["ignore", "error"]
    Unknown: TypeAlias = Literal["ignore", "warn", "error"]
    Errors: TypeAlias = Literal["first", "all"]
else:
    Missing = Unknown = str

__all__ = [
    "MEDIA_TYPES",
    "Missing",
    "Scheme",
    "SchemeError",
    "Unknown",
    "UnknownFieldWarning",
]

MEDIA_TYPES = (JSON, YAML, PROTOBUF)

_UNKNOWN = ("ignore", "warn", "error")
_MISSING = ("ignore", "error")
_ERRORS = ("first", "all")
_CALLER = 5
"""Number of frames from the warning of an unknown field to the caller of the scheme."""


class UnknownFieldWarning(UserWarning):
    """Input has a field that its type has not; it was ignored."""


class _Options:
    """The options of `Scheme.decode`. Raises SchemeError for a value that no option has."""

    __slots__ = ("default", "errors", "expect", "features", "missing", "unknown")

    def __init__(
        self,
        default: bool,
        unknown: Unknown,
        missing: Missing,
        features: Features | None,
        expect: Kind | None,
        errors: Errors,
    ) -> None:
        if unknown not in _UNKNOWN:
            raise SchemeError("", f"`unknown` is one of {_UNKNOWN}, not {unknown!r}")
        if missing not in _MISSING:
            raise SchemeError("", f"`missing` is one of {_MISSING}, not {missing!r}")
        if errors not in _ERRORS:
            raise SchemeError("", f"`errors` is one of {_ERRORS}, not {errors!r}")
        self.default = default
        self.unknown = unknown
        self.missing = missing
        self.features = features
        self.expect = expect
        self.errors = errors


class Scheme:
    """All kinds of a generated package. Objects of versions and of hubs are its arguments and results."""

    def __init__(
        self,
        package: str,
        versions: Iterable[KindVersion],
        hubs: Iterable[HubKind],
        gates: Callable[[], tuple[tuple[FeatureGate, ...], Mapping[str, str], str]],
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
        self._strategies: dict[tuple[str, ...], Strategy[Any]] = {}

    # --- bytes and objects ----------------------------------------------------------------------------------------

    def decode(
        self,
        data: bytes | str | Mapping[str, object],
        media_type: str = JSON,
        *,
        default: bool = True,
        unknown: Unknown = "ignore",
        missing: Missing = "ignore",
        features: Features | None = None,
        expect: Kind | None = None,
        errors: Errors = "first",
    ) -> Any:
        """Decode an object of the version that its `apiVersion` and `kind` name, and default it.

        `data` is bytes or text of the media type, or a mapping of JSON values with the names of the wire, which is
        neither changed nor kept. An input with several documents is an error: see `decode_all`.

        `unknown`: fields that the type does not have, and names that occur twice, are ignored, reported as
        UnknownFieldWarning, or rejected; protobuf has none. `expect` is the kind wanted: a class or a triple for
        one version, a name for all. A kind whose objects do not have `apiVersion` and `kind` is decoded with it only.

        `missing="error"` reports required fields that neither the document nor a default sets, as the published schema
        does, except in the built-in groups of Kubernetes: kube-apiserver accepts such documents. Of protobuf, only
        fields that are `None` when they are unset can be seen to be missing.

        Raises DecodeError, also for a kind that the scheme does not have. With `errors="all"` it is DecodeErrors, a
        group of the errors of all wrong values, in the order in which the fields are declared. Protobuf cannot be read
        beyond its first error. Raises SchemeError for wrong options.
        """
        native = self._native
        tried = native is not None and unknown == missing == "ignore" and expect is None
        if native is not None and tried:
            obj = native.decode(data, media_type, None)
            if obj is not None:
                if default:
                    self.default(obj, features=features)
                return obj
        options = _Options(default, unknown, missing, features, expect, errors)
        return self._decode(data, _media_type(media_type), options, tried=tried)

    def decode_all(
        self,
        data: bytes | str | Mapping[str, object],
        media_type: str = JSON,
        *,
        default: bool = True,
        unknown: Unknown = "ignore",
        missing: Missing = "ignore",
        features: Features | None = None,
        expect: Kind | None = None,
        errors: Errors = "first",
    ) -> Iterator[Any]:
        """Decode the objects of an input one by one, in their order; the options are those of `decode`.

        These are the documents of a YAML stream, JSON values one after the other, and the items of a `List` of
        `apiVersion: v1`, which are of any kinds. A list of one kind (`PodList`) is one object. Documents that are empty
        or `null` are skipped. Protobuf contains one object.

        Raises DecodeError when the document with the error is reached. If there are several documents, the error
        has the number of this one in `document` (from 1), and the line on which it starts in `line`.
        """
        from .documents import documents

        media = _media_type(media_type)
        options = _Options(default, unknown, missing, features, expect, errors)
        if expect is not None:
            self._kinds.expected(expect)
        found = documents(decodable(data), media, unknown != "ignore")

        def objects() -> Iterator[Any]:
            for document in found:
                try:
                    if document.data is None:
                        self._reject_list(document, options)
                        continue
                    obj = self._decode(document.data, media, options)
                except DecodeError as error:
                    raise document.located(error) from None
                yield obj

        return objects()

    def _decode(
        self,
        data: bytes | str | Mapping[str, object] | Tree,
        media: str,
        options: _Options,
        *,
        tried: bool = False,
    ) -> Any:
        """Decode an object; `tried`: the extension has already left it to Python."""
        expect = options.expect
        expected = None if expect is None else self._kinds.expected(expect)
        silent = None
        if (
            expected is not None
            and len(expected[1]) == 1
            and not expected[1][0].type_meta
        ):
            silent = expected[1][0]
        rejected: list[DecodeError] = []
        tree: object = None
        try:
            source = decodable(data)
            if media == PROTOBUF and not isinstance(source, Tree):
                entry, obj = self._decode_protobuf(source, silent, tried)
            else:
                entry, obj, tree = self._decode_tree(
                    source, media, options, silent, rejected, tried
                )
            if expected is not None and entry not in expected[1]:
                found = f"{entry.api_version} {entry.kind}"
                raise DecodeError("", f"expected {expected[0]}, found {found}")
        except DecodeError as error:
            if options.errors == "first":
                raise
            raise self._all_errors(
                data, media, options, silent, error, rejected
            ) from None
        if options.default:
            self.default(obj, features=options.features)
        if options.missing == "error":
            self._reject_missing(entry, tree, obj, options)
        return obj

    def _reject_missing(
        self, entry: KindVersion, tree: object, obj: Any, options: _Options
    ) -> None:
        """Raise the errors for required fields that are missing in a document, in the order of the fields.

        `tree` is the parsed document; None for protobuf.
        """
        if not entry.has_required:
            return
        from .required import missing_fields

        defaulted = obj
        if not options.default and entry.has_defaults:
            defaulted = self.copy(obj)
            self.default(defaulted, features=options.features)
        table = self._kinds.module(entry, "required")
        found = missing_fields(tree, defaulted, table.REQUIRED, table.DEFAULTS)
        if options.errors == "first":
            for error in found:
                raise error
        elif errors := list(found):
            raise DecodeErrors(errors)

    def _all_errors(
        self,
        data: bytes | str | Mapping[str, object] | Tree,
        media: str,
        options: _Options,
        silent: KindVersion | None,
        first: DecodeError,
        rejected: list[DecodeError],
    ) -> DecodeErrors:
        """The errors of all wrong values in a document of which decoding has failed, `first` being the first of them."""
        if rejected:
            return DecodeErrors(rejected)
        duplicates: list[str] = []
        try:
            source = decodable(data)
            if isinstance(source, Tree):
                tree, duplicates = source.value, source.duplicates or []
            elif media == PROTOBUF:
                return DecodeErrors([first])
            else:
                tree = parse_tree(source, media, frozenset(), duplicates)
            entry = silent or self._kinds.found(*api_version_and_kind(tree))
        except DecodeError:
            return DecodeErrors([first])
        from .checking import wrong_values

        cls = getattr(self._kinds.module(entry, "types"), entry.kind)
        found, paths = wrong_values(cls, tree)
        if not found or (found[0].path, found[0].problem) != (
            first.path,
            first.problem,
        ):
            found.insert(0, first)  # which is not about a value of a wrong type
        if options.unknown == "error":
            found += [DecodeError(path, "duplicate field") for path in duplicates]
            found += [DecodeError(path, "unknown field") for path in paths]
        return DecodeErrors(found)

    def _reject_list(self, document: Document, options: _Options) -> None:
        """Report the repeated and unknown fields of a `List`."""
        problems = document.problems or []
        rejects = options.unknown == "error"
        if problems and rejects and options.errors == "all":
            raise DecodeErrors(problems)
        _complain(problems, reject=rejects, level=_CALLER - 1)

    def to_dict(self, obj: object) -> dict[str, Any]:
        """Return an object of a version as the plain dicts, lists and values of its JSON.

        Nothing is shared with the object. Raises EncodeError, for all that `encode` does.
        """
        import json

        from .json_reader import is_ordinary, parse_json

        text = self.encode(obj).decode()
        try:
            if is_ordinary(text):
                found: dict[str, Any] = json.loads(text)
                return found
        except (ValueError, RecursionError):
            pass  # raw JSON that is nested deeper, or has longer numbers, than this parser accepts
        from .documents import copied_tree

        try:
            tree = parse_json(text)
            assert isinstance(tree, dict)
            return copied_tree(tree, plain_numbers=True)
        except DecodeError as error:
            raise EncodeError(error.path, error.problem) from None

    def from_dict(
        self,
        mapping: Mapping[str, object],
        *,
        default: bool = True,
        unknown: Unknown = "ignore",
        missing: Missing = "ignore",
        features: Features | None = None,
        expect: Kind | None = None,
        errors: Errors = "first",
    ) -> Any:
        """Decode an object from JSON values with the names of the wire; the opposite of `to_dict`.

        It is `decode` for mappings only: with the same options, checks and errors.
        """
        if not isinstance(mapping, Mapping):
            raise DecodeError("", f"expected a mapping, found {describe(mapping)}")
        options = _Options(default, unknown, missing, features, expect, errors)
        return self._decode(mapping, JSON, options)

    def encode(
        self, obj: object, media_type: str = JSON, *, indent: int | None = None
    ) -> bytes:
        """Return the bytes of a version's object, as Kubernetes writes them; `apiVersion` and `kind` are those of its
        class.

        `indent` is for JSON. The result can be decoded again: raises EncodeError with the path of the first value that
        is not of its field's type, is out of range, or that the format cannot hold. An aware `datetime` is written as
        the time of its field is. Raises SchemeError for an object that is not of a version.
        """
        try:
            if media_type == JSON and indent is None:
                write = self._json_writers.get(type(obj))
                if write is not None:
                    return write(obj)
            return self._encoded(obj, media_type, indent)
        except SchemeError:
            raise
        except Exception:
            # of any class: generated code writes values without checking their types
            from .checking import encode_error  # imported on errors only

            found = encode_error(obj, _media_type(media_type))
            if found is None:
                raise
            raise found from None

    def _encoded(self, obj: object, media_type: str, indent: int | None) -> bytes:
        """The bytes of an object of a class that may not have been met."""
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
        if media == YAML:
            from .yaml_writer import yaml_text

            text = yaml_text(self._tree_writer(entry)(obj))
            if "\ufffd" in text:
                # `yaml_text` writes it for characters that UTF-8 cannot encode, too
                _check_utf8(obj, media)
            return text.encode()
        if indent is None:
            return self._json_writer(obj)(obj)
        from .json_writer import json_text

        tree = self._tree_writer(entry)(obj)
        return json_text(tree, indent, floats_encoded=True).encode()

    def encode_all(
        self,
        objects: Iterable[object],
        media_type: str = JSON,
        *,
        indent: int | None = None,
    ) -> bytes:
        """Return the bytes of several objects, for `decode_all` and `kubectl apply`.

        YAML is a stream of documents; JSON is a sequence of values, one per line (unless `indent` is
        passed). Protobuf contains exactly one object. Raises EncodeError, which has the number of the object in `document`
        (from 1), and SchemeError.
        """
        media = _media_type(media_type)
        written: list[bytes] = []
        for number, obj in enumerate(objects, 1):
            if media == PROTOBUF and number > 1:
                raise EncodeError("", "protobuf holds one object, found several")
            try:
                written.append(self.encode(obj, media, indent=indent))
            except ApiError as error:
                error.document = number
                raise
        if media == PROTOBUF and not written:
            raise EncodeError("", "protobuf holds one object, found none")
        if media == JSON:
            return b"".join(text + b"\n" for text in written)
        return (b"---\n" if media == YAML else b"").join(written)

    def _tree_writer(self, entry: KindVersion) -> Callable[[Any], dict[str, object]]:
        """Return the function that encodes an object as a tree, with the `apiVersion` and `kind` of its class."""
        encode = self._function(entry, "json_codec", f"encode_{entry.functions}")
        if not entry.type_meta:
            return encode
        api_version, kind = entry.api_version, entry.kind

        def encode_document(obj: Any) -> dict[str, object]:
            tree: dict[str, object] = encode(obj)
            if obj.kind == kind and obj.api_version == api_version:
                return tree
            return _with_type_meta(tree, api_version, kind)

        return encode_document

    def _json_writer(self, obj: object) -> Callable[[Any], bytes]:
        """Return the function that encodes objects of this object's class as compact JSON.

        It is cached, because finding it takes time, unless the native extension exists, which is tried first. Both
        functions do the work of `_tree_writer` in place: a call takes a tenth of the time that a small object does.
        """
        from .json_writer import encoded_json

        entry = self._entry(obj)
        encode = self._function(entry, "json_codec", f"encode_{entry.functions}")
        api_version, kind = entry.api_version, entry.kind

        def write(obj: Any) -> bytes:
            tree = encode(obj)
            if obj.kind != kind or obj.api_version != api_version:
                tree = _with_type_meta(tree, api_version, kind)
            return encoded_json(tree)

        def write_as_it_is(obj: Any) -> bytes:
            return encoded_json(encode(obj))

        writer = write if entry.type_meta else write_as_it_is
        if self._native is None:
            self._json_writers[type(obj)] = writer
        return writer

    def _message(self, entry: KindVersion, obj: Any) -> bytes:
        """The message of an object, in its envelope."""
        from .wire import wrap

        encode = self._function(entry, "protobuf_codec", f"encode_{entry.functions}")
        names = (entry.api_version, entry.kind) if entry.type_meta else ("", "")
        return wrap(*names, encode(obj))

    @cached_property
    def _quick_decoder(self) -> QuickDecoder:
        from .json_quick import QuickDecoder

        return QuickDecoder(
            self._kinds.found, lambda entry: self._kinds.module(entry, "json_codec")
        )

    def _decode_tree(
        self,
        data: bytes | str | Tree,
        media: str,
        options: _Options,
        silent: KindVersion | None,
        rejected: list[DecodeError],
        tried: bool,
    ) -> tuple[KindVersion, Any, object]:
        """The kind of a document, its object, and its tree if that is needed to see which fields are missing.

        Unknown fields that are errors are added to `rejected`, one by one.
        """
        lenient = options.unknown == options.missing == "ignore"
        if media == JSON and lenient and not isinstance(data, Tree):
            if self._native is not None:
                found = self._native.decode_new(
                    data, media, self._kinds.versions, silent, tried=tried
                )
                if found is not None:
                    return *found, None
            found = self._quick_decoder.decode(data, silent)
            if found is not None:
                return *found, None
        from .json_reader import may_hold
        from .json_values import MAX_UNKNOWN, UnknownMembers

        noted = None if options.unknown == "ignore" else UnknownMembers()
        duplicates: list[str] | None = None if noted is None else []
        if isinstance(data, Tree):
            tree, duplicates = data.value, data.duplicates
            entry = silent or self._kinds.found(*api_version_and_kind(tree))
        else:
            likely = silent
            if media == JSON and likely is None:
                likely = self._likely_kind(data)
            likely_names = self._raw_names(likely, media)
            tree = parse_tree(data, media, likely_names, duplicates)
            entry = silent or self._kinds.found(*api_version_and_kind(tree))
            raw_names = self._raw_names(entry, media)
            if raw_names != likely_names and may_hold(data, raw_names | likely_names):
                tree = parse_tree(data, media, raw_names, None)
        codec = self._kinds.module(entry, "json_codec")
        obj = getattr(codec, f"decode_{entry.functions}")(tree, "", noted)
        if entry.type_meta:  # which the document may have in other capitals
            obj.api_version, obj.kind = entry.api_version, entry.kind
        if noted is not None:
            problems = [DecodeError(p, "duplicate field") for p in duplicates or ()]
            problems += [DecodeError(p, "unknown field") for p in noted.paths(tree)]
            problems = problems[:MAX_UNKNOWN]
            if options.unknown == "error":
                rejected += problems
            _complain(problems, reject=options.unknown == "error", level=_CALLER)
        return entry, obj, tree

    def _likely_kind(self, data: bytes | str) -> KindVersion | None:
        """Return the first kind that a JSON text names: with the right one, the text is parsed only once."""
        versions = self._kinds.versions
        found = (versions[pair] for pair in possible_kinds(data) if pair in versions)
        return next(found, None)

    def _raw_names(self, entry: KindVersion | None, media: str) -> frozenset[str]:
        """Return the members whose source text is kept in documents of a kind; only for JSON."""
        if entry is None or media != JSON:
            return frozenset()
        names = self._kinds.module(entry, "json_codec").RAW_NAMES
        found: frozenset[str] = names.get(entry.kind, frozenset())
        return found

    def _decode_protobuf(
        self, data: bytes | str, silent: KindVersion | None, tried: bool
    ) -> tuple[KindVersion, Any]:
        if isinstance(data, str):
            data = data.encode("utf-8", "replace")
        if self._native is not None:
            found = self._native.decode_new(
                data, PROTOBUF, self._kinds.versions, silent, tried=tried
            )
            if found is not None:
                return found
        from .wire import unwrap

        envelope = unwrap(data)
        entry = silent or self._kinds.found(envelope.api_version, envelope.kind)
        decode = self._function(entry, "protobuf_codec", f"decode_{entry.functions}")
        obj = decode(envelope.raw)
        if entry.type_meta:
            obj.api_version, obj.kind = envelope.api_version, envelope.kind
        return entry, obj

    # --- versions -------------------------------------------------------------------------------------------------

    def default(self, obj: object, *, features: Features | None = None) -> None:
        """Set defaults of unset fields, in place. Without `features`, the defaults of the next release apply.

        Raises ApiError with the path of a value whose class is not that of its field, if it prevents defaulting.
        """
        try:
            default = self._defaulters[type(obj)]
        except KeyError:
            default = self._defaulter(obj)
        if default is not None:
            try:
                default(obj, features or self._newest_features)
            except Exception as error:
                from .checking import raise_for_part

                raise_for_part(error, ApiError, obj)
                raise

    def _defaulter(self, obj: object) -> Defaulter | None:
        """Return the function that sets the defaults of this object's class; cached, because finding it may take
        longer than calling it.
        """
        entry, default = self._entry(obj), None
        if entry.has_defaults:
            default = self._function(entry, "defaults", f"default_{entry.functions}")
        self._defaulters[type(obj)] = default
        return default

    def convert(
        self, obj: object, to: Kind, *, share: bool = False, context: object = None
    ) -> Any:
        """Return the object in another version, or in the hub, always converted through the hub.

        `to` is a `group/version`, `hub`, a class of a version or of the hub, or a triple (group, version, kind). A kind
        that is seen as a type of another group's hub becomes that by its name (`apps/hub.ReplicaSet`), and an object of
        that hub any version of the kind. Raises ConversionError with the path of a value that does not fit, or whose
        class is not that of its field; SchemeError where the kind has no such version. No mutable value is
        shared with `obj` unless `share` allows it.

        `context` is passed to hand-written functions that take one; without it, these raise ConversionError.
        """
        if context is not None:
            from .conversion import with_conversion_context

            with with_conversion_context(context):
                return self.convert(obj, to, share=share)
        if type(to) is not str:
            return self._convert_to_kind(obj, to, share)
        native = self._native
        if native is not None:
            converted = native.convert(obj, to, share)
            if converted is not None:
                return converted
        try:
            way = self._ways.get((type(obj), to)) or self._way(obj, to)
            return way(obj, share=share)
        except ConversionError as error:
            from .checking import locate_conversion

            locate_conversion(error)
            raise
        except Exception as error:
            from .checking import raise_for_part

            raise_for_part(error, ConversionError, obj)
            raise

    def _convert_to_kind(self, obj: object, to: Kind, share: bool) -> Any:
        """The object as one of a class or a triple."""
        name, place = self._kinds.target(to), self._kinds.place(obj)
        if name == self._kinds.hub_key(place):
            name = HUB
        converted = self.convert(obj, name, share=share)
        if not isinstance(to, str) and not self._kinds.is_of(converted, to):
            target = "/".join(to) if isinstance(to, tuple) else class_name(to)
            raise SchemeError("", f"{place.kind} cannot be converted to {target}")
        return converted

    def _way(self, obj: object, to: str) -> Callable[..., Any]:
        """Return the function that converts objects of this object's class; cached, because finding it may take longer
        than calling it.
        """
        way = self._conversion_ways.find(obj, to)
        self._ways[type(obj), to] = way
        return way

    @cached_property
    def _conversion_ways(self) -> ConversionWays:
        from .conversion_ways import ConversionWays

        return ConversionWays(self, self._kinds, self._native)

    # --- objects --------------------------------------------------------------------------------------------------

    def copy(self, obj: Any) -> Any:
        """A deep copy, of an object of a version or of a hub. Raises ApiError as `default` does."""
        native = self._native
        if native is not None:
            copied = native.copy(obj)
            if copied is None:
                copied = native.copy_new(obj, self._kinds.place(obj).package)
            if copied is not None:
                return copied
        try:
            copy = self._copiers.get(type(obj)) or self._copier(obj)
            return copy(obj)
        except Exception as error:
            from .checking import raise_for_part

            raise_for_part(error, ApiError, obj)
            raise

    def _copier(self, obj: object) -> Callable[[Any], Any]:
        """Return the function that copies objects of this object's class; cached, because finding it may take longer
        than calling it.
        """
        place = self._kinds.place(obj)
        copy = self._function(place, "copying", f"copy_{place.functions}")
        self._copiers[type(obj)] = copy
        return copy

    def equal(self, a: object, b: object) -> bool:
        """Semantic equality: absent and empty lists and maps are equal, quantities by value, times by instant."""
        return semantic_equal(a, b)

    # --- contents --------------------------------------------------------------------------------------------------

    def kinds(self) -> tuple[str, ...]:
        """Return the kinds without lists; a name that two groups share is written with its group."""
        return tuple(self._kinds.names)

    def versions(self, kind: Kind) -> tuple[str, ...]:
        """The `group/version`s of a kind, in the order of the specs. Raises SchemeError for no such kind."""
        return tuple(v.api_version for v in self._kinds.kind(kind))

    def served_versions(
        self,
        kind: Kind,
        release: str | None = None,
        *,
        features: Features | None = None,
        keep_removed: bool = False,
        forward_compatible: bool = False,
        enabled: Collection[str] = (),
    ) -> tuple[str, ...]:
        """The `group/version`s of a kind that a server of a release serves, the preferred one first.

        The release is of the kind's own release series: the named one, else that which `features` emulate, else the one
        that `features()` emulates. A version removed in that release is not served, unless `keep_removed`. A version
        introduced later is hidden, unless `enabled` names it (`group/version`),
        or `forward_compatible` and an older version that is not alpha is served. Raises SchemeError for an unknown
        kind.
        """
        found = served(
            self._kinds.kind(kind),
            release or features or self._newest_features,
            keep_removed=keep_removed,
            forward_compatible=forward_compatible,
            enabled=enabled,
        )
        return tuple(v.api_version for v in found)

    def storage_version(
        self, kind: Kind, *, features: Features | None = None
    ) -> str | None:
        """Return the `group/version` in which a kind is stored, or `None`.

        With `features`, this is the version stored by a server that emulates their release, which must be known to
        their minimum compatibility version. A list has the version of its items. Raises SchemeError for an unknown
        kind.
        """
        versions = self._kinds.kind(kind)
        if versions[0].is_list:
            versions = self._kinds.kind(self._kinds.item_class(versions[0]))
        version = stored(versions, features)
        return None if version is None else version.api_version

    def deprecation_warning(
        self,
        obj: object,
        release: str | None = None,
        *,
        features: Features | None = None,
    ) -> str | None:
        """The words that an API server sends with the object; None if it is not deprecated.

        The release of the server is of the kind's own release series: the one named, else that which `features` emulate,
        else the one that `features()` emulates.
        """
        entry = self._entry(obj)
        return deprecation_warning(entry, self._release_for(entry, release, features))

    def warnings(
        self,
        obj: object,
        release: str | None = None,
        *,
        features: Features | None = None,
    ) -> list[str]:
        """Return the warnings of an API server that accepts the object; the release is that of `deprecation_warning`.

        The first is that of a deprecated kind, as `deprecation_warning` returns it, then one for each deprecated field
        that is set and each that is deprecated: `spec.x: deprecated since v1.11`.
        """
        entry = self._entry(obj)
        at = self._release_for(entry, release, features)
        of_kind = deprecation_warning(entry, at)
        found = [] if of_kind is None else [of_kind]
        if entry.has_deprecations:
            module = self._kinds.module(entry, "deprecations")
            inside = getattr(module, f"{entry.functions}_deprecations")(obj, "")
            found += warnings_of(inside, at)
        return found

    def _release_for(
        self, entry: KindVersion, release: str | None, features: Features | None
    ) -> str:
        """The release of a kind's series: the one named, else that of `features`, else the default."""
        return release or (features or self._newest_features).release_of(entry.series)

    def features(
        self,
        release: str | None = None,
        *,
        series: Mapping[str, str] | None = None,
        min_compatibility: str | Mapping[str, str] | None = None,
    ) -> Features:
        """Return the feature gates as of a release.

        `release` is that of the API itself, by default its next release. `series` are releases of the other series
        whose types the package has, by name, such as `{"kubernetes": "1.34"}`; the default of each is the release from
        which its types were imported. `min_compatibility`: see `Features`. Raises FeatureError for an unknown series.
        """
        gates, defaults, own = self._gates()
        emulated = dict(defaults)
        for name, each in (series or {}).items():
            key = "" if name == own else name
            if key not in emulated:
                raise unknown_series(name, [own, *emulated])
            emulated[key] = each
        return Features(
            gates,
            release or emulated.pop(""),
            min_compatibility=min_compatibility,
            series=emulated,
        )

    def strategy(self, kind: Kind, subresource: str = "") -> Strategy[Any]:
        """Return the strategy that prepares and validates hub objects of a kind. Raises SchemeError without one.

        The versions of a group without hub are not converted: each object is handled by the strategy of its version.
        """
        entries = self._kinds.kind(kind)
        entry = entries[0]
        if entry.is_list:
            raise SchemeError("", f"{entry.kind} is a list, and lists have no strategy")
        keys = tuple(dict.fromkeys(each.hub for each in entries))
        hubs = [self._kinds.hubs[key] for key in keys]
        if subresource and any(subresource not in hub.subresources for hub in hubs):
            names = ", ".join(hubs[0].subresources) or "none"
            name = self._kinds.name(entry)
            raise SchemeError(
                "", f"{name} has no subresource {subresource!r}; it has {names}"
            )
        key = (*keys, subresource)
        if key not in self._strategies:
            from .strategy import strategy_of_kind

            created = strategy_of_kind(self, self._kinds, hubs, subresource)
            self._strategies[key] = created
        return self._strategies[key]

    @cached_property
    def _native(self) -> NativeCodec | None:
        from .native import native_codec

        return native_codec(self._package)

    @cached_property
    def _newest_features(self) -> Features:
        return self.features()


def _media_type(text: str) -> str:
    if text in MEDIA_TYPES:
        return text
    media = text.partition(";")[0].strip().lower() if isinstance(text, str) else ""
    if media not in MEDIA_TYPES:
        raise SchemeError(
            "", f"no media type {text!r}; there are {', '.join(MEDIA_TYPES)}"
        )
    return media


def _check_utf8(obj: object, media: str) -> None:
    from .checking import encode_error  # imported on errors only

    found = encode_error(obj, media)
    if found is not None:
        raise found


def _with_type_meta(
    tree: dict[str, object], api_version: str, kind: str
) -> dict[str, object]:
    """Return the tree of an object, with `apiVersion` and `kind` replaced."""
    tree.pop("kind", None)
    tree.pop("apiVersion", None)
    return {"kind": kind, "apiVersion": api_version, **tree}


def _complain(problems: list[DecodeError], *, reject: bool, level: int) -> None:
    if problems and reject:
        raise StrictDecodingError(problems)
    for each in problems:
        text = f'{each.problem} "{each.path}"'
        warnings.warn(text, UnknownFieldWarning, stacklevel=level)
