"""Evaluates objects by the schemas of CRDs as kube-apiserver does. Schemas are interpreted: no code is generated from them."""
