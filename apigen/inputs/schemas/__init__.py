"""Convert schemas of CRDs, OpenAPI and JSON Schema documents to types of a surface."""
