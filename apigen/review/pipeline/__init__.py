"""Searches for objects of CRDs that one release accepts and another one rejects, as kube-apiserver evaluates both."""
