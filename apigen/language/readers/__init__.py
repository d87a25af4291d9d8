"""The words of the spec language, by meaning: tables of keys, and what is made of what stood there."""
