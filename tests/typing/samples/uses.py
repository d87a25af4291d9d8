"""What a user of a generated package writes, and what type checkers see in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_type

from api import scheme
from api.features import FeatureName
from api.meta.v1.types import ObjectMeta
from api.networking_k8s_io.hub import types as networking_hub
from api.networking_k8s_io.v1 import types as v1
from api.networking_k8s_io.v1beta1 import types as v1beta1
from api.runtime import DecodeError, DecodeErrors, Quantity, Time
from api.runtime.features import Features
from api.runtime.strategy import Dropped, Strategy
from api.runtime.validation import FieldError
from api.things_example_com.hub import types as hub
from api.things_example_com.v6 import conversions, json_codec, protobuf_codec
from api.things_example_com.v6 import types as v6
from api.things_example_com.v7alpha1 import types as v7alpha1


def converted(ingress: v1beta1.Ingress | v1.Ingress) -> str:
    new = scheme.convert(ingress, "networking.k8s.io/v1")
    assert_type(new, v1.Ingress)
    assert_type(new.metadata, ObjectMeta)
    assert_type(new.spec.rules, list[v1.IngressRule] | None)
    assert_type(new.spec.ingress_class_name, str | None)
    for rule in new.spec.rules or ():
        assert_type(rule.http, v1.HTTPIngressRuleValue | None)
        if rule.http is not None:
            for path in rule.http.paths or ():
                assert_type(path, v1.HTTPIngressPath)
                if path.backend.service is not None:
                    assert_type(path.backend.service.port.number, int)
    old = scheme.convert(new, "networking.k8s.io/v1beta1")
    assert_type(old, v1beta1.Ingress)
    return new.metadata.name


def by_way_of_the_hub(frobber: v6.Frobber) -> v7alpha1.Frobber:
    internal = scheme.convert(frobber, "hub")
    assert_type(internal, hub.Frobber)
    assert_type(internal.width, int | None)
    assert_type(internal.knobs, list[hub.Knob] | None)
    assert_type(scheme.convert(internal, "hub", share=True), hub.Frobber)
    new = scheme.convert(internal, "things.example.com/v7alpha1")
    assert_type(new.knobs, dict[str, v7alpha1.KnobSetting] | None)
    assert_type(new.status.last_frob_time, Time | None)
    return new


def any_version(obj: object, version: str) -> Any:
    assert_type(scheme.convert(obj, version), Any)
    return scheme.convert(obj, version)


def bytes_and_objects(data: bytes, features: Features) -> bytes:
    try:
        obj = scheme.decode(
            data, "application/yaml", default=False, unknown="error", features=features, expect=v1.Ingress
        )
    except DecodeError as error:
        assert_type(error.path, str)
        raise
    assert_type(obj, v1.Ingress)
    assert_type(scheme.decode(data), Any)
    scheme.default(obj, features=features)
    copy = scheme.copy(obj)
    assert_type(copy, v1.Ingress)
    assert_type(scheme.equal(obj, copy), bool)
    return scheme.encode(copy, "application/json", indent=2)


def what_there_is(obj: object) -> None:
    assert_type(scheme.kinds(), tuple[str, ...])
    assert_type(scheme.versions("Frobber"), tuple[str, ...])
    assert_type(scheme.storage_version("Frobber", features=scheme.features("1.12")), str | None)
    assert_type(scheme.served_versions("Frobber", "1.12", enabled={"things.example.com/v6"}), tuple[str, ...])
    assert_type(scheme.warnings(scheme.decode(b"{}")), list[str])
    assert_type(scheme.deprecation_warning(obj, release="1.30"), str | None)


def strategies(new: hub.Frobber, old: hub.Frobber) -> list[str]:
    features = scheme.features(release="1.11")
    assert_type(features, Features)
    gate: FeatureName = "Frobber2D"
    features.set(gate, True)
    strategy = scheme.strategy("Frobber")
    assert_type(strategy, Strategy[hub.Frobber])
    assert_type(scheme.strategy("Ingress"), Strategy[networking_hub.Ingress])
    dropped = strategy.prepare_for_create(new, features=features)
    assert_type(dropped, list[Dropped])
    dropped += scheme.strategy("Frobber", "status").prepare_for_update(new, old, features=features)
    errors = strategy.validate_update(new, old, features=features)
    assert_type(errors, list[FieldError])
    return [str(warning) for warning in dropped] + [str(error) for error in errors]


def built() -> v6.Frobber:
    frobber = v6.Frobber(height=3, restart_policy=v6.RestartPolicy.NEVER, knobs=[v6.Knob(name="a")])
    frobber.restart_policy = "a value of tomorrow"
    frobber.width = None
    frobber.metadata.labels = {"a": "b"}
    assert_type(Quantity("1") == Quantity("1000m"), bool)
    return frobber


def plain_functions(frobber: v6.Frobber) -> v6.Frobber:
    assert_type(conversions.frobber_to_hub(frobber), hub.Frobber)
    assert_type(protobuf_codec.encode_frobber(frobber), bytes)
    decoded = json_codec.decode_frobber({}, "", None)
    assert_type(decoded, v6.Frobber)
    return decoded


def several(data: bytes, objects: list[v6.Frobber]) -> None:
    assert_type(scheme.decode_all(data), Iterator[Any])
    assert_type(scheme.decode_all(data, expect=v6.Frobber), Iterator[v6.Frobber])
    objects.extend(scheme.decode_all(data, "application/yaml", unknown="error", errors="all", expect="Frobber"))
    assert_type(scheme.encode_all(objects), bytes)
    assert_type(scheme.encode_all((each for each in objects), indent=2), bytes)


def plain(frobber: v6.Frobber) -> v6.Frobber:
    tree = scheme.to_dict(frobber)
    assert_type(tree, dict[str, Any])
    assert_type(scheme.from_dict(tree), Any)
    assert_type(scheme.decode({"kind": "Frobber"}, expect=("", "v1", "Frobber")), Any)
    return scheme.from_dict(tree, expect=v6.Frobber, default=False, errors="all")


def kinds_by_class(ingress: v1beta1.Ingress, frobber: v6.Frobber) -> None:
    assert_type(scheme.convert(ingress, v1.Ingress), v1.Ingress)
    assert_type(scheme.convert(frobber, hub.Frobber), hub.Frobber)
    assert_type(scheme.convert(frobber, ("things.example.com", "v6", "Frobber")), Any)
    assert_type(scheme.strategy(v6.Frobber), Strategy[hub.Frobber])
    assert_type(scheme.strategy(hub.Frobber, "status"), Strategy[hub.Frobber])
    assert_type(scheme.strategy("Frobber.things.example.com"), Strategy[hub.Frobber])
    assert_type(scheme.strategy(v1.Ingress), Strategy[networking_hub.Ingress])
    assert_type(scheme.strategy(("things.example.com", "v6", "Frobber")), Strategy[Any])
    for kind in ("Frobber", v7alpha1.Frobber, hub.Frobber, ("things.example.com", "v6", "Frobber")):
        print(scheme.versions(kind), scheme.served_versions(kind), scheme.storage_version(kind))


def all_errors(data: bytes) -> list[str]:
    try:
        scheme.decode(data, errors="all")
    except DecodeErrors as group:
        return [str(error) for error in group.exceptions] + [group.path, group.problem]
    return []
