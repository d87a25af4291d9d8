package v1beta1

import v1 "example.com/things/v1"

// Rule is that of v1.
// +enum
type Rule = v1.Rule

type Scope = v1.Scope

const (
	// Wide is that of v1.
	Wide Scope = v1.Wide
	// Narrow has no type here.
	Narrow = v1.Narrow
)
