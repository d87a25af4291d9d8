"""The string formats that validation supports: those of Kubernetes' declarative validation, with functions of the
runtime.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from apigen.language.model import Constraints
from apigen.runtime import formats
from apigen.runtime.field_paths import FieldPath
from apigen.runtime.validation import FieldError

_Check = Callable[[FieldPath, str], Iterator[FieldError]]


def _accepts(check: _Check) -> Callable[[str], bool]:
    return lambda value: next(check(FieldPath(), value), None) is None


FORMATS: Mapping[str, Callable[[str], bool]] = {
    "k8s-extended-resource-name": _accepts(formats.k8s_extended_resource_name),
    "k8s-label-key": _accepts(formats.k8s_label_key),
    "k8s-label-value": _accepts(formats.k8s_label_value),
    "k8s-long-name": _accepts(formats.k8s_long_name),
    "k8s-long-name-caseless": _accepts(formats.k8s_long_name_caseless),
    "k8s-path-segment-name": _accepts(formats.k8s_path_segment_name),
    "k8s-prefixed-label-key": _accepts(formats.k8s_prefixed_label_key),
    "k8s-resource-fully-qualified-name": _accepts(formats.k8s_resource_fully_qualified_name),
    "k8s-resource-pool-name": _accepts(formats.k8s_resource_pool_name),
    "k8s-short-name": _accepts(formats.k8s_short_name),
    "k8s-uuid": _accepts(formats.k8s_uuid),
}
"""Each format of text, and whether a text has it."""

EMBEDDED_RESOURCE = "embedded-resource"
"""The format of raw JSON that is a whole Kubernetes object."""

ANY_JSON = "json"
"""The format of raw JSON that may be any value; without it, the value is an object."""

RAW_FORMATS = (EMBEDDED_RESOURCE, ANY_JSON)
"""The formats of raw JSON."""


def is_format(constraints: Constraints, name: str) -> bool:
    """Return whether constraints declare a format."""
    return constraints.format is not None and constraints.format.value == name
