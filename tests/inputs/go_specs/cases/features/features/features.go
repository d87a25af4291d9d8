package features

import (
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/component-base/featuregate"
	other "example.com/other/features"
)

const (
	// owner: @frob
	// kep: none
	Frobber2D featuregate.Feature = "Frobber2D"

	// owner: @a, @b
	Other featuregate.Feature = "Other"
	Plain featuregate.Feature = "Plain"
	Broken featuregate.Feature = "Broken"
	Careful featuregate.Feature = "Careful"
	CarefulToo featuregate.Feature = "CarefulToo"
	NotYet featuregate.Feature = "NotYet"
)

var gates = map[featuregate.Feature]featuregate.VersionedSpecs{
	Frobber2D: {
		{Version: version.MustParse("1.11"), Default: false, PreRelease: featuregate.Alpha},
		// a comment
		{Version: version.MustParse("1.13"), Default: true, PreRelease: featuregate.Beta}, // and another
		{Version: version.MustParse("v1.20"), Default: true, PreRelease: featuregate.GA, LockToDefault: true},
	},
	Careful: {
		{Version: version.MustParse("1.34"), PreRelease: featuregate.PreAlpha},
		{Version: version.MustParse("1.35"), Default: false, PreRelease: featuregate.Beta, MinCompatibilityVersion: nil},
		{Version: version.MustParse("1.35"), Default: true, PreRelease: featuregate.Beta, MinCompatibilityVersion: version.MustParse("1.35")},
	},
	CarefulToo: {
		{Version: version.MustParse("1.35"), PreRelease: featuregate.Beta},
		{Version: version.MustParse("1.35"), Default: true, PreRelease: featuregate.Beta, MinCompatibilityVersion: oldest()},
	},
	NotYet: {{Version: version.MustParse("1.35"), PreRelease: featuregate.PreAlpha}},
	Other: {{Version: version.MajorMinor(1, 2), PreRelease: featuregate.Deprecated}},
	other.Foreign: {{Version: version.MustParse("1.3"), PreRelease: featuregate.GA}},
	featuregate.Feature("Text"): {{Version: version.MustParse("1.3"), PreRelease: featuregate.Alpha}},
	Broken: {{Version: version.MustParse(release), PreRelease: featuregate.Alpha}},
	other.Unread: {{Version: version.MustParse("1.3"), PreRelease: featuregate.GA}},
}

var old = map[featuregate.Feature]featuregate.FeatureSpec{
	Plain: {Default: true, PreRelease: featuregate.Beta},
}

func dependencies() map[featuregate.Feature][]featuregate.Feature {
	return map[featuregate.Feature][]featuregate.Feature{
		Frobber2D: {Other, featuregate.Feature(other.Foreign)},
		Other:     {},
		other.Foreign: {Broken},
	}
}
