"""Regular expressions as sets of texts: a parser, automata, and a search that stays within a budget.

Written here and not taken from a library: the ones at hand build whole automata before they answer, so that a pattern that
explodes is not stopped, count no lengths or bytes beside the pattern, and read Python's syntax where servers of CRDs read RE2's.
"""
