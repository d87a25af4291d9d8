"""From the IR to source text: a module or package per kind of output, of which `registry` knows `plan`."""
