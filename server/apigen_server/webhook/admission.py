"""Admission webhooks for objects of CRDs: the preparation and validation that a built-in API has before storage.

The mutating webhook sets defaults, drops fields behind disabled feature gates and fields that the type does not have, and
restores what a request may not change. The validating webhook reports what is wrong with the result. Values that an update
does not change are not validated (ratcheting).
"""

from __future__ import annotations

import base64
import logging
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from ..generated_package import Features, GeneratedPackage, Strategy
from .patches import patch_of
from .reviews import Answer, Json, json_bytes, json_text, json_type, object_name, review_of

log = logging.getLogger(__name__)

VERSIONS = ("admission.k8s.io/v1", "admission.k8s.io/v1beta1")

Cause = tuple[str, str, str]
"""The reason, the message and the field of a cause in a status."""


_METADATA = frozenset(
    "annotations creationTimestamp deletionGracePeriodSeconds deletionTimestamp finalizers generateName generation labels"
    " name namespace ownerReferences resourceVersion selfLink uid".split()
)
"""The fields of metadata that are decoded: all of Kubernetes 1.36 but `managedFields`; newer ones are not unknown fields."""


class _DeniedError(Exception):
    """A request that is denied, with the status of the response."""

    def __init__(self, status: Json) -> None:
        super().__init__(status["message"])
        self.status = status


@dataclass
class _Request:
    """A request for an object of the package: as it was sent, decoded and defaulted, and in the hub, ready to be stored."""

    sent: Json
    decoded: Any
    hub: Any
    old: Any
    strategy: Strategy
    causes: list[Cause]
    dropped: list[Any]
    warnings: list[str] = field(default_factory=list)


class Admission:
    """The admission webhooks of a generated package, with the feature gates of one release."""

    def __init__(self, package: GeneratedPackage, features: Features) -> None:
        self._package = package
        self._scheme = package.scheme
        self._features = features

    async def mutate(self, body: bytes) -> Answer:
        """Return the response of the mutating webhook to a review. Raises BadReviewError."""
        return self._respond(body, self._mutated)

    async def validate(self, body: bytes) -> Answer:
        """Return the response of the validating webhook to a review. Raises BadReviewError."""
        return self._respond(body, self._validated)

    def _respond(self, body: bytes, decide: Callable[[Json], Json]) -> Answer:
        api_version, request = review_of(body, "AdmissionReview", VERSIONS)
        uid = request["uid"]
        status: Json = {}
        answer: Json = {}
        try:
            answer = decide(request)
        except _DeniedError as denied:
            status = denied.status
        except RecursionError:
            status = _status(400, "BadRequest", "request.object: nested too deeply")
        except Exception as error:  # a bug of a hand-written function, which must not affect other reviews
            log.exception("admission failed", extra={"uid": uid})
            status = _status(500, "InternalError", f"internal error of the webhook: {error!r}")
        response = {"uid": uid, "allowed": not status, **({"status": status} if status else answer)}
        review = {"kind": "AdmissionReview", "apiVersion": api_version, "response": response}
        text = json_text(review).encode(errors="backslashreplace")  # halves of surrogate pairs, in messages
        return Answer(text, uid, "denied" if status else "success", 1, status.get("message", ""))

    def _mutated(self, request: Json) -> Json:
        """Return the patch and the warnings of an allowed request. Raises _DeniedError."""
        found = self._read(request, "ignore")
        if found is None:
            return {}
        _reject(found, found.causes)
        found.warnings += map(str, found.dropped)
        sent, scheme = found.sent, self._scheme
        try:
            convert = self._package.convert
            hub = convert(scheme.decode(json_text(sent), default=False), "hub", sent)
            plain, stored = (scheme.to_dict(convert(obj, sent["apiVersion"], sent)) for obj in (hub, found.hub))
        except self._package.api_error as error:
            raise _bad_request(f"{object_name(sent)}: {error}") from None
        response: Json = {"warnings": found.warnings} if found.warnings else {}
        patch = patch_of(sent, plain, stored)
        if patch:
            response["patchType"] = "JSONPatch"
            response["patch"] = base64.b64encode(json_bytes(patch)).decode()
        return response

    def _validated(self, request: Json) -> Json:
        """Return the warnings of a valid request. Raises _DeniedError."""
        found = self._read(request, "error")
        if found is None:
            return {}
        causes = list(found.causes)
        for dropped in found.dropped:  # here it cannot be dropped any more, and must not be stored
            reason = dropped.reason or f"the {dropped.gate} feature is disabled"
            causes.append(("FieldValueForbidden", f"Forbidden: {reason}", dropped.path))
        try:
            if found.old is None:
                errors = found.strategy.validate(found.hub, features=self._features)
            else:
                errors = found.strategy.validate_update(found.hub, found.old, features=self._features)
        except self._package.api_error as error:
            raise _bad_request(f"{object_name(found.sent)}: {error}") from None
        _reject(found, [*causes, *map(_cause, errors)])
        return {"warnings": found.warnings} if found.warnings else {}

    def _read(self, request: Json, missing: Literal["ignore", "error"]) -> _Request | None:
        """Return the decoded request; None if it is allowed without a check. Raises _DeniedError if it is not valid."""
        operation = request.get("operation")
        if operation not in ("CREATE", "UPDATE"):
            return None
        sent = _object(request, "object")
        subresource = request.get("subResource") or ""
        try:
            strategy = self._scheme.strategy(_triple(sent), subresource)
        except self._package.scheme_error as error:
            if subresource:  # one that does not write objects of the package, such as `scale`
                return None
            raise _bad_request(f"{object_name(sent)}: {error}") from None
        old = None
        try:
            before = None
            if operation == "UPDATE":
                before = _object(request, "oldObject")
                old = self._old(before)
            decoded, noted = self._decode(sent, before, missing)
            hub, errors = strategy.from_request(decoded, old)
            if old is None:
                dropped = strategy.prepare_for_create(hub, features=self._features)
            else:
                dropped = strategy.prepare_for_update(hub, old, features=self._features)
        except (self._package.api_error, ValueError) as error:
            raise _bad_request(f"{object_name(sent)}: {error}") from None
        noted += self._scheme.warnings(decoded, features=self._features)
        return _Request(sent, decoded, hub, old, strategy, [*map(_cause, errors)], [*dropped], noted)

    def _old(self, sent: Json) -> Any:
        """Return the old object in the hub. Raises _DeniedError."""
        try:
            return self._package.convert(self._scheme.decode(json_text(sent), features=self._features), "hub", sent)
        except self._package.api_error as error:
            raise _bad_request(f"oldObject: {object_name(sent)}: {error}") from None

    def _decode(self, sent: Json, old: Json | None, missing: Literal["ignore", "error"]) -> tuple[Any, list[str]]:
        """Return an object, defaulted, and warnings of the fields that its type does not have. Raises DecodeError.

        Required fields that the old object does not have either may stay missing.
        """
        text, features = json_text(sent), self._features
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", self._package.unknown_field_warning)
            try:
                obj = self._scheme.decode(text, unknown="warn", missing=missing, errors="all", features=features)
            except self._package.decode_error:
                if old is None or self._missing(sent) - self._missing(old):
                    raise
                caught.clear()
                obj = self._scheme.decode(text, unknown="warn", errors="all", features=features)
        unknown = (each for each in caught if issubclass(each.category, self._package.unknown_field_warning))
        return obj, [str(each.message) for each in unknown]

    def _missing(self, sent: Json) -> set[str]:
        """Return the paths of the required fields that an object does not have, or of everything else that is wrong."""
        try:
            self._scheme.decode(json_text(sent), missing="error", errors="all", features=self._features)
        except self._package.decode_error as error:
            parts = error.exceptions if isinstance(error, BaseExceptionGroup) else (error,)
            return {str(part) for part in parts}
        return set()


def _object(request: Json, key: str) -> Json:
    """Return an object of a request, with the metadata that is decoded. Raises _DeniedError."""
    obj = request.get(key)
    if not isinstance(obj, dict):
        raise _bad_request(f"request.{key}: expected an object, found {json_type(obj)}")
    metadata = obj.get("metadata")
    if isinstance(metadata, dict):
        return {**obj, "metadata": {key: value for key, value in metadata.items() if key in _METADATA}}
    return obj


def _triple(obj: Json) -> tuple[str, str, str]:
    """Return group, version and kind of an object. Raises _DeniedError."""
    api_version, kind = obj.get("apiVersion"), obj.get("kind")
    if not isinstance(api_version, str) or not isinstance(kind, str):
        raise _bad_request("request.object: expected an object with `apiVersion` and `kind`")
    group, _, version = api_version.rpartition("/")
    return group, version, kind


def _cause(error: Any) -> Cause:
    return str(error.type), str(error).removeprefix(f"{error.path}: "), error.path


def _status(code: int, reason: str, message: str) -> Json:
    return {"status": "Failure", "code": code, "reason": reason, "message": message}


def _bad_request(message: str) -> _DeniedError:
    return _DeniedError(_status(400, "BadRequest", message))


def _reject(request: _Request, causes: list[Cause]) -> None:
    """Raise _DeniedError with all causes, with the texts of kube-apiserver; return without causes."""
    if not causes:
        return
    group, _, kind = _triple(request.sent)
    metadata = request.sent.get("metadata") or {}
    name = metadata.get("name") or metadata.get("generateName") or ""
    texts = [f"{path}: {message}" if path else message for _, message, path in causes]
    listed = texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
    details = {
        "group": group,
        "kind": kind,
        "name": name,
        "causes": [{"reason": reason, "message": message, "field": path} for reason, message, path in causes],
    }
    message = f"{kind}{'.' * bool(group)}{group} {json_text(name)} is invalid: {listed}"
    raise _DeniedError({**_status(422, "Invalid", message), "details": details})
