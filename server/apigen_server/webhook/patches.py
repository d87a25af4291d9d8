"""The JSON patch (RFC 6902) of a mutating webhook.

No library is used, because three documents are compared: the object as it was sent, as it was decoded, and as it will be
stored. Decoding normalizes values (`1000m` becomes `1`) and writes zero values;
only what changes between the second and the third may become a part of the patch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .reviews import METADATA_CHANGES, Json


def patch_of(sent: Json, decoded: Json, stored: Json) -> list[Json]:
    """Return the operations that make `stored` of `sent`; both and `decoded` are objects of the same version.

    They change metadata in labels and annotations only, and remove fields of `sent` that neither of the others has, since
    their type does not have them, unless they are empty. Where lists differ in length, the whole list is replaced.
    """
    documents = [_without_type_and_metadata(document) for document in (sent, decoded, stored)]
    return [*_changes("", *documents), *_metadata_changes(sent, decoded, stored)]


def _without_type_and_metadata(document: Json) -> Json:
    return {key: value for key, value in document.items() if key not in ("apiVersion", "kind", "metadata")}


def _metadata_changes(*documents: Json) -> Iterator[Json]:
    parts = [document.get("metadata") or {} for document in documents]
    for key in METADATA_CHANGES:
        yield from _changes("/metadata", *[{key: part[key]} if part.get(key) else {} for part in parts])


def _changes(path: str, sent: Any, decoded: Any, stored: Any) -> Iterator[Json]:
    if all(isinstance(value, dict) for value in (sent, decoded, stored)):
        yield from _changes_of_fields(path, sent, decoded, stored)
    elif all(isinstance(value, list) for value in (sent, decoded, stored)) and len(sent) == len(decoded) == len(stored):
        for index, values in enumerate(zip(sent, decoded, stored, strict=True)):
            yield from _changes(f"{path}/{index}", *values)
    elif decoded != stored:
        yield {"op": "replace", "path": path, "value": stored}


def _changes_of_fields(path: str, sent: Json, decoded: Json, stored: Json) -> Iterator[Json]:
    for key, value in sent.items():
        place = f"{path}/{_escaped(key)}"
        if key not in stored:
            if key in decoded or value:
                yield {"op": "remove", "path": place}
        elif key in decoded:
            yield from _changes(place, value, decoded[key], stored[key])
        else:
            yield {"op": "replace", "path": place, "value": stored[key]}
    for key, value in stored.items():
        if key not in sent and not (key in decoded and decoded[key] == value):
            yield {"op": "add", "path": f"{path}/{_escaped(key)}", "value": value}


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
