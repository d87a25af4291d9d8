"""The review of OpenAPI documents compared with oasdiff on its own cases."""
