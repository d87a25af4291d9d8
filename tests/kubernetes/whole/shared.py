"""Where the whole of the fixtures and vectors lies: next to the project, or where APIGEN_SHARED says."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SHARED = Path(os.environ.get("APIGEN_SHARED", ROOT.parent / "shared")) / "kubernetes"
VECTORS = SHARED / "vectors"
FIXTURES = SHARED / "fixtures"
ABSENT = f"the fixtures and vectors of all of Kubernetes are not at {SHARED}"
