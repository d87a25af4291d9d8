"""The common JSON format of conversion and admission reviews."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

Json = dict[str, Any]

METADATA_CHANGES = ("labels", "annotations")
"""The parts of `metadata` that webhooks change; the rest belongs to kube-apiserver."""


class BadReviewError(Exception):
    """A request body that is not a review of a known version, and therefore has no response but an HTTP status."""


RESULTS = ("success", "failure", "denied")


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a review: the JSON of the response, and what metrics and logs report about it.

    `result` is one of RESULTS: `success`, `failure` (an object cannot be decoded or converted) or `denied` (admission), `problem` the
    message of the response.
    """

    body: bytes
    uid: str
    result: str
    objects: int
    problem: str = ""


_encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":"))


def json_text(value: object) -> str:
    """Return compact JSON. Raises ValueError for values that JSON does not have."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # nested more than 254 levels deep
        return _encoder.encode(value)


def json_bytes(value: object) -> bytes:
    """Return compact JSON in UTF-8. Raises ValueError for values that JSON does not have, also for halves of surrogate pairs."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return _encoder.encode(value).encode()


def review_of(body: bytes, kind: str, versions: tuple[str, ...]) -> tuple[str, Json]:
    """Return the `apiVersion` and the `request` of a review. Raises BadReviewError.

    `versions` are the values of `apiVersion` that are accepted.
    """
    try:
        review = orjson.loads(body)
    except ValueError as error:
        raise BadReviewError(f"the request body is not JSON: {error}") from None
    if not isinstance(review, dict):
        raise BadReviewError(f"expected a {kind}, found {json_type(review)}")
    found = review.get("kind"), review.get("apiVersion")
    if found[0] != kind or found[1] not in versions:
        raise BadReviewError(f"expected a {kind} of {' or '.join(versions)}, found kind {found[0]!r} of {found[1]!r}")
    request = review.get("request")
    if not isinstance(request, dict):
        raise BadReviewError(f"request: expected an object, found {json_type(request)}")
    if not isinstance(request.get("uid"), str) or not request["uid"]:
        raise BadReviewError(f"request.uid: expected a string, found {json_type(request.get('uid'))}")
    return found[1], request


def json_type(value: object) -> str:
    """Return the JSON type of a value, for messages."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "an empty string" if not value else "a string"
    return "a list" if isinstance(value, list) else "an object"


def object_name(obj: Json) -> str:
    """Return the name of an object for messages: `example.com/v1 Widget "namespace/name"`."""
    return " ".join(_name_parts(obj)) or "object"


def _name_parts(obj: Json) -> Iterator[str]:
    for key in ("apiVersion", "kind"):
        if isinstance(obj.get(key), str) and obj[key]:
            yield obj[key]
    metadata = obj.get("metadata")
    if isinstance(metadata, dict):
        names = (metadata.get("namespace"), metadata.get("name") or metadata.get("generateName"))
        name = "/".join(part for part in names if isinstance(part, str) and part)
        if name:
            yield json_text(name)
