"""Runs the tests of generated code on the newest Python that Debian packages."""
