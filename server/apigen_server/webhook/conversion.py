"""Conversion webhook: converts the objects of a ConversionReview to the requested version.

Objects are converted as they are: neither defaulted nor validated, since kube-apiserver sends stored objects, which must
stay readable. A webhook may change `metadata.labels` and `metadata.annotations` only: kube-apiserver rejects or reverts
changes of anything else there, so the rest of the metadata is returned unchanged.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

from ..generated_package import GeneratedPackage
from .reviews import METADATA_CHANGES, Answer, Json, json_bytes, json_text, json_type, object_name, review_of

log = logging.getLogger(__name__)

VERSIONS = ("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1")

_TURN = 0.02
"""After how many seconds of work on one review other requests, such as probes, have their turn."""


class _FailedConversionError(Exception):
    """An object cannot be converted; the text names the object and the path in it."""


class Conversion:
    """The conversion webhook of a generated package."""

    def __init__(self, package: GeneratedPackage) -> None:
        self._package = package
        self._scheme = package.scheme

    async def respond(self, body: bytes) -> Answer:
        """Return the response to a review. Raises BadReviewError.

        An object that cannot be converted fails the review as a whole, as the API has no result per object; other
        reviews are not affected.
        """
        api_version, request = review_of(body, "ConversionReview", VERSIONS)
        uid, desired, objects = request["uid"], request.get("desiredAPIVersion"), request.get("objects")
        texts: list[bytes] = []
        error = ""
        count = 0
        try:
            if not isinstance(desired, str) or not desired:
                raise _FailedConversionError(f"desiredAPIVersion: expected a string, found {json_type(desired)}")
            if not isinstance(objects, list):
                raise _FailedConversionError(f"objects: expected a list, found {json_type(objects)}")
            count = len(objects)
            turn_ends = time.monotonic() + _TURN
            for index, obj in enumerate(objects):
                texts.append(self._converted(obj, desired, index))
                if time.monotonic() > turn_ends:
                    await asyncio.sleep(0)
                    turn_ends = time.monotonic() + _TURN
        except _FailedConversionError as failure:
            error = str(failure)
        body = _response(api_version, uid, texts, error)
        return Answer(body, uid, "failure" if error else "success", count, error)

    def _converted(self, obj: object, desired: str, index: int) -> bytes:
        """Return the JSON of an object in the desired version. Raises _FailedConversionError."""
        if not isinstance(obj, dict):
            raise _FailedConversionError(f"objects[{index}]: expected an object, found {json_type(obj)}")
        try:
            if obj.get("apiVersion") == desired:
                return json_bytes(obj)
            return self._in_version(obj, desired)
        except RecursionError:
            problem = "nested too deeply"
        except (self._package.api_error, ValueError) as error:  # ApiError is a ValueError, too
            problem = str(error)
        except Exception as error:  # a bug of a hand-written converter, which must not affect other reviews
            log.exception("converter failed", extra={"object": object_name(obj), "to": desired})
            problem = f"internal error of the converter: {error!r}"
        raise _FailedConversionError(f"objects[{index}]: {object_name(obj)}: {problem}")

    def _in_version(self, obj: Json, desired: str) -> bytes:
        metadata = obj.get("metadata")
        if not isinstance(metadata, dict):
            raise ValueError(f"metadata: expected an object, found {json_type(metadata)}")
        source = json_bytes({**obj, "metadata": {**metadata, "managedFields": None}})  # which no converter needs
        converted = self._package.convert(self._scheme.decode(source, default=False), desired, obj, share=True)
        changed = converted.metadata
        converted.metadata = type(changed)()  # written and read again, it would take a third of the time
        text = self._scheme.encode(converted)
        head = b'{"kind":%b,"apiVersion":%b,"metadata":' % (json_bytes(converted.kind), json_bytes(desired))
        merged = _merged(metadata, {key: getattr(changed, key) for key in METADATA_CHANGES})
        if text.startswith(head + b"{}"):
            return b"".join((head, json_bytes(merged), text[len(head) + 2 :]))
        return json_bytes({**self._scheme.to_dict(converted), "metadata": merged})


def _merged(original: Json, converted: Json) -> Json:
    """Return the metadata of the original object with the labels and annotations of the converted one."""
    merged: dict[str, Any] = {**original}
    for key in METADATA_CHANGES:
        value = converted.get(key)
        if value:
            merged[key] = value
        elif merged.get(key):
            del merged[key]
    return merged


def _response(api_version: str, uid: str, objects: list[bytes], error: str) -> bytes:
    head = b'{"kind":"ConversionReview","apiVersion":%b,"response":{"uid":%b' % (
        json_bytes(api_version),
        json_bytes(uid),
    )
    if error:
        result: Json = {"status": "Failure", "message": error}
        return b'%b,"convertedObjects":[],"result":%b}}' % (head, json_text(result).encode(errors="backslashreplace"))
    return b'%b,"convertedObjects":[%b],"result":{"status":"Success"}}}' % (head, b",".join(objects))
