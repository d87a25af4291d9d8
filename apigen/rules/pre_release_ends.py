"""A pre-release version has an end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apigen.ir.model import Release, Struct
from apigen.rules.rule import Finding, Rule, Surroundings

_PRE_RELEASE = re.compile(r"v[0-9]+(?:alpha|beta)[0-9]+")
_STEP = 3


class PreReleaseEnds(Rule):
    """Alpha and beta versions go after three releases each way. (Kubernetes deprecation policy, rule 4b)"""

    code = "AG1106"

    def check_struct(self, struct: Struct, around: Surroundings) -> Iterator[Finding]:
        life = struct.lifecycle
        if struct.kind is None or life.introduced is None or not _PRE_RELEASE.fullmatch(struct.id.version):
            return
        if life.deprecated is None and life.removed is None:
            deprecated = _later(life.introduced)
            yield Finding(
                struct.place,
                f"`{struct.id.name}` of {struct.id.version} has no end: it is never deprecated and never removed",
                f'say so, of the version or here: `deprecated: "{deprecated}", removed: "{_later(deprecated)}"`',
            )


def _later(release: Release) -> Release:
    return Release(release.major, release.minor + _STEP)
