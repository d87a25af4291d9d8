"""A pre-release version has an end."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.ir.model import Struct
from apigen.ir.stability import Stability, releases_later, stability
from apigen.rules.rule import Finding, Rule, Surroundings


class PreReleaseEnds(Rule):
    """Alpha and beta versions go after three releases each way. (Kubernetes deprecation policy, rule 4b)"""

    code = "AG1106"

    def check_struct(self, struct: Struct, around: Surroundings) -> Iterator[Finding]:
        life = struct.lifecycle
        if struct.kind is None or life.introduced is None or stability(struct.id.version) is Stability.STABLE:
            return
        if life.deprecated is None and life.removed is None:
            deprecated = releases_later(life.introduced)
            yield Finding(
                struct.place,
                f"`{struct.id.name}` of {struct.id.version} has no end: it is never deprecated and never removed",
                f'say so, of the version or here: `deprecated: "{deprecated}", removed: "{releases_later(deprecated)}"`',
            )
