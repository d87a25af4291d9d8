"""Rules about the steps from release to release: what may follow what was shipped."""
