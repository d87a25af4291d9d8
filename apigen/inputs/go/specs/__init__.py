"""What Go sources say, as entries of specs: the conventions of the language, and a finding for all that it cannot say."""
