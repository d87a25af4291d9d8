package v1

// +of-the-group
const (
	// +enabled
	// First is the first.
	First AfterCode = "First" // +trailing
	Second AfterCode = "Second"

	// +detached

	Third AfterCode = "Third"
)

// +single
const Fourth AfterCode = "Fourth"
