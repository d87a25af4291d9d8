"""Patches of random documents: applying them gives the stored document, and keeps what decoding merely normalizes."""

from __future__ import annotations

import copy

import hypothesis
import jsonpatch
from apigen_server.webhook.patches import patch_of
from hypothesis import strategies

from .processes import Json

KEYS = strategies.sampled_from(["a", "b", "c/d", "e~f", "metadata", ""])
VALUES = strategies.recursive(
    strategies.sampled_from([None, 0, 1, "", "x", True]),
    lambda inner: strategies.lists(inner, max_size=3) | strategies.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
DOCUMENTS = strategies.dictionaries(KEYS.filter(lambda key: key != "metadata"), VALUES, max_size=4)


def applied(patch: list[Json], document: Json) -> Json:
    found: Json = jsonpatch.JsonPatch(patch).apply(copy.deepcopy(document))
    return found


@hypothesis.given(DOCUMENTS, DOCUMENTS)
def test_patch_produces_the_stored_document(sent: Json, stored: Json) -> None:
    assert applied(patch_of(sent, sent, stored), sent) == stored


@hypothesis.given(DOCUMENTS, DOCUMENTS)
def test_patch_applies_to_any_decoded_document(sent: Json, decoded: Json) -> None:
    applied(patch_of(sent, decoded, sent), sent)
    applied(patch_of(sent, decoded, decoded), sent)


@hypothesis.given(DOCUMENTS)
def test_an_unchanged_document_has_no_patch(sent: Json) -> None:
    assert patch_of(sent, sent, sent) == []


def test_normalized_values_are_kept_as_sent() -> None:
    sent = {"cpu": "1000m", "items": [{"at": "2026-01-01T01:00:00+01:00", "size": 1}]}
    decoded = {"cpu": "1", "items": [{"at": "2026-01-01T00:00:00Z", "size": 1, "zero": 0}], "status": {"x": ""}}
    stored = {"cpu": "1", "items": [{"at": "2026-01-01T00:00:00Z", "size": 2, "zero": 0}], "status": {"x": ""}}
    assert patch_of(sent, decoded, stored) == [{"op": "replace", "path": "/items/0/size", "value": 2}]


def test_unknown_fields_are_removed_in_lists_too() -> None:
    sent = {"items": [{"name": "a", "unknown": [1]}], "empty": {}}
    decoded = {"items": [{"name": "a"}]}
    assert patch_of(sent, decoded, decoded) == [{"op": "remove", "path": "/items/0/unknown"}]


def test_a_list_of_another_length_is_replaced() -> None:
    sent = {"items": [1, 2]}
    assert patch_of(sent, sent, {"items": [2]}) == [{"op": "replace", "path": "/items", "value": [2]}]


def test_only_labels_and_annotations_of_metadata_change() -> None:
    sent: Json = {"metadata": {"name": "a", "annotations": {"x/y": "1"}, "unknown": 1}}
    stored: Json = {"metadata": {"name": "b", "labels": {"l": "m"}, "generation": 1}}
    assert patch_of(sent, sent, stored) == [
        {"op": "add", "path": "/metadata/labels", "value": {"l": "m"}},
        {"op": "remove", "path": "/metadata/annotations"},
    ]
