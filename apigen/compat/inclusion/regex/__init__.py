"""Regular expressions as sets of texts: a parser, automata, and a search that stays within a budget."""
