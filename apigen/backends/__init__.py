"""From the IR to source text, one module per kind of output."""
