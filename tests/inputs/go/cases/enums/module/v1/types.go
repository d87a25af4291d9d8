package v1

// Mode has a wrapped marker.
// +k8s:beta(since: "1.37")=+k8s:enum
type Mode string

// Way is marked plainly.
// +enum
type Way string

// Speed is marked the new way.
// +k8s:enum
type Speed string

// Open has constants, and no marker.
type Open string

const (
	ModeOn Mode = "On"
	WayIn  Way  = "In"
	Fast        = Speed("Fast")
	Opened Open = "Opened"
)
