OTHER = "OfOtherModule"


def from_elsewhere(features):
    return OTHER if features.enabled(OTHER) else None


def never(features):
    return "never" if features.enabled("OfIdleHelper") else None
