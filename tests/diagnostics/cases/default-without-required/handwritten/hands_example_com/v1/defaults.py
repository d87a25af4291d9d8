def default_box(obj, features):
    if obj.height is None:
        obj.height = 1
