"""The rules of compatibility, in folders by their subject."""
