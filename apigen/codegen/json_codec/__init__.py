"""The backend of the JSON codecs."""
