"""The sizes in which random specs are compiled, as multiples of Kubernetes'."""

from __future__ import annotations

SCALES = (1, 4, 16)
