"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.changes.change import Trait
from apigen.compat.rules.claims import added, altered, removed
from apigen.compat.rules.listed import Listed, OnChange
from apigen.compat.surface.elements import ElementKind

SERVICES_RULES: tuple[Listed, ...] = (
    OnChange("services/service-removed", removed(ElementKind.SERVICE)),
    OnChange("services/service-added", added(ElementKind.SERVICE)),
    OnChange("services/service-moved-to-another-file", altered(Trait.FILE, ElementKind.SERVICE)),
    OnChange("services/method-removed", removed(ElementKind.METHOD)),
    OnChange("services/method-added", added(ElementKind.METHOD)),
    OnChange("services/method-request-changed", altered(Trait.REQUEST, ElementKind.METHOD)),
    OnChange("services/method-response-changed", altered(Trait.RESPONSE, ElementKind.METHOD)),
    OnChange(
        "services/method-streaming-changed",
        altered(Trait.CLIENT_STREAMS, ElementKind.METHOD),
        altered(Trait.SERVER_STREAMS, ElementKind.METHOD),
    ),
    OnChange("services/method-idempotency-changed", altered(Trait.OPTIONS, ElementKind.METHOD)),
)
