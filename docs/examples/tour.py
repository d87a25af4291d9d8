"""The way of a FlowSchema through an API server: in as v1beta2, stored as protobuf, out as v1."""

from pathlib import Path

from generated import scheme
from generated.flowcontrol_apiserver_k8s_io.v1.types import FlowSchema

text = Path("docs/examples/flow-schema.yaml").read_bytes()
written = scheme.decode(text, "application/yaml")  # defaulted
print(scheme.deprecation_warning(written))

hub = scheme.convert(written, "hub")
features = scheme.features()
strategy = scheme.strategy("FlowSchema")
strategy.prepare_for_create(hub, features=features)
for error in strategy.validate(hub, features=features):
    print(error)

stored = scheme.encode(scheme.convert(hub, "flowcontrol.apiserver.k8s.io/v1"), "application/vnd.kubernetes.protobuf")
print(stored[:4], len(stored), "bytes")

read = scheme.decode(stored, "application/vnd.kubernetes.protobuf", expect=FlowSchema)
print(read.spec.matching_precedence, read.spec.rules[0].subjects[0].kind)  # typed: an editor completes these
