"""Publish generated files: compare them with the files on disk, and write all or none."""
