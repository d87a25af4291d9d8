package features

import (
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/component-base/featuregate"
)

const (
	// owner: @sig-frob
	Frobber2D featuregate.Feature = "Frobber2D"
)

var defaults = map[featuregate.Feature]featuregate.VersionedSpecs{
	Frobber2D: {
		{Version: version.MustParse("1.36"), Default: false, PreRelease: featuregate.Alpha},
	},
}
