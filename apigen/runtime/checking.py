"""Find the value that causes an error, and its path, to raise an error with the path.

Encoders, conversions, copies and defaults use the fastest checks of Python, and raise errors without a path. Only after
an error, the object is walked by the layouts of its classes.
"""

from __future__ import annotations

from . import json_values as scalars
from .documents import PROTOBUF
from .errors import (
    ApiError,
    ConversionError,
    DecodeError,
    EncodeError,
    joined,
    unfit,
    unfit_object,
)
from .field_paths import ROOT, FieldPath
from .layouts import can_be_none, members_of

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import TracebackType
    from typing import Any, Final, TypeAlias

    from .layouts import Member, Members

    Check: TypeAlias = Callable[[Any], object]


MAX_DEPTH: Final = 1_000
"""Levels of lists, maps and objects that are followed; objects may contain themselves."""


def encode_error(obj: object, media_type: str) -> EncodeError | None:
    """Return the error for the first value of an object that a format cannot represent, or `None`."""
    checks = _in_protobuf() if media_type == PROTOBUF else _in_json()
    found = _first_unfit(obj, checks)
    return None if found is None else EncodeError(*found)


def raise_for_part(
    error: Exception, error_class: type[ApiError], *objects: object
) -> None:
    """Raise an error that names the first part of the objects that is not of its field's class; return if none is.

    `error` was raised by generated code, which expects the types that type checkers verify.
    """
    if isinstance(error, ApiError) and error.path:
        return
    for obj in objects:
        found = _first_unfit(obj, _of_class())
        if found is not None:
            raise error_class(*found) from None


def locate_conversion(error: ConversionError) -> None:
    """Extend the path of an error of a generated conversion, so that it starts at the converted object.

    Conversions raise errors with paths that start at their own argument (`number`). The traceback has the arguments of
    this conversion and of the outermost one.
    """
    sources = list(_sources(error.__traceback__))
    if error.is_located or not sources:
        return
    error.is_located = True
    for value, _, place, _ in _parts(sources[0]):
        if value is sources[-1]:
            error.path = joined(str(place), error.path)
            error.args = (error.path, error.problem)
            return


def _sources(traceback: TracebackType | None) -> Iterator[object]:
    """Yield the arguments of the conversions that raised the error, starting with the outermost."""
    while traceback is not None:
        frame = traceback.tb_frame
        module: str = frame.f_globals.get("__name__", "")
        parameters = frame.f_code.co_varnames[: frame.f_code.co_argcount]
        if module.endswith(".conversions") and parameters:
            source = frame.f_locals.get(parameters[0])
            if members_of(type(source)) is not None:
                yield source
        traceback = traceback.tb_next


# --- walking ------------------------------------------------------------------------------------------------------


def _parts(obj: object) -> Iterator[tuple[object, Any, FieldPath, int]]:
    """Yield each value with its type, place and depth, before its parts; values that do not have the form of their
    type have no parts.

    It is not recursive, because objects may contain themselves; values that are nested too deeply are skipped.
    """
    waiting: list[tuple[object, Any, FieldPath, int]] = [(obj, type(obj), ROOT, 0)]
    while waiting:
        value, type_, place, depth = waiting.pop()
        yield value, type_, place, depth
        if depth < MAX_DEPTH:
            below = [(*part, depth + 1) for part in _below(value, type_, place)]
            waiting += reversed(below)


def _below(
    value: Any, type_: Any, place: FieldPath
) -> Iterator[tuple[object, Any, FieldPath]]:
    word, inner = type_ if isinstance(type_, tuple) else ("", None)
    if word in ("nullable", "message"):
        yield from _below(value, inner, place)
    elif word == "list" and isinstance(value, list):
        for index, item in enumerate(value):
            yield item, inner, place.index(index)
    elif word == "map" and isinstance(value, dict):
        for key, item in value.items():
            yield item, inner, place.key(key)
    elif isinstance(type_, type) and type(value) is type_:
        for name, attribute, member, presence, _ in members_of(type_) or ():
            if can_be_none(member, presence):
                member = ("nullable", member)
            yield getattr(value, attribute, _MISSING), member, place.child(name)


class _Missing:
    """Marks an attribute that an object does not have."""


_MISSING: Final = _Missing()


def _first_unfit(obj: object, checks: Mapping[str, Check]) -> tuple[str, str] | None:
    """Return path and problem of the first value that does not fit."""
    if members_of(type(obj)) is None:
        return None
    for value, type_, place, depth in _parts(obj):
        try:
            _check(value, type_, checks)
        except ApiError as error:
            return str(place), error.problem
        if depth >= MAX_DEPTH:
            return "", f"nested more than {MAX_DEPTH} levels deep"
    return None


def _check(value: object, type_: Any, checks: Mapping[str, Check]) -> None:
    """Raise an ApiError for a value that does not fit, whatever its parts."""
    word, inner = type_ if isinstance(type_, tuple) else ("", None)
    if value is _MISSING:
        raise EncodeError("", "the attribute is missing")
    if word in ("nullable", "message"):
        if value is not None:
            _check(value, inner, checks)
    elif word == "list":
        if not isinstance(value, list):
            raise unfit("a list", value)
    elif word == "map":
        if not isinstance(value, dict):
            raise unfit("a dict", value)
        for key in value:
            _check_key(key, checks["string"])
    elif isinstance(type_, type):
        if type(value) is not type_:
            raise unfit_object(type_, value)
    elif isinstance(type_, str):
        checks[type_](value)


def _check_key(key: object, check: Check) -> None:
    try:
        check(key)
    except EncodeError as error:
        raise EncodeError("", f"a key: {error.problem}") from None


# --- single values ------------------------------------------------------------------------------------------------


def _in_json() -> Mapping[str, Check]:
    """Return the functions that check values of each type for JSON and YAML: those that encode them."""
    from . import json_numbers, json_values
    from .json_writer import json_bytes

    return {
        "string": json_values.encode_string,
        "bool": json_values.encode_bool,
        "int32": json_values.encode_int32,
        "int64": json_values.encode_int64,
        "uint32": json_values.encode_uint32,
        "uint64": json_values.encode_uint64,
        "float32": json_numbers.encode_float32,
        "float64": json_numbers.encode_float64,
        "bytes": json_values.encode_bytes,
        "IntOrString": json_values.encode_int_or_string,
        "Time": json_values.encode_time,
        "MicroTime": json_values.encode_micro_time,
        "Duration": json_values.encode_duration,
        "Quantity": json_values.encode_quantity,
        "RawExtension": lambda value: json_bytes(
            json_values.encode_raw_extension(value)
        ),
        "FieldsV1": lambda value: json_bytes(json_values.encode_fields_v1(value)),
    }


def _in_protobuf() -> Mapping[str, Check]:
    """Return the functions that check values of each type for protobuf: those that encode them."""
    from . import wire_wellknown, wire_writing

    return {
        **_in_json(),
        "string": wire_writing.utf8,
        "bytes": wire_writing.raw,
        "float32": wire_writing.float32,
        "float64": wire_writing.float64,
        "IntOrString": _int_or_string_in_protobuf,
        "Time": wire_wellknown.write_time,
        "MicroTime": wire_wellknown.write_micro_time,
        "RawExtension": wire_wellknown.write_raw_extension,
        "FieldsV1": wire_wellknown.write_fields_v1,
    }


def _int_or_string_in_protobuf(value: Any) -> object:
    from . import json_values, wire_wellknown

    if not isinstance(value, str):
        return json_values.encode_int32(value)
    return wire_wellknown.write_int_or_string(value)


def _of_class() -> Mapping[str, Check]:
    """Return the functions that check the classes of values, independent of a format."""
    checks = _in_protobuf()
    classes: Mapping[str, type | tuple[type, ...]] = {
        "string": str,
        "bool": bool,
        "float32": (int, float),
        "float64": (int, float),
        "IntOrString": (int, str),
        **dict.fromkeys(("int32", "int64", "uint32", "uint64"), int),
    }

    def check(name: str, value: object) -> None:
        classes_of = classes.get(name)
        if classes_of is None or not isinstance(value, classes_of):
            checks[name](value)

    from functools import partial

    return {name: partial(check, name) for name in checks}


_SCALARS: dict[str, Callable[[object], object]] = {
    "string": scalars.decode_string,
    "bool": scalars.decode_bool,
    "int32": scalars.decode_int32,
    "int64": scalars.decode_int64,
    "uint32": scalars.decode_uint32,
    "uint64": scalars.decode_uint64,
    "float32": scalars.decode_float32,
    "float64": scalars.decode_float64,
    "bytes": scalars.decode_bytes,
    "Time": scalars.decode_time,
    "MicroTime": scalars.decode_micro_time,
    "Duration": scalars.decode_duration,
    "Quantity": scalars.decode_quantity,
    "IntOrString": scalars.decode_int_or_string,
    "RawExtension": scalars.decode_raw_extension,
    "FieldsV1": scalars.decode_fields_v1,
}
"""The decoders by the names that layouts have for types."""
_DURATION = "Duration"
_NONE_FOR_NULL = ("optional", "nullable")


def wrong_values(cls: type, tree: object) -> tuple[list[DecodeError], list[str]]:
    """Find the errors of all wrong values in the tree of an object of a class, and the paths of unknown fields.

    The order is that in which generated decoders read: the fields of a class in their order, elements in theirs. A
    value of another type than its field is one error, whatever it contains. How often a type may nest in itself is
    known to the decoders only.
    """
    errors: list[DecodeError] = []
    unknown: list[str] = []
    known: dict[type, tuple[Members, frozenset[str]]] = {}
    waiting: list[tuple[object, Any, FieldPath]] = [(tree, cls, ROOT)]
    while waiting:
        value, type_, place = waiting.pop()
        while isinstance(type_, tuple) and type_[0] in ("nullable", "message"):
            if type_[0] == "nullable" and value is None:
                break
            type_ = type_[1]
        if value is None and type_ != _DURATION:
            continue  # null is the zero value
        below: list[tuple[object, Any, FieldPath]] = []
        try:
            if isinstance(type_, str):
                _SCALARS[type_](value)
            elif isinstance(type_, type):
                data = scalars.decode_object(value)
                if type_ not in known:
                    members = members_of(type_) or ()
                    known[type_] = members, frozenset(each[0] for each in members)
                members, names = known[type_]
                below = [
                    (data[member[0]], member[2], place.child(member[0]))
                    for member in members
                    if member[0] in data and not _is_none(member, data[member[0]])
                ]
                if not names >= data.keys():
                    path = str(place)
                    unknown += [
                        joined(path, name) for name in data if name not in names
                    ]
            elif type_[0] == "list":
                items = scalars.decode_list(value)
                below = [(v, type_[1], place.index(i)) for i, v in enumerate(items)]
            else:
                entries = scalars.decode_object(value)
                below = [(v, type_[1], place.key(k)) for k, v in entries.items()]
        except DecodeError as error:
            errors.append(DecodeError(joined(str(place), error.path), error.problem))
        waiting += reversed(below)
    return errors, unknown


def _is_none(member: Member, value: object) -> bool:
    """Return whether a value is null where the attribute may be None, which matters to types that reject null."""
    return value is None and member[3] in _NONE_FOR_NULL
