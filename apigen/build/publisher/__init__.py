"""Publish generated text: format and cache it, compare it with the files on disk, and write all files or none."""
