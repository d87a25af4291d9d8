"""Conversion webhook: converts the objects of a ConversionReview to the requested version.

Objects are converted as they are: neither defaulted nor validated, since kube-apiserver sends stored objects, which must
stay readable. A webhook may change `metadata.labels` and `metadata.annotations` only: kube-apiserver rejects or reverts
changes of anything else there, so the rest of the metadata is returned unchanged.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from typing import Any

from ..generated_package import GeneratedPackage
from .reviews import METADATA_CHANGES, Answer, Json, json_text, json_type, json_value, object_name, review_of

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
                return json_text(obj).encode()
            return self._in_version(obj, desired).encode()
        except RecursionError:
            problem = "nested too deeply"
        except (self._package.api_error, ValueError) as error:  # ApiError is a ValueError, too
            problem = str(error)
        except Exception as error:  # a bug of a hand-written converter, which must not affect other reviews
            log.exception("converter failed", extra={"object": object_name(obj), "to": desired})
            problem = f"internal error of the converter: {error!r}"
        raise _FailedConversionError(f"objects[{index}]: {object_name(obj)}: {problem}")

    def _in_version(self, obj: Json, desired: str) -> str:
        metadata = obj.get("metadata")
        if not isinstance(metadata, dict):
            raise ValueError(f"metadata: expected an object, found {json_type(metadata)}")
        source = json_text({**obj, "metadata": {**metadata, "managedFields": None}})  # which no converter needs
        converted = self._scheme.convert(self._scheme.decode(source, default=False), desired, share=True)
        head = f'{{"kind":{json_text(converted.kind)},"apiVersion":{json_text(desired)},"metadata":'
        text = self._scheme.encode(converted).decode()
        if text.startswith(head):  # so that only the metadata is parsed again, which saves a third of the time
            changed, end = json_value(text, len(head))
            return f"{head}{json_text(_merged(metadata, changed))}{text[end:]}"
        tree = self._scheme.to_dict(converted)
        tree["metadata"] = _merged(metadata, tree.get("metadata", {}))
        return json_text(tree)


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
    response: Json = {"convertedObjects": [], "uid": uid}
    if error:
        response["result"] = {"status": "Failure", "message": error}
    else:
        response["result"] = {"status": "Success"}
    text = json.dumps({"kind": "ConversionReview", "apiVersion": api_version, "response": response})
    head, end = text.encode().split(b"[]", 1)  # the first one: neither the kind nor the version has brackets
    return b"".join((head, b"[", b",".join(objects if not error else ()), b"]", end))
