"""Rules in CEL as conjunctions of clauses, and whether one follows from others."""
