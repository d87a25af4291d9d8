"""Rules of style and policy about valid specs, for maintainers of long-lived APIs."""
