"""Recognizes a run without changes: all files are those of the last run with the same specs, byte for byte."""

from __future__ import annotations

from apigen.build.build_cache import BuildCache
from apigen.build.built import Summary
from apigen.build.publisher.locking import work_folders
from apigen.build.publisher.manifest import NAME, Manifest, digest
from apigen.build.publisher.tree import Survey
from apigen.codegen.formatting import formatter_of
from apigen.language.configuration import Config


def unchanged(config: Config, cache: BuildCache) -> Summary | None:
    """Return the summary of the last run, if all files are unchanged since; None if one differs, or that is unknown.

    No file is written, and no content is kept: after a difference, the caller compares again, with the contents.
    """
    known = cache.summary()
    root = config.output.resolve()
    if known is None or any(folder.exists() for folder in work_folders(root)):
        return None  # another run is at work, or a killed one has left something to complete
    survey = Survey(root)
    try:
        if survey.look(NAME) != Manifest(known.digests, str(formatter_of(config.formatter))).to_bytes():
            return None
        for path, wanted in known.digests.items():
            found = survey.look(path)
            if not isinstance(found, bytes) or digest(found) != wanted:
                return None
        same = all(lock.present == lock.text.encode() for lock in known.locks)
    except OSError:
        return None
    return known if same else None
