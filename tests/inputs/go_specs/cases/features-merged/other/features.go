package features

import "k8s.io/component-base/featuregate"

const Foreign featuregate.Feature = "Foreign"
