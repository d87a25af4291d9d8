from handwritten.shop_example_com.v1.helpers import from_elsewhere, never

GATE = "OfConstant"


def default_order(obj, features):
    if features.enabled("Direct") and features.enabled(GATE):
        obj.note = _noted(features) or from_elsewhere(features)


def default_cart(obj, features):
    if features.enabled("OfCart"):
        obj.note = never(features)


def _noted(features):
    return "No gate" if features.enabled("OfHelper") else None
