def default_thing(obj, features:
