"""The proof in readable form: which pairs of versions preserve objects, and the losses of others, with tested examples."""
