"""Services and methods of protobuf."""

from __future__ import annotations

from apigen.review.changes.change import Added, Altered, AnyChange, Removed, Trait
from apigen.review.context import Context
from apigen.review.results import SOURCE, WIRE, Direction, Effect, RuleResult, Severities, breaks, depends
from apigen.review.rules.numbers import of_option
from apigen.review.rules.rule import added, altered, change_rule, removed, silent
from apigen.review.surface import ElementKind, Struct, Surface


def is_same_layout(old: str, new: str, context: Context) -> bool:
    """Return whether a message of the base and one of the revision, by full names, have equal fields."""
    before, after = _message(old, context.old), _message(new, context.new)
    return before is not None and after is not None and before.fields == after.fields


def _message(name: str, surface: Surface) -> Struct | None:
    return next((struct for struct in surface.structs() if struct.wire_name == name), None)


def misread(role: str) -> dict[Direction, Effect]:
    """Return the effects if `role` (request, response) is parsed as another message than it was written as."""
    return {
        Direction.OLD_CLIENT: breaks(f"older clients and the newer server parse the {role} as different messages"),
        Direction.NEW_CLIENT: breaks(f"newer clients and an older server parse the {role} as different messages"),
    }


def _removal(change: AnyChange) -> RuleResult:
    rejected = breaks("calls of older clients fail")
    return RuleResult(f"{change.element.kind} {change.element.words} was removed", {Direction.OLD_CLIENT: rejected})


def _new(change: AnyChange) -> RuleResult:
    rejected = depends("calls of newer clients fail on an older server")
    return RuleResult(f"{change.element.kind} {change.element.words} was added", {Direction.NEW_CLIENT: rejected})


@change_rule("service-removed", removed(ElementKind.SERVICE), severities="W/E/E", presets=WIRE)
def service_removed(change: Removed, context: Context) -> RuleResult:
    """Calls of its methods fail."""
    return _removal(change)


@change_rule("service-added", added(ElementKind.SERVICE), severities="I/I/I")
def service_added(change: Added, context: Context) -> RuleResult:
    """Older servers do not have it."""
    return _new(change)


@change_rule(
    "service-moved-to-another-file", altered(Trait.FILE, ElementKind.SERVICE), severities="I/W/E", presets=SOURCE
)
def service_moved_to_another_file(change: Altered, context: Context) -> RuleResult | None:
    """The encoding is unchanged; includes and imports are not."""
    return RuleResult(f"service {change.element.words} moved from {change.before} to {change.after}")


@change_rule("method-removed", removed(ElementKind.METHOD), severities="W/E/E", presets=WIRE)
def method_removed(change: Removed, context: Context) -> RuleResult:
    """Calls of it fail."""
    return _removal(change)


@change_rule("method-added", added(ElementKind.METHOD), severities="I/I/I")
def method_added(change: Added, context: Context) -> RuleResult:
    """Older servers do not have it."""
    return _new(change)


def _other_message(change: Altered, role: str, context: Context) -> RuleResult | None:
    """Return the result for a method whose `role` (request, response) is another message."""
    message = f"{role} type of method {change.element.words} changed from {change.before} to {change.after}"
    if is_same_layout(str(change.before), str(change.after), context):
        return RuleResult(f"{message}, which has the same fields", severities=Severities.of("I/W/W"))
    return RuleResult(message, misread(role))


@change_rule("method-request-changed", altered(Trait.REQUEST, ElementKind.METHOD), severities="W/E/E", presets=WIRE)
def method_request_changed(change: Altered, context: Context) -> RuleResult | None:
    """The server parses a request as another message than the client wrote."""
    return _other_message(change, "request", context)


@change_rule("method-response-changed", altered(Trait.RESPONSE, ElementKind.METHOD), severities="W/E/E", presets=WIRE)
def method_response_changed(change: Altered, context: Context) -> RuleResult | None:
    """The client parses a response as another message than the server wrote."""
    return _other_message(change, "response", context)


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
