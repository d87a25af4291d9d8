"""A surface, of whatever form, as specs that can be compiled."""
