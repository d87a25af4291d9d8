"""The rules of compatibility: a class each, in folders by what they are about."""
