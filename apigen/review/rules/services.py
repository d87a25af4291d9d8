"""Services and methods of protobuf; operations of an API over HTTP, their status codes and media types."""

from __future__ import annotations

from itertools import chain

from apigen.ir.surface import Credentials, ElementKind, Messages, Method, Struct, Surface, credentials_in_words
from apigen.review.changes.change import Added, Altered, Removed, Trait
from apigen.review.changes.words import from_to
from apigen.review.context import Context
from apigen.review.results import SOURCE, WIRE, Direction, Effects, RuleResult, Severities, breaks, depends
from apigen.review.rules.numbers import of_option
from apigen.review.rules.rule import about, added, altered, change_rule, removed, silent


def is_same_layout(old: str, new: str, context: Context) -> bool:
    """Return whether a message of the base and one of the revision, by full names, have equal fields."""
    before, after = _message(old, context.old), _message(new, context.new)
    if before is None or after is None or before.fields != after.fields:
        return False
    formats = {dict(message.options).get("json_format") for message in (before, after)}
    return len(formats) == 1


def _message(name: str, surface: Surface) -> Struct | None:
    types = chain(surface.types(), surface.imported.values())
    return next((type_ for type_ in types if isinstance(type_, Struct) and type_.wire_name == name), None)


def _removal(change: Removed, context: Context) -> RuleResult:
    """Calls of it, or of its methods, fail."""
    rejected = breaks("calls of older clients fail")
    return RuleResult(f"{change.element.kind} {change.element.words} was removed", {Direction.OLD_CLIENT: rejected})


def _new(change: Added, context: Context) -> RuleResult:
    """Older servers do not have it."""
    rejected = depends("calls of newer clients fail on an older server")
    return RuleResult(f"{change.element.kind} {change.element.words} was added", {Direction.NEW_CLIENT: rejected})


def _other_message(change: Altered, context: Context) -> RuleResult | None:
    """The server parses a request, or the client a response, as another message than the other side wrote."""
    role = "request" if change.trait is Trait.REQUEST else "response"
    message = f"{role} type of method {change.element.words} changed from {change.before} to {change.after}"
    if is_same_layout(str(change.before), str(change.after), context):
        return RuleResult(f"{message}, which has the same fields", severities=Severities.of("I/W/W"))
    effects = {
        Direction.OLD_CLIENT: breaks(f"older clients and the newer server parse the {role} as different messages"),
        Direction.NEW_CLIENT: breaks(f"newer clients and an older server parse the {role} as different messages"),
    }
    return RuleResult(message, effects)


_SERVICE, _METHOD = ElementKind.SERVICE, ElementKind.METHOD
service_removed = change_rule("service-removed", removed(_SERVICE), severities="W/E/E", presets=WIRE)(_removal)
service_added = change_rule("service-added", added(_SERVICE), severities="I/I/I")(_new)
method_removed = change_rule("method-removed", removed(_METHOD), severities="W/E/E", presets=WIRE)(_removal)
method_added = change_rule("method-added", added(_METHOD), severities="I/I/I")(_new)
method_request_changed = change_rule(
    "method-request-changed", altered(Trait.REQUEST, _METHOD), severities="W/E/E", presets=WIRE
)(_other_message)
method_response_changed = change_rule(
    "method-response-changed", altered(Trait.RESPONSE, _METHOD), severities="W/E/E", presets=WIRE
)(_other_message)


@change_rule("service-moved-to-another-file", altered(Trait.FILE, _SERVICE), severities="I/W/E", presets=SOURCE)
def service_moved_to_another_file(change: Altered, context: Context) -> RuleResult | None:
    """The encoding is unchanged; includes and imports are not."""
    return RuleResult(f"service {change.element.words} moved from {change.before} to {change.after}")


@change_rule(
    "method-streaming-changed",
    altered(Trait.CLIENT_STREAMS, ElementKind.METHOD),
    altered(Trait.SERVER_STREAMS, ElementKind.METHOD),
    severities="W/E/E",
    presets=WIRE,
)
def method_streaming_changed(change: Altered, context: Context) -> RuleResult | None:
    """Client and server wait for each other, or stop too early."""
    role = "requests" if change.trait is Trait.CLIENT_STREAMS else "responses"
    message = f"method {change.element.words} {'now streams' if change.after else 'no longer streams'} its {role}"
    effect = breaks(f"client and server expect different numbers of {role}")
    return RuleResult(message, {Direction.OLD_CLIENT: effect, Direction.NEW_CLIENT: effect})


_UNKNOWN = "IDEMPOTENCY_UNKNOWN"


@change_rule("method-idempotency-changed", altered(Trait.OPTIONS, ElementKind.METHOD), severities="W/E/E", presets=WIRE)
@of_option("idempotency_level")
def method_idempotency_changed(change: Altered, before: str, after: str) -> RuleResult:
    """Clients retry or cache calls depending on the level."""
    before, after = before or _UNKNOWN, after or _UNKNOWN
    if before == after:
        return silent(f"method {change.element.words} declares its previous idempotency level")
    message = f"idempotency level of method {change.element.words} changed from {before} to {after}"
    old = depends(f"older clients call it as {before}")
    new = depends(f"newer clients call it as {after} on an older server")
    return RuleResult(message, {Direction.OLD_CLIENT: old, Direction.NEW_CLIENT: new})


_STATUS = "status"
_BODY = "body"


def _operation(change: Added | Removed, members: str) -> str | None:
    """Return the operation of a status code or a media type; None for other fields."""
    holder = change.holder
    if not isinstance(holder, Struct) or holder.members != members:
        return None
    name = change.element.type.removesuffix(f".{_BODY}").removesuffix(f".{_STATUS}")
    return name.replace(f".{_STATUS}.", " ")


def _of_status(change: Added | Removed, _: Context) -> str | None:
    return _operation(change, _STATUS)


def _of_media_type(change: Added | Removed, _: Context) -> str | None:
    return _operation(change, _BODY)


def _http_operation(change: Added | Removed, _: Context) -> str | None:
    """Return the path of an operation of HTTP; None for methods of protobuf, which name a message."""
    return change.element.path if isinstance(change.part, Method) and not change.part.request else None


@change_rule("operation-removed", removed(ElementKind.METHOD), severities="W/E/E", presets=WIRE, knows_messages=True)
@about(_http_operation)
def operation_removed(change: Removed, path: str, context: Context) -> RuleResult:
    """Calls of it are rejected with 404 or 405; of a webhook or callback, clients wait for calls."""
    is_webhook = isinstance(change.part, Method) and change.part.is_webhook
    text = "older clients are no longer called" if is_webhook else "requests of older clients to it are rejected"
    effects = {Direction.OLD_CLIENT: breaks(text)}
    return RuleResult(f"operation {path} was removed", effects)


@change_rule("operation-added", added(ElementKind.METHOD), severities="I/I/I", knows_messages=True)
@about(_http_operation)
def operation_added(change: Added, path: str, context: Context) -> RuleResult:
    """Older servers do not have it."""
    is_webhook = isinstance(change.part, Method) and change.part.is_webhook
    text = (
        f"an older server {'does not call newer clients' if is_webhook else 'rejects requests of newer clients to it'}"
    )
    return RuleResult(f"operation {path} was added", {Direction.NEW_CLIENT: depends(text)})


@change_rule(
    "security-tightened",
    altered(Trait.SECURITY, ElementKind.METHOD),
    severities="W/E/E",
    presets=WIRE,
    knows_messages=True,
)
def security_tightened(change: Altered, context: Context) -> RuleResult | None:
    """Requests with credentials that were enough are rejected with 401 or 403."""
    old, new = change.both(Method)
    rejected = _not_enough(old, new)
    if not rejected:
        return None
    effects = {Direction.OLD_CLIENT: breaks(f"requests of older clients with {_in_words(rejected)} are rejected")}
    return RuleResult(_security_words(change), {**effects, **_on_older_servers(old, new)})


@change_rule("security-loosened", altered(Trait.SECURITY, ElementKind.METHOD), severities="I/I/I", knows_messages=True)
def security_loosened(change: Altered, context: Context) -> RuleResult:
    """All credentials that were enough still are. The reverse is `security-tightened`."""
    return RuleResult(_security_words(change), _on_older_servers(*change.both(Method)))


def _security_words(change: Altered) -> str:
    return f"security of {change.element.path} changed {from_to(change)}"


def _not_enough(credentials_of: Method, server: Method) -> list[Credentials]:
    """Return the alternatives of one side for which no alternative of the other side requires less, or the same."""
    return [each for each in credentials_of.security if not any(other <= each for other in server.security)]


def _on_older_servers(old: Method, new: Method) -> Effects:
    rejected = _not_enough(new, old)
    if not rejected:
        return {}
    text = f"an older server rejects requests of newer clients with {_in_words(rejected)}"
    return {Direction.NEW_CLIENT: depends(text)}


def _in_words(alternatives: list[Credentials]) -> str:
    return " or with ".join(map(credentials_in_words, alternatives))


@change_rule("status-removed", removed(ElementKind.FIELD), severities="W/E/E", presets=WIRE, knows_messages=True)
@about(_of_status)
def status_removed(change: Removed, operation: str, context: Context) -> RuleResult:
    """Clients wait for a success that is no longer reported in this way."""
    code = change.element.path
    message = f"responses of {operation} no longer have the status code {code}"
    codes = change.holder.fields if isinstance(change.holder, Struct) else ()
    is_narrowed = code.endswith("XX") and any(each.startswith(code[0]) for each in codes)
    if code.startswith("2") and not is_narrowed:
        return RuleResult(message, {Direction.OLD_CLIENT: breaks(f"older clients treat only {code} as success")})
    effects = {Direction.OLD_CLIENT: depends(f"older clients may expect {code}")}
    return RuleResult(message, effects, severities=Severities.of("I/I/I"))


@change_rule("status-added", added(ElementKind.FIELD), severities="I/I/I", knows_messages=True)
@about(_of_status)
def status_added(change: Added, operation: str, context: Context) -> RuleResult:
    """Older clients do not know it."""
    effects = {Direction.OLD_CLIENT: depends("older clients handle it like another code of its class")}
    return RuleResult(f"responses of {operation} may have the status code {change.element.path}", effects)


@change_rule("media-type-removed", removed(ElementKind.FIELD), severities="W/E/E", presets=WIRE, knows_messages=True)
@about(_of_media_type)
def media_type_removed(change: Removed, operation: str, context: Context) -> RuleResult:
    """Handle a removed media type: clients send it, or request it in `Accept`."""
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
@about(_of_media_type)
def media_type_added(change: Added, operation: str, context: Context) -> RuleResult:
    """Handle an added media type: older servers do not know it; older clients do not request it."""
    is_request = context.messages(change.element) is Messages.REQUEST
    effects = {Direction.NEW_CLIENT: depends("an older server rejects newer clients that depend on it")}
    return RuleResult(f"{_role(is_request)} of {operation} may have the media type {change.element.path}", effects)


def _role(is_request: bool) -> str:
    return "requests" if is_request else "responses"
