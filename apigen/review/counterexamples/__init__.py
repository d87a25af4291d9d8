"""Counterexamples: objects that show a finding. They are generated, and tried with the generated code of both sides."""
