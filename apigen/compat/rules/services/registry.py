"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.rule import Rule
from apigen.compat.rules.services.method_added import method_added
from apigen.compat.rules.services.method_idempotency_changed import method_idempotency_changed
from apigen.compat.rules.services.method_removed import method_removed
from apigen.compat.rules.services.method_request_changed import method_request_changed
from apigen.compat.rules.services.method_response_changed import method_response_changed
from apigen.compat.rules.services.method_streaming_changed import method_streaming_changed
from apigen.compat.rules.services.service_added import service_added
from apigen.compat.rules.services.service_moved_to_another_file import service_moved_to_another_file
from apigen.compat.rules.services.service_removed import service_removed

SERVICES_RULES: tuple[Rule, ...] = (
    service_removed,
    service_added,
    service_moved_to_another_file,
    method_removed,
    method_added,
    method_request_changed,
    method_response_changed,
    method_streaming_changed,
    method_idempotency_changed,
)
