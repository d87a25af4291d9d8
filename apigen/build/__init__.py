"""The operations of commands on a project: create it, build it from its specs, write it, compare it."""
