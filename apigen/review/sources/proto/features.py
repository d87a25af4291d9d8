"""Features of protobuf's editions, resolved from an element's own options, those of enclosing elements, and the syntax."""

from __future__ import annotations

from google.protobuf.descriptor_pb2 import FeatureSet, FileDescriptorProto

from apigen.dataclass import dataclass, replace

_NAMES = (
    "field_presence",
    "enum_type",
    "repeated_field_encoding",
    "utf8_validation",
    "message_encoding",
    "json_format",
)


@dataclass(frozen=True, slots=True)
class Features:
    """The features that affect the encoding, each by the name of its value in `google.protobuf.FeatureSet`."""

    field_presence: str
    enum_type: str
    repeated_field_encoding: str
    utf8_validation: str
    message_encoding: str
    json_format: str

    def inside(self, own: FeatureSet) -> Features:
        """Return the features of a nested element; `own` are those in its options."""
        if not own.ByteSize():
            return self
        said = {name: _word(own, name) for name in _NAMES if own.HasField(name)}  # type: ignore[arg-type]
        return replace(self, **said)


_PROTO2 = Features("EXPLICIT", "CLOSED", "EXPANDED", "NONE", "LENGTH_PREFIXED", "LEGACY_BEST_EFFORT")
_PROTO3 = Features("IMPLICIT", "OPEN", "PACKED", "VERIFY", "LENGTH_PREFIXED", "ALLOW")
_EDITIONS = Features("EXPLICIT", "OPEN", "PACKED", "VERIFY", "LENGTH_PREFIXED", "ALLOW")


def features_of(file: FileDescriptorProto) -> Features:
    """Return the features of a file: of its syntax or edition, and its options. All editions so far have the same
    defaults.
    """
    by_syntax = {"proto3": _PROTO3, "editions": _EDITIONS}
    return by_syntax.get(file.syntax, _PROTO2).inside(file.options.features)


def feature_number(name: str) -> int:
    """The number that a feature has in paths of source positions."""
    return FeatureSet.DESCRIPTOR.fields_by_name[name].number


def _word(features: FeatureSet, name: str) -> str:
    kind = FeatureSet.DESCRIPTOR.fields_by_name[name].enum_type
    number: int = getattr(features, name)
    known = None if kind is None else kind.values_by_number.get(number)
    return str(number) if known is None else known.name
