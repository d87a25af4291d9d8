def default_order(obj, features):
    obj.spec.speed = "Fast"


def default_cart(obj, features):
    obj.coupon.code = "new"
