"""CertificateSigningRequest v1beta1: the signer that a request was meant for, before requests named one.

Kubernetes: SetDefaults_CertificateSigningRequestSpec of pkg/apis/certificates/v1beta1, and what it calls.
"""

from __future__ import annotations

from generated.certificates_k8s_io.v1beta1 import types

from generated.runtime.features import Features
from handwritten.certificates_k8s_io.v1beta1.der import Unreadable
from handwritten.certificates_k8s_io.v1beta1.requests import Request, read_request

CLIENT = "kubernetes.io/kube-apiserver-client-kubelet"
SERVING = "kubernetes.io/kubelet-serving"
UNKNOWN = "kubernetes.io/legacy-unknown"


def default_certificate_signing_request_spec(obj: types.CertificateSigningRequestSpec, features: Features) -> None:
    """Name the signer where none is named; `usages` has its own default by now."""
    if obj.signer_name is None:
        obj.signer_name = _signer_of(obj.request or b"", frozenset(obj.usages or []))


def _signer_of(data: bytes, usages: frozenset[str]) -> str:
    try:
        request = read_request(data)
    except Unreadable:
        return UNKNOWN
    if not _is_of_node(request):
        return UNKNOWN
    if not request.hosts and _are_for(usages, "client auth"):
        return CLIENT
    if request.hosts and _are_for(usages, "server auth"):
        return SERVING
    return UNKNOWN


def _is_of_node(request: Request) -> bool:
    """Whether a kubelet asks, and for nothing but hosts."""
    named = request.organizations == ("system:nodes",) and request.common_name.startswith("system:node:")
    return named and not request.others


def _are_for(usages: frozenset[str], purpose: str) -> bool:
    """Exactly these usages; keys other than RSA ones do without the second."""
    return usages | {"key encipherment"} == {"digital signature", "key encipherment", purpose}
