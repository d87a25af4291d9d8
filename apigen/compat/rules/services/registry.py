"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.rule import Rule
from apigen.compat.rules.services.method_added import MethodAdded
from apigen.compat.rules.services.method_idempotency_changed import MethodIdempotencyChanged
from apigen.compat.rules.services.method_removed import MethodRemoved
from apigen.compat.rules.services.method_request_changed import MethodRequestChanged
from apigen.compat.rules.services.method_response_changed import MethodResponseChanged
from apigen.compat.rules.services.method_streaming_changed import MethodStreamingChanged
from apigen.compat.rules.services.service_added import ServiceAdded
from apigen.compat.rules.services.service_moved_to_another_file import ServiceMovedToAnotherFile
from apigen.compat.rules.services.service_removed import ServiceRemoved

SERVICES_RULES: tuple[Rule, ...] = (
    ServiceRemoved(),
    ServiceAdded(),
    ServiceMovedToAnotherFile(),
    MethodRemoved(),
    MethodAdded(),
    MethodRequestChanged(),
    MethodResponseChanged(),
    MethodStreamingChanged(),
    MethodIdempotencyChanged(),
)
