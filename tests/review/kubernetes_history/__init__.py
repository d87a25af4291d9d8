"""The history of Kubernetes' API, four steps of it, against what its Go sources say has changed."""
