"""Convert the IR to source text: a module or package per kind of output; `registry` finds their `plan` functions."""
