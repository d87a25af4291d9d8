def validate_thing(obj, path):
    return []
