def thimg_to_hub(source, generated):
    return generated(source)


def thing_from_hub(source, generated):
    return generated(source)


def _helper(source):
    return source
