"""The authentication of operations: security requirements, with the schemes in `components` that they name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import prod

from apigen.inputs.schemas.words import Words, entries_of, items_of, text, texts, words_of
from apigen.ir.surface import Credential, Credentials
from apigen.language.nodes import Node

_MOST = 64
"""The number of combinations of flows up to which each is an alternative; it grows exponentially with the schemes."""

ReadObject = Callable[[Node], Words]
"""Returns the keywords of an object of OpenAPI, or of the one that it refers to."""


def security_of(operation: Words, document: Words, read: ReadObject) -> tuple[Credentials, ...]:
    """Return the alternatives by which clients authenticate for an operation, each with all credentials that it requires.

    Without requirements, the only alternative is one without credentials. Schemes are compared by their content, because
    clients do not know their names.
    """
    declared = operation if "security" in operation else document
    schemes = {
        key.text: read(node) for key, node in entries_of(words_of(document.get("components")), "securitySchemes")
    }
    found = (each for item in items_of(declared, "security") for each in _alternatives(words_of(item), schemes))
    return tuple(dict.fromkeys(found)) or (Credentials(),)


def _alternatives(requirement: Words, schemes: dict[str, Words]) -> Iterator[Credentials]:
    """The credentials for a requirement: a client needs one of the flows of OAuth 2."""
    forms = [list(_forms(name, schemes.get(name, {}))) for name in requirement]
    if prod(map(len, forms)) > _MOST:
        forms = [[" or ".join(each)] for each in forms]
    scopes = [texts(requirement, name) for name in requirement]
    for chosen in product(*forms):
        yield frozenset(
            Credential(form, scope) for form, own in zip(chosen, scopes, strict=True) for scope in ("", *own)
        )


def _forms(name: str, scheme: Words) -> Iterator[str]:
    """Return the ways of authentication that a scheme allows, as everything about them that clients depend on."""
    match text(scheme, "type"):
        case "apiKey":
            yield f"API key {text(scheme, 'name')} in {text(scheme, 'in')}"
        case "http":
            yield f"HTTP {(text(scheme, 'scheme') or '').lower()}"
        case "oauth2":
            for flow, node in entries_of(scheme, "flows"):
                urls = (text(words_of(node), keyword) for keyword in ("authorizationUrl", "tokenUrl"))
                yield " ".join(("OAuth 2", flow.text, *(url for url in urls if url)))
        case "openIdConnect":
            yield f"OpenID Connect {text(scheme, 'openIdConnectUrl')}"
        case "mutualTLS":
            yield "mutual TLS"
        case _:
            yield name
