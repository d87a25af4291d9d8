"""PriorityLevelConfiguration as a careful person would write its code: the measure for what is generated.

It uses the generated classes and the generated functions for ObjectMeta, which both sides share; all else is written
for this kind alone, with checks of the same strength and without a hub: from v1beta2 straight to v1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from generated.flowcontrol_apiserver_k8s_io.v1 import types as v1
from generated.flowcontrol_apiserver_k8s_io.v1beta2 import types as old
from generated.meta.v1 import copying, json_codec, protobuf_codec
from generated.runtime.errors import DecodeError
from generated.runtime.json_scalars import decode_time
from generated.runtime.wire import read_varint
from generated.runtime.wire_wellknown import decode_time as read_time
from generated.runtime.wire_wellknown import encode_time as write_time

Json = dict[str, object]
T = TypeVar("T")

INT32 = range(-(2**31), 2**31)


def decode(tree: object) -> old.PriorityLevelConfiguration:
    data = _object(tree, "")
    return old.PriorityLevelConfiguration(
        api_version=_text(data, "apiVersion", ""),
        kind=_text(data, "kind", ""),
        metadata=json_codec.decode_object_meta(data.get("metadata"), "metadata", None),
        spec=_decode_spec(_object(data.get("spec"), "spec")),
        status=_decode_status(_object(data.get("status"), "status")),
    )


def _decode_spec(data: Json) -> old.PriorityLevelConfigurationSpec:
    limited, exempt = data.get("limited"), data.get("exempt")
    return old.PriorityLevelConfigurationSpec(
        type=_text(data, "type", "spec."),
        limited=None if limited is None else _decode_limited(_object(limited, "spec.limited")),
        exempt=None if exempt is None else _decode_exempt(_object(exempt, "spec.exempt")),
    )


def _decode_limited(data: Json) -> old.LimitedPriorityLevelConfiguration:
    at = "spec.limited."
    response = _object(data.get("limitResponse"), "spec.limited.limitResponse")
    queuing = response.get("queuing")
    return old.LimitedPriorityLevelConfiguration(
        assured_concurrency_shares=_int32(data, "assuredConcurrencyShares", at) or 0,
        limit_response=old.LimitResponse(
            type=_text(response, "type", "spec.limited.limitResponse."),
            queuing=None if queuing is None else _decode_queuing(_object(queuing, f"{at}limitResponse.queuing")),
        ),
        lendable_percent=_int32(data, "lendablePercent", at),
        borrowing_limit_percent=_int32(data, "borrowingLimitPercent", at),
    )


def _decode_queuing(data: Json) -> old.QueuingConfiguration:
    at = "spec.limited.limitResponse.queuing."
    return old.QueuingConfiguration(
        queues=_int32(data, "queues", at) or 0,
        hand_size=_int32(data, "handSize", at) or 0,
        queue_length_limit=_int32(data, "queueLengthLimit", at) or 0,
    )


def _decode_exempt(data: Json) -> old.ExemptPriorityLevelConfiguration:
    return old.ExemptPriorityLevelConfiguration(
        nominal_concurrency_shares=_int32(data, "nominalConcurrencyShares", "spec.exempt."),
        lendable_percent=_int32(data, "lendablePercent", "spec.exempt."),
    )


def _decode_status(data: Json) -> old.PriorityLevelConfigurationStatus:
    conditions = data.get("conditions")
    if conditions is None:
        return old.PriorityLevelConfigurationStatus()
    if not isinstance(conditions, list):
        raise DecodeError("status.conditions", "expected a list")
    return old.PriorityLevelConfigurationStatus(
        conditions=[_decode_condition(item, f"status.conditions[{i}]") for i, item in enumerate(conditions)]
    )


def _decode_condition(item: object, path: str) -> old.PriorityLevelConfigurationCondition:
    data, at = _object(item, path), f"{path}."
    time = data.get("lastTransitionTime")
    return old.PriorityLevelConfigurationCondition(
        type=_text(data, "type", at),
        status=_text(data, "status", at),
        last_transition_time=None if time is None else decode_time(time, f"{at}lastTransitionTime"),
        reason=_text(data, "reason", at),
        message=_text(data, "message", at),
    )


def default(obj: old.PriorityLevelConfiguration) -> None:
    limited, exempt = obj.spec.limited, obj.spec.exempt
    if limited is not None:
        limited.assured_concurrency_shares = limited.assured_concurrency_shares or 30
        limited.lendable_percent = limited.lendable_percent or 0
        queuing = limited.limit_response.queuing
        if queuing is not None:
            queuing.queues = queuing.queues or 64
            queuing.hand_size = queuing.hand_size or 8
            queuing.queue_length_limit = queuing.queue_length_limit or 50
    if exempt is not None:
        exempt.nominal_concurrency_shares = exempt.nominal_concurrency_shares or 0
        exempt.lendable_percent = exempt.lendable_percent or 0


def convert(obj: old.PriorityLevelConfiguration) -> v1.PriorityLevelConfiguration:
    limited, exempt, conditions = obj.spec.limited, obj.spec.exempt, obj.status.conditions
    return v1.PriorityLevelConfiguration(
        metadata=copying.copy_object_meta(obj.metadata),
        spec=v1.PriorityLevelConfigurationSpec(
            type=obj.spec.type,
            limited=None if limited is None else _convert_limited(limited),
            exempt=(
                None
                if exempt is None
                else v1.ExemptPriorityLevelConfiguration(
                    nominal_concurrency_shares=exempt.nominal_concurrency_shares,
                    lendable_percent=exempt.lendable_percent,
                )
            ),
        ),
        status=v1.PriorityLevelConfigurationStatus(
            conditions=(
                None
                if conditions is None
                else [
                    v1.PriorityLevelConfigurationCondition(
                        type=c.type,
                        status=c.status,
                        last_transition_time=c.last_transition_time,
                        reason=c.reason,
                        message=c.message,
                    )
                    for c in conditions
                ]
            )
        ),
    )


def _convert_limited(limited: old.LimitedPriorityLevelConfiguration) -> v1.LimitedPriorityLevelConfiguration:
    queuing = limited.limit_response.queuing
    return v1.LimitedPriorityLevelConfiguration(
        nominal_concurrency_shares=limited.assured_concurrency_shares,
        limit_response=v1.LimitResponse(
            type=limited.limit_response.type,
            queuing=(
                None
                if queuing is None
                else v1.QueuingConfiguration(
                    queues=queuing.queues, hand_size=queuing.hand_size, queue_length_limit=queuing.queue_length_limit
                )
            ),
        ),
        lendable_percent=limited.lendable_percent,
        borrowing_limit_percent=limited.borrowing_limit_percent,
    )


def encode(obj: v1.PriorityLevelConfiguration) -> Json:
    spec: Json = {"type": obj.spec.type}
    if obj.spec.limited is not None:
        spec["limited"] = _encode_limited(obj.spec.limited)
    if obj.spec.exempt is not None:
        exempt: Json = {}
        if obj.spec.exempt.nominal_concurrency_shares is not None:
            exempt["nominalConcurrencyShares"] = obj.spec.exempt.nominal_concurrency_shares
        if obj.spec.exempt.lendable_percent is not None:
            exempt["lendablePercent"] = obj.spec.exempt.lendable_percent
        spec["exempt"] = exempt
    status: Json = {}
    if obj.status.conditions:
        status["conditions"] = [_encode_condition(condition) for condition in obj.status.conditions]
    return {
        "kind": obj.kind,
        "apiVersion": obj.api_version,
        "metadata": json_codec.encode_object_meta(obj.metadata),
        "spec": spec,
        "status": status,
    }


def _encode_limited(limited: v1.LimitedPriorityLevelConfiguration) -> Json:
    response: Json = {"type": limited.limit_response.type}
    queuing = limited.limit_response.queuing
    if queuing is not None:
        response["queuing"] = {
            "queues": queuing.queues,
            "handSize": queuing.hand_size,
            "queueLengthLimit": queuing.queue_length_limit,
        }
    data: Json = {}
    if limited.nominal_concurrency_shares is not None:
        data["nominalConcurrencyShares"] = limited.nominal_concurrency_shares
    data["limitResponse"] = response
    if limited.lendable_percent is not None:
        data["lendablePercent"] = limited.lendable_percent
    if limited.borrowing_limit_percent is not None:
        data["borrowingLimitPercent"] = limited.borrowing_limit_percent
    return data


def _encode_condition(condition: v1.PriorityLevelConfigurationCondition) -> Json:
    data: Json = {}
    if condition.type:
        data["type"] = condition.type
    if condition.status:
        data["status"] = condition.status
    time = condition.last_transition_time
    data["lastTransitionTime"] = None if time is None else str(time)
    if condition.reason:
        data["reason"] = condition.reason
    if condition.message:
        data["message"] = condition.message
    return data


def write(obj: v1.PriorityLevelConfiguration) -> bytes:
    """The protobuf message, without the envelope."""
    spec = _bytes(b"\x0a", obj.spec.type.encode())
    if obj.spec.limited is not None:
        spec += _bytes(b"\x12", _write_limited(obj.spec.limited))
    if obj.spec.exempt is not None:
        exempt = obj.spec.exempt
        spec += _bytes(
            b"\x1a", _number(b"\x08", exempt.nominal_concurrency_shares) + _number(b"\x10", exempt.lendable_percent)
        )
    status = b"".join(_bytes(b"\x0a", _write_condition(c)) for c in obj.status.conditions or ())
    metadata = protobuf_codec.encode_object_meta(obj.metadata)
    return _bytes(b"\x0a", metadata) + _bytes(b"\x12", spec) + _bytes(b"\x1a", status)


def _write_limited(limited: v1.LimitedPriorityLevelConfiguration) -> bytes:
    response = _bytes(b"\x0a", limited.limit_response.type.encode())
    queuing = limited.limit_response.queuing
    if queuing is not None:
        response += _bytes(
            b"\x12",
            _number(b"\x08", queuing.queues)
            + _number(b"\x10", queuing.hand_size)
            + _number(b"\x18", queuing.queue_length_limit),
        )
    return (
        _number(b"\x08", limited.nominal_concurrency_shares)
        + _bytes(b"\x12", response)
        + _number(b"\x18", limited.lendable_percent)
        + _number(b"\x20", limited.borrowing_limit_percent)
    )


def _write_condition(condition: v1.PriorityLevelConfigurationCondition) -> bytes:
    time = condition.last_transition_time
    return (
        _bytes(b"\x0a", condition.type.encode())
        + _bytes(b"\x12", condition.status.encode())
        + _bytes(b"\x1a", b"" if time is None else write_time(time))
        + _bytes(b"\x22", condition.reason.encode())
        + _bytes(b"\x2a", condition.message.encode())
    )


def read(data: bytes) -> v1.PriorityLevelConfiguration:
    """Reads the protobuf message, without the envelope."""
    obj = v1.PriorityLevelConfiguration(api_version="", kind="")
    for tag, value in _fields(data):
        if tag == 0x0A:
            obj.metadata = protobuf_codec.decode_object_meta(_message(value))
        elif tag == 0x12:
            _read_spec(obj.spec, _message(value))
        elif tag == 0x1A:
            found = [_read_condition(_message(item)) for item_tag, item in _fields(_message(value)) if item_tag == 0x0A]
            obj.status.conditions = found or None
    return obj


def _read_spec(spec: v1.PriorityLevelConfigurationSpec, data: bytes) -> None:
    for tag, value in _fields(data):
        if tag == 0x0A:
            spec.type = _message(value).decode()
        elif tag == 0x12:
            spec.limited = _read_limited(_message(value))
        elif tag == 0x1A:
            parts = dict(_fields(_message(value)))
            spec.exempt = v1.ExemptPriorityLevelConfiguration(
                nominal_concurrency_shares=_signed(parts.get(0x08)), lendable_percent=_signed(parts.get(0x10))
            )


def _read_limited(data: bytes) -> v1.LimitedPriorityLevelConfiguration:
    parts = dict(_fields(data))
    response = v1.LimitResponse()
    for tag, value in _fields(_message(parts.get(0x12, b""))):
        if tag == 0x0A:
            response.type = _message(value).decode()
        elif tag == 0x12:
            numbers = dict(_fields(_message(value)))
            response.queuing = v1.QueuingConfiguration(
                queues=_signed(numbers.get(0x08)) or 0,
                hand_size=_signed(numbers.get(0x10)) or 0,
                queue_length_limit=_signed(numbers.get(0x18)) or 0,
            )
    return v1.LimitedPriorityLevelConfiguration(
        nominal_concurrency_shares=_signed(parts.get(0x08)),
        limit_response=response,
        lendable_percent=_signed(parts.get(0x18)),
        borrowing_limit_percent=_signed(parts.get(0x20)),
    )


def _read_condition(data: bytes) -> v1.PriorityLevelConfigurationCondition:
    parts: Mapping[int, bytes | int] = dict(_fields(data))
    return v1.PriorityLevelConfigurationCondition(
        type=_message(parts.get(0x0A, b"")).decode(),
        status=_message(parts.get(0x12, b"")).decode(),
        last_transition_time=read_time(_message(parts[0x1A])) if parts.get(0x1A) else None,
        reason=_message(parts.get(0x22, b"")).decode(),
        message=_message(parts.get(0x2A, b"")).decode(),
    )


def _object(value: object, path: str) -> Json:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise DecodeError(path, "expected an object")
    return value


def _text(data: Json, key: str, at: str) -> str:
    value = data.get(key, "")
    if not isinstance(value, str):
        raise DecodeError(f"{at}{key}", "expected a string")
    return value


def _int32(data: Json, key: str, at: str) -> int | None:
    value = data.get(key)
    if value is None:
        return None
    if type(value) is not int or value not in INT32:
        raise DecodeError(f"{at}{key}", "expected a number of 32 bits")
    return value


def _varint(value: int) -> bytes:
    if value < 0:
        value += 1 << 64
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _number(tag: bytes, value: int | None) -> bytes:
    return b"" if value is None else tag + _varint(value)


def _bytes(tag: bytes, value: bytes) -> bytes:
    return tag + _varint(len(value)) + value


def _fields(data: bytes) -> list[tuple[int, bytes | int]]:
    found: list[tuple[int, bytes | int]] = []
    position, end = 0, len(data)
    while position < end:
        tag, position = read_varint(data, position)
        value, position = read_varint(data, position)
        if tag & 7 == 2:
            found.append((tag, data[position : position + value]))
            position += value
        elif tag & 7 == 0:
            found.append((tag, value))
        else:
            raise DecodeError("", f"unexpected wire type {tag & 7}")
    return found


def _message(value: bytes | int) -> bytes:
    if isinstance(value, int):
        raise DecodeError("", "expected bytes")
    return value


def _signed(value: bytes | int | None) -> int | None:
    if value is None or isinstance(value, bytes):
        return None
    return (value & 0xFFFFFFFF ^ 0x80000000) - 0x80000000
