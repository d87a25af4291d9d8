"""Why the review differs from oasdiff: the first reason that fits. A difference without a reason fails."""

from __future__ import annotations

import re

from apigen.review.results import Severity
from tests.review.oasdiff.agreement import Row

_ONLY_THEIRS = (
    (
        r"sunset|stability|x-extensible",
        "the extension of oasdiff (`x-sunset`, `x-stability-level`, `x-extensible-enum`) is not read",
    ),
    (
        r"-content-(encoding|media-type|schema)",
        "an annotation: a validator ignores it (JSON Schema 2020-12, Validation 8.1)",
    ),
    (r"default", "the old value stays valid; the meaning of an omitted value changes, which is a warning"),
    (r"^request-body-removed$", "a server may ignore the body: a warning"),
)
"""Where only oasdiff reports an error: by its ids."""

_ONLY_OURS = (
    (
        r"operation-removed",
        "oasdiff allows it for a deprecated operation, or one of low stability; here an approval does",
    ),
    (r"media-type-removed", "media types are compared by their full names (RFC 9110, 8.3.1), parameters included"),
    (
        r"list-and-single-swapped",
        "the style of a parameter is not read, so that one value and a list of one are different",
    ),
    (
        r"bound-tightened|pattern-changed",
        "oasdiff warns of a new constraint, which servers may have enforced before without declaring it",
    ),
    (
        r"pattern-removed|schema-loosened|type-generalized",
        "responses may have values that the old schema does not accept",
    ),
    (r"default-", "other values are sent to clients that omit the field"),
    (
        r"type-changed",
        "oasdiff takes a value of text for the number that it spells outside JSON; schemas are compared as they are",
    ),
    (r"field-added-required", "a name that was read-only, or part of no path, is required now"),
    (r"field-removed", "a property that became write-only is no longer part of responses"),
    (r"became-required", "the schema requires a name that it did not require, defined or not"),
    (
        r"schema-discriminator-changed",
        "the old discriminator chooses other schemas for the same values; oasdiff reports it as information",
    ),
    (
        r"security-tightened",
        "requests with the old credentials are rejected; oasdiff reports it as information",
    ),
    (r"schema-tightened", "the schema in `contains` or `not` changed, so that other values are valid"),
)
"""Where only we report an error: by our rules."""

_SAME = "the schema as a whole accepts every value that it accepted before, by a proof"
_NO_EFFECT = "the keyword has no effect on values of the type, or the schema is in a message that no operation has"
_UNVERIFIED = "reported as not verified"
_OTHERS = (
    (r"CallerDiff", "a webhook: the API writes its request, so that clients accept more than they get"),
    (r"AddPattern", "the property is read-only: no request has it"),
    (r"RequestBodyEnumRemoved", "the whole `enum` was removed: every value is valid"),
    (r"AllOfAdded_WithSources_Inline", "the added schema only defines an optional property"),
)
"""By case."""


def reason(row: Row) -> str | None:
    """Return the reason for a difference; None without one."""
    if row.severity is Severity.ERROR:
        return _first(_ONLY_OURS, " ".join(row.rules))
    found = next((why for pattern, why in _ONLY_THEIRS if any(re.search(pattern, each) for each in row.ids)), None)
    if found is not None:
        return found
    if row.severity is Severity.UNVERIFIED:
        return _UNVERIFIED
    if row.same_values:
        return _SAME
    if row.severity is Severity.SILENT:
        return _NO_EFFECT
    return _first(_OTHERS, row.case)


def _first(reasons: tuple[tuple[str, str], ...], text: str) -> str | None:
    return next((why for pattern, why in reasons if re.search(pattern, text)), None)
