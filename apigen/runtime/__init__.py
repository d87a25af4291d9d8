"""The run-time library of generated code. Standard library only; orjson, PyYAML and a CEL library are used
if installed.

Names are loaded when first used. Protobuf has its own readers and writers of values, in `wire` and `wire_wellknown`.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # True for type checkers; importing `typing` would take longer than this whole module
if TYPE_CHECKING:
    from .clock import clock_stopped, now
    from .dataclasses import new
    from .equality import semantic_equal
    from .errors import (
        ApiError,
        ConversionError,
        DecodeError,
        DecodeErrors,
        EncodeError,
        SchemeError,
        StrictDecodingError,
        UnknownKindError,
        unfit_object,
        wrong_type,
    )
    from .gc import gc_paused
    from .json_numbers import JsonNumber, encode_float32, encode_float64
    from .json_reader import parse_json
    from .json_values import (
        UnknownMembers,
        decode_bool,
        decode_bytes,
        decode_duration,
        decode_fields_v1,
        decode_float32,
        decode_float64,
        decode_int32,
        decode_int64,
        decode_int_or_string,
        decode_items,
        decode_list,
        decode_micro_time,
        decode_object,
        decode_quantity,
        decode_raw_extension,
        decode_scalar_map,
        decode_scalars,
        decode_string,
        decode_string_map,
        decode_strings,
        decode_time,
        decode_uint32,
        decode_uint64,
        decode_values,
        elements,
        encode_bool,
        encode_bytes,
        encode_duration,
        encode_fields_v1,
        encode_int32,
        encode_int64,
        encode_int_or_string,
        encode_micro_time,
        encode_quantity,
        encode_raw_extension,
        encode_string,
        encode_string_map,
        encode_strings,
        encode_time,
        encode_uint32,
        encode_uint64,
        located,
        sorted_entries,
        sorted_keys,
    )
    from .json_writer import json_bytes, json_text
    from .quantity import Quantity
    from .raw import FieldsV1, RawExtension
    from .times import Duration, MicroTime, Time
    from .wire import Envelope, unwrap, wrap
    from .yaml_reader import parse_yaml
    from .yaml_writer import yaml_text

__all__ = [
    "ApiError",
    "ConversionError",
    "DecodeError",
    "DecodeErrors",
    "Duration",
    "EncodeError",
    "Envelope",
    "FieldsV1",
    "JsonNumber",
    "MicroTime",
    "Quantity",
    "RawExtension",
    "SchemeError",
    "StrictDecodingError",
    "Time",
    "UnknownKindError",
    "UnknownMembers",
    "clock_stopped",
    "decode_bool",
    "decode_bytes",
    "decode_duration",
    "decode_fields_v1",
    "decode_float32",
    "decode_float64",
    "decode_int32",
    "decode_int64",
    "decode_int_or_string",
    "decode_items",
    "decode_list",
    "decode_micro_time",
    "decode_object",
    "decode_quantity",
    "decode_raw_extension",
    "decode_scalar_map",
    "decode_scalars",
    "decode_string",
    "decode_string_map",
    "decode_strings",
    "decode_time",
    "decode_uint32",
    "decode_uint64",
    "decode_values",
    "elements",
    "encode_bool",
    "encode_bytes",
    "encode_duration",
    "encode_fields_v1",
    "encode_float32",
    "encode_float64",
    "encode_int32",
    "encode_int64",
    "encode_int_or_string",
    "encode_micro_time",
    "encode_quantity",
    "encode_raw_extension",
    "encode_string",
    "encode_string_map",
    "encode_strings",
    "encode_time",
    "encode_uint32",
    "encode_uint64",
    "gc_paused",
    "json_bytes",
    "json_text",
    "located",
    "new",
    "now",
    "parse_json",
    "parse_yaml",
    "semantic_equal",
    "sorted_entries",
    "sorted_keys",
    "unfit_object",
    "unwrap",
    "wrap",
    "wrong_type",
    "yaml_text",
]

_MODULES = {
    "clock": ("clock_stopped", "now"),
    "dataclasses": ("new",),
    "equality": ("semantic_equal",),
    "errors": (
        "ApiError",
        "ConversionError",
        "DecodeError",
        "DecodeErrors",
        "EncodeError",
        "SchemeError",
        "StrictDecodingError",
        "UnknownKindError",
        "unfit_object",
        "wrong_type",
    ),
    "gc": ("gc_paused",),
    "json_numbers": ("JsonNumber", "encode_float32", "encode_float64"),
    "json_reader": ("parse_json",),
    "json_writer": ("json_bytes", "json_text"),
    "quantity": ("Quantity",),
    "raw": ("FieldsV1", "RawExtension"),
    "times": ("Duration", "MicroTime", "Time"),
    "wire": ("Envelope", "unwrap", "wrap"),
    "yaml_reader": ("parse_yaml",),
    "yaml_writer": ("yaml_text",),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = f"{__name__}.{_HOME.get(name, 'json_values')}"
    __import__(module)  # `importlib` would cost more than this whole module
    value: object = getattr(sys.modules[module], name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
