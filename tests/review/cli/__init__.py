"""`apigen diff` and `apigen explain` as people run them."""
