"""The policy of the story, independent of the code that must implement it: what each release does to a Frobber.

It is written down here by hand, and so small that it can be read: the tests hold the servers of every release to it.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

from apigen.language.releases import Release

Document = dict[str, Any]

KNOWN = {"depth": (Release(1, 11),), "width": tuple(Release(1, minor) for minor in range(12, 20))}
"""The fields that are added and removed, and the releases that know them. Both are behind the same gate."""

ON_BY_DEFAULT = Release(1, 13)
"""From this release on the gate is on by default."""

LOCKED = Release(1, 16)
"""From this release on it cannot be disabled."""

ACCEPTED = {"Always": Release(1, 10), "Never": Release(1, 10), "OnTuesday": Release(1, 14)}
"""The release from which on every object may have a restart policy."""

GATE = "Frobber2D"


class Rejection(Exception):
    """The server must reject this."""


@dataclass
class Promised:
    """An object as it must be in the store: what clients gave, and what servers may and may not have done to it."""

    spec: Document | None = None
    status: Document = field(default_factory=dict)
    generation: int = 0

    def put(self, request: Document, release: Release, *, gate: bool) -> list[str]:
        """Return the fields that a server drops if a client sends `request` as the spec."""
        old = self.spec
        known = {} if old is None else self.seen_by(release)
        new, dropped = copy.deepcopy(request), []
        for name, releases in KNOWN.items():
            if name not in new:
                continue
            if release not in releases:
                del new[name]
            elif not gate and name not in known:
                del new[name]
                dropped.append(name)
        new["restartPolicy"] = new.get("restartPolicy") or "Always"
        if not _is_accepted(new["restartPolicy"], release) and known.get("restartPolicy") != new["restartPolicy"]:
            raise Rejection("restartPolicy")
        for name in ("height", *KNOWN):
            if new.get(name, 0) < 0 and new[name] != known.get(name):
                raise Rejection(name)
        self.generation += old is None or new != known
        self.spec = new
        return dropped

    def put_status(self, status: Document, release: Release) -> None:
        """Apply a `status` that a controller sends."""
        self.spec, self.status = self.seen_by(release), copy.deepcopy(status)

    def seen_by(self, release: Release) -> Document:
        """The spec as a server reads it."""
        assert self.spec is not None
        return {name: value for name, value in self.spec.items() if release in KNOWN.get(name, (release,))}


def _is_accepted(policy: str, release: Release) -> bool:
    return policy in ACCEPTED and ACCEPTED[policy] <= release
