"""Services and their methods."""

from __future__ import annotations

from google.protobuf.descriptor_pb2 import MethodDescriptorProto, ServiceDescriptorProto

from apigen.diagnostics import Place
from apigen.review.sources.proto.options import read_options
from apigen.review.sources.proto.scope import Scope
from apigen.review.surface import Method, Service

_METHOD, _SERVICE_OPTIONS = 2, 3
"""Fields of ServiceDescriptorProto, for positions."""

_INPUT, _OUTPUT, _OPTIONS, _CLIENT, _SERVER = 2, 3, 4, 5, 6
"""Fields of MethodDescriptorProto, for positions."""


def read_service(service: ServiceDescriptorProto, scope: Scope) -> Service:
    """A service; the scope is within it."""
    methods = {
        method.name: _method(method, scope.inside(method.name, method.options.features, _METHOD, index))
        for index, method in enumerate(service.method)
    }
    options = read_options(service.options, (*scope.path, _SERVICE_OPTIONS), scope.positions, scope.declared)
    is_deprecated = service.options.deprecated
    return Service(service.name, methods, scope.at(), scope.file, options.pairs(), is_deprecated, options.places)


def _method(method: MethodDescriptorProto, scope: Scope) -> Method:
    options = read_options(method.options, (*scope.path, _OPTIONS), scope.positions, scope.declared)
    places: dict[str, Place] = {
        "request": scope.at(_INPUT),
        "response": scope.at(_OUTPUT),
        "client streams": scope.at(_CLIENT),
        "server streams": scope.at(_SERVER),
    }
    return Method(
        method.name,
        scope.at(),
        request=method.input_type.lstrip("."),
        response=method.output_type.lstrip("."),
        client_streams=method.client_streaming,
        server_streams=method.server_streaming,
        options=options.pairs(),
        is_deprecated=method.options.deprecated,
        places=places | options.places,
    )
