"""Operations of an API over HTTP, their status codes and media types."""

from __future__ import annotations

from apigen.review.changes.change import Added, Removed
from apigen.review.context import Context
from apigen.review.results import WIRE, Direction, RuleResult, Severities, breaks, depends
from apigen.review.rules.rule import added, change_rule, removed
from apigen.review.surface import ElementKind, Messages, Method, Struct

_STATUS = "status"
_BODY = "body"


@change_rule("operation-removed", removed(ElementKind.METHOD), severities="W/E/E", presets=WIRE, knows_messages=True)
def operation_removed(change: Removed, context: Context) -> RuleResult | None:
    """Calls of it are rejected with 404 or 405."""
    if not _is_operation(change):
        return None
    effects = {Direction.OLD_CLIENT: breaks("requests of older clients to it are rejected")}
    return RuleResult(f"operation {change.element.path} was removed", effects)


@change_rule("operation-added", added(ElementKind.METHOD), severities="I/I/I", knows_messages=True)
def operation_added(change: Added, context: Context) -> RuleResult | None:
    """Older servers do not have it."""
    if not _is_operation(change):
        return None
    effects = {Direction.NEW_CLIENT: depends("an older server rejects requests of newer clients to it")}
    return RuleResult(f"operation {change.element.path} was added", effects)


@change_rule("status-removed", removed(ElementKind.FIELD), severities="W/E/E", presets=WIRE, knows_messages=True)
def status_removed(change: Removed, context: Context) -> RuleResult | None:
    """Clients wait for a success that is no longer reported in this way."""
    operation = _operation(change, _STATUS)
    if operation is None:
        return None
    code = change.element.path
    message = f"responses of {operation} no longer have the status code {code}"
    if code.startswith("2"):
        return RuleResult(message, {Direction.OLD_CLIENT: breaks(f"older clients treat only {code} as success")})
    effects = {Direction.OLD_CLIENT: depends(f"older clients may expect {code}")}
    return RuleResult(message, effects, severities=Severities.of("I/I/I"))


@change_rule("status-added", added(ElementKind.FIELD), severities="I/I/I", knows_messages=True)
def status_added(change: Added, context: Context) -> RuleResult | None:
    """Older clients do not know it."""
    operation = _operation(change, _STATUS)
    if operation is None:
        return None
    effects = {Direction.OLD_CLIENT: depends("older clients handle it like another code of its class")}
    return RuleResult(f"responses of {operation} may have the status code {change.element.path}", effects)


@change_rule("media-type-removed", removed(ElementKind.FIELD), severities="W/E/E", presets=WIRE, knows_messages=True)
def media_type_removed(change: Removed, context: Context) -> RuleResult | None:
    """Handle a removed media type: clients send it, or request it in `Accept`."""
    operation = _operation(change, _BODY)
    if operation is None:
        return None
    is_request = context.messages(change.element) is Messages.REQUEST
    effect = (
        "requests of older clients with it are rejected"
        if is_request
        else "older clients that accept only it get no response"
    )
    effects = {Direction.OLD_CLIENT: breaks(effect)}
    return RuleResult(
        f"{_role(is_request)} of {operation} no longer have the media type {change.element.path}", effects
    )


@change_rule("media-type-added", added(ElementKind.FIELD), severities="I/I/I", knows_messages=True)
def media_type_added(change: Added, context: Context) -> RuleResult | None:
    """Handle an added media type: older servers do not know it; older clients do not request it."""
    operation = _operation(change, _BODY)
    if operation is None:
        return None
    is_request = context.messages(change.element) is Messages.REQUEST
    effects = {Direction.NEW_CLIENT: depends("an older server rejects newer clients that depend on it")}
    return RuleResult(f"{_role(is_request)} of {operation} may have the media type {change.element.path}", effects)


def _role(is_request: bool) -> str:
    return "requests" if is_request else "responses"


def _is_operation(change: Added | Removed) -> bool:
    """Return whether a method is one of HTTP: those of protobuf name a message."""
    return isinstance(change.part, Method) and not change.part.request


def _operation(change: Added | Removed, members: str) -> str | None:
    """The message that a status code (or a media type) is one of; None for any other field."""
    holder = change.holder
    if not isinstance(holder, Struct) or holder.members != members:
        return None
    name = change.element.type.removesuffix(f".{_BODY}").removesuffix(f".{_STATUS}")
    return name.replace(f".{_STATUS}.", " ")
