"""Hooks for pydantic (version 2), and so FastAPI: they validate and serialize with the codec, by wire names.

Every class has the two hooks that pydantic looks for. They import this module, which imports `pydantic_core`,
only when pydantic calls them.

Validation decodes the tree of a document, and accepts objects of the class; serialization returns the tree that
`scheme.encode` writes. The JSON schema is the published one of the version, in the dialect of pydantic.
"""

from __future__ import annotations

import json
from functools import cache, partial
from importlib import import_module

from .documents import api_version_and_kind
from .errors import DecodeError, SchemeError, wrong_type
from .json_values import (
    decode_duration,
    decode_fields_v1,
    decode_micro_time,
    decode_quantity,
    decode_raw_extension,
    decode_time,
)
from .json_writer import encoded_json
from .quantity import Quantity
from .raw import FieldsV1, RawExtension
from .times import Duration, MicroTime, Time

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import ModuleType
    from typing import Any

    Read = Callable[[object], object]
    Write = Callable[[Any], object]
    Json = dict[str, Any]


_PACKAGE = __name__.rpartition(".runtime.")[0]
_SCHEMAS = "#/components/schemas/"
_TIME = {"type": "string", "format": "date-time"}
_QUANTITY = {
    "anyOf": [{"type": "integer"}, {"type": "string"}],
    "x-kubernetes-int-or-string": True,
}
_RAW = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def _identity(obj: object) -> object:
    return obj


_WELL_KNOWN: Mapping[type, tuple[Read, Write, Json]] = {
    Duration: (decode_duration, str, {"type": "string"}),
    FieldsV1: (decode_fields_v1, _identity, _RAW),
    MicroTime: (decode_micro_time, str, _TIME),
    Quantity: (decode_quantity, str, _QUANTITY),
    RawExtension: (decode_raw_extension, _identity, _RAW),
    Time: (decode_time, str, _TIME),
}
"""By class, how values are read from a tree and written to one, and their published schema."""


def core_schema(cls: type, source: object, handler: Callable[[Any], Any]) -> Any:
    """Return pydantic's core schema for a class. Raises SchemeError for a class of a hub, which has no wire form.

    pydantic itself handles classes that are not part of an API.
    """
    found = _WELL_KNOWN.get(cls)
    if found is not None:
        read, write, _ = found
        reference = None
    elif _is_generated(cls):
        read, write = _codec(cls)
        reference = _reference_of(cls)
    else:
        return handler(source)
    core = import_module("pydantic_core")
    schemas = core.core_schema
    return schemas.no_info_plain_validator_function(
        partial(_validate, core, cls, read),
        ref=reference,
        serialization=schemas.plain_serializer_function_ser_schema(
            partial(_serialize, core, cls, write)
        ),
    )


def json_schema(cls: type, schema: object, handler: Any) -> Any:
    """Return the published JSON schema of a class; those that it refers to become definitions of their own."""
    found = _WELL_KNOWN.get(cls)
    if found is not None:
        return dict(found[2])
    if not _is_generated(cls):
        return handler(schema)
    published = _schemas_of(cls.__module__.removesuffix(".types"))
    own = _reference_of(cls)
    root = next((name for name in published if _reference(name) == own), None)
    if root is None:
        raise SchemeError("", f"{cls.__module__} has no schema of {cls.__name__}")
    schemas = import_module("pydantic_core").core_schema
    names = list(_schemas_below(root, published))
    references = {
        name: handler(schemas.definition_reference_schema(_reference(name)))["$ref"]
        for name in names
    }
    for name in names[1:]:
        reference = _reference(name)
        definition = handler.resolve_ref_schema(
            handler(
                schemas.definitions_schema(
                    schemas.definition_reference_schema(reference),
                    [schemas.any_schema(ref=reference)],
                )
            )
        )
        if not definition:
            definition.update(_translated(published[name], references.__getitem__))
    return _translated(published[root], references.__getitem__)


def _is_generated(cls: type) -> bool:
    """Return whether a class is in the `types` module of a version or hub of this package."""
    module = cls.__module__
    return module.startswith(f"{_PACKAGE}.") and module.endswith(".types")


# --- values ---------------------------------------------------------------------------------------------------------


def _validate(core: ModuleType, cls: type, read: Read, value: object) -> object:
    """Return the object of a tree. Raises pydantic's ValidationError, with the locations in the document."""
    if isinstance(value, cls):
        return value
    try:
        obj = read(value)
        if obj is None:  # null, and Go's zero time
            raise wrong_type("", f"a {cls.__name__}", value)
    except DecodeError as error:
        at = value
        location = []
        for step, at in _steps(error.path, value):  # noqa: B007
            location.append(step)
        problem = core.PydanticCustomError("api_error", error.problem)
        details = [{"type": problem, "loc": tuple(location), "input": at}]
        raise core.ValidationError.from_exception_data(cls.__name__, details) from None
    return obj


def _serialize(core: ModuleType, cls: type, write: Write, obj: object) -> object:
    """The tree that is written for an object, of plain values: numbers that are kept as text, and raw JSON, are parsed."""
    if not isinstance(obj, cls):  # another member of a union may write it
        raise core.PydanticSerializationUnexpectedValue(
            f"expected {cls.__name__}, found {type(obj).__name__}"
        )
    return json.loads(encoded_json(write(obj)))


def _steps(path: str, value: object) -> Iterator[tuple[str | int, object]]:
    """Yield the steps of a path, with their values: the meaning of a name in brackets depends on the document."""
    while path:
        step: str | int
        if isinstance(value, list):
            index, _, path = path.removeprefix("[").partition("]")
            step = int(index)
            value = value[step]
        else:
            members = value if isinstance(value, dict) else {}
            step, path = _first_step(path.removeprefix("."), members)
            value = members.get(step)
        yield step, value


def _first_step(path: str, members: Mapping[str, object]) -> tuple[str, str]:
    """Return the longest name of a member at the start of a path, and the rest of the path."""
    found = ""
    for form in ("{}", "[{}]"):
        for name in members:
            step = form.format(name) if isinstance(name, str) else ""
            rest = path[len(step) :]
            if path.startswith(step) and rest[:1] in ("", ".", "["):
                found = max(found, step, key=len)
    if not found:
        return path, ""
    name = found if found in members else found[1:-1]
    return name, path[len(found) :]


# --- classes and their modules --------------------------------------------------------------------------------------


@cache
def _codec(cls: type) -> tuple[Read, Write]:
    """The functions that read and write a class. A kind needs `apiVersion` and `kind`, as in `scheme.decode`."""
    package = cls.__module__.removesuffix(".types")
    try:
        codec = import_module(f"{package}.json_codec")
    except ModuleNotFoundError:
        raise SchemeError(
            "",
            f"{cls.__module__}.{cls.__name__} cannot be read or written, as it is a type of a hub; "
            "use that of a version",
        ) from None
    for name in codec.__all__:
        function = getattr(codec, name)
        annotations = getattr(function, "__annotations__", {})
        result_class = vars(codec).get(annotations.get("return", ""))
        if result_class is cls and name.startswith("decode_"):
            write = getattr(codec, name.replace("decode_", "encode_", 1))
            is_kind = cls.__name__ in codec.RAW_NAMES
            return partial(_read_kind if is_kind else _read, cls, function), write
    raise SchemeError("", f"{cls.__module__}.{cls.__name__} is no type of a version")


def _read(cls: type, decode: Read, value: object) -> object:
    if value is None:
        raise wrong_type("", "an object", value)
    return decode(value)


def _read_kind(cls: type, decode: Read, value: object) -> object:
    blank = cls()
    expected = [
        (name, getattr(blank, attribute, ""))
        for name, attribute in (("apiVersion", "api_version"), ("kind", "kind"))
    ]
    if all(text for _, text in expected) and isinstance(value, dict):
        found = api_version_and_kind(value)
        for (name, text), value_in_document in zip(expected, found, strict=True):
            if not value_in_document:
                raise DecodeError(name, "required")
            if value_in_document != text:
                raise DecodeError(
                    name, f"expected {text!r}, found {value_in_document!r}"
                )
    return _read(cls, decode, value)


# --- schemas --------------------------------------------------------------------------------------------------------


@cache
def _schemas_of(package: str) -> Mapping[str, Json]:
    from pkgutil import get_data

    try:
        data = get_data(package, "schema.json")
    except FileNotFoundError:
        data = None
    if data is None:
        raise SchemeError(
            "", f"{package} has no schema.json; it must be installed with its data"
        )
    schemas: Mapping[str, Json] = json.loads(data)["components"]["schemas"]
    return schemas


def _reference(component: str) -> str:
    """Return pydantic's reference of a schema; its last part becomes the name, unless two schemas have the same."""
    folder, version, name = component.rsplit(".", 2)
    group = "".join(c if c.isascii() and c.isalnum() else "_" for c in folder)
    return f"{_PACKAGE}.{group.strip('_')}.{version}.{name}"


def _reference_of(cls: type) -> str:
    """The same for a class. Its package is called like its group, perhaps with an underscore."""
    group, version = cls.__module__.removesuffix(".types").split(".")[-2:]
    return f"{_PACKAGE}.{group.strip('_')}.{version}.{cls.__name__}"


def _schemas_below(root: str, published: Mapping[str, Json]) -> Iterator[str]:
    """The schema of that name, then those that it leads to, each once."""
    known, waiting = {root}, [root]

    def note(name: str) -> str:
        if name not in known:
            known.add(name)
            waiting.append(name)
        return name

    while waiting:
        name = waiting.pop()
        yield name
        _translated(published[name], note)


def _translated(schema: Json, reference_to: Callable[[str], str]) -> Json:
    """A schema of OpenAPI 3.0 in the words of 2020-12, the dialect of JSON Schema in OpenAPI 3.1."""
    translated: Json = {}
    for word, value in schema.items():
        if word == "$ref":
            translated[word] = reference_to(value.removeprefix(_SCHEMAS))
        elif word == "properties":
            translated[word] = {
                name: _translated(each, reference_to) for name, each in value.items()
            }
        elif word in ("items", "additionalProperties"):
            translated[word] = _translated(value, reference_to)
        elif word in ("allOf", "anyOf"):
            translated[word] = [_translated(each, reference_to) for each in value]
        elif word not in ("exclusiveMaximum", "exclusiveMinimum", "nullable"):
            translated[word] = value
    for bound in ("Minimum", "Maximum"):
        if schema.get(f"exclusive{bound}"):
            translated[f"exclusive{bound}"] = translated.pop(bound.lower())
    return _or_null(translated) if schema.get("nullable") else translated


def _or_null(schema: Json) -> Json:
    """A schema that also accepts null, in the form that pydantic writes; older FastAPI rejects a list of types."""
    about = ("default", "deprecated", "description")
    around = {word: schema[word] for word in about if word in schema}
    inner = {word: value for word, value in schema.items() if word not in about}
    return {"anyOf": [inner, {"type": "null"}], **around}
