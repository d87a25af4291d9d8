"""The sizes in which made-up specs are compiled, as multiples of Kubernetes'."""

from __future__ import annotations

SCALES = (1, 4, 16)
