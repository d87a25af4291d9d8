"""All of Kubernetes' API: compiled from the specs of a release, and compared with every fixture and every vector.

`python -m tests.kubernetes.whole` (`make kubernetes`) prints the table; the tests of this folder run the same.
"""
