"""Publishes generated text: formats and caches it, compares it with the files on disk, and writes all files or none."""
