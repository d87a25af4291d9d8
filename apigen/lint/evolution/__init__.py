"""Rules about changes from one release to the next."""
