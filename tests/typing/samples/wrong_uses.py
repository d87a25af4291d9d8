"""What type checkers must reject: every line that ends in `# wrong`, and no other."""

from __future__ import annotations

from api import scheme
from api.networking_k8s_io.v1 import types as v1
from api.runtime.features import Features
from api.things_example_com.hub import types as hub
from api.things_example_com.v6 import conversions
from api.things_example_com.v6 import types as v6
from api.things_example_com.v7alpha1 import types as v7alpha1


def wrong(ingress: v1.Ingress, frobber: v6.Frobber, internal: hub.Frobber, features: Features) -> None:
    new = scheme.convert(ingress, "networking.k8s.io/v1")
    print(new.spec.rulez)  # wrong
    print(new.spec.rules[0])  # wrong
    new.spec.rules = "none"  # wrong
    new.rules = []  # wrong
    only: v7alpha1.Frobber = scheme.convert(frobber, "things.example.com/v6")  # wrong
    frobber.height = "3"  # wrong
    frobber.height = None  # wrong
    frobber.knobs = {"a": v6.Knob()}  # wrong
    v6.Frobber(3)  # wrong
    v6.Frobber(hight=3)  # wrong
    v6.Frobber(knobs=[v7alpha1.KnobSetting()])  # wrong
    print(internal.api_version)  # wrong
    print(frobber.depth)  # wrong
    scheme.decode(b"", unknown="refuse")  # wrong
    scheme.decode(3)  # wrong
    scheme.decode(b"", errors="none")  # wrong
    scheme.from_dict(b"{}")  # wrong
    scheme.versions(5)  # wrong
    converted: v6.Frobber = scheme.convert(frobber, v7alpha1.Frobber)  # wrong
    scheme.strategy(v6.Frobber).validate(frobber, features=features)  # wrong
    scheme.encode(frobber, indent="  ")  # wrong
    scheme.decoed(b"")  # wrong
    scheme.strategy("Frobber").validate(frobber, features=features)  # wrong
    scheme.strategy("Frobber").validate(internal)  # wrong
    conversions.frobber_to_hub(internal)  # wrong
    copy: v1.Ingress = scheme.copy(frobber)  # wrong
    features.set("Frobber2D", "true")  # wrong
    print(only, copy, converted)
