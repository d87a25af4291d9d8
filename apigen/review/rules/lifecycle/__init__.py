"""Rules about groups, versions, kinds and types."""
