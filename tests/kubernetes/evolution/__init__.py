"""Changes of Kubernetes' API from release to release, compared with Kubernetes' own data.

`python -m tests.kubernetes.evolution` (`make kubernetes-evolution`) prints gates, lifecycles and storage rules, and strategies.
"""
