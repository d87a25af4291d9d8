"""How Kubernetes' API changes from release to release, held against Kubernetes' own data.

`python -m tests.kubernetes.evolution` (`make kubernetes-evolution`) prints gates, lifecycles and storage rules, and strategies.
"""
