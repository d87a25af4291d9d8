"""All sections, in the order in which they are printed."""

from __future__ import annotations

from collections.abc import Mapping

from tests.kubernetes.evolution import gates, lifecycles, strategies
from tests.kubernetes.evolution.section import Section

SECTIONS: Mapping[str, Section] = {
    "gates": Section("Feature gates", gates.report),
    "lifecycles": Section("Lifecycles and storage versions", lifecycles.report),
    "strategies": Section("Strategies", strategies.report),
}
"""By the name that the command line knows."""
