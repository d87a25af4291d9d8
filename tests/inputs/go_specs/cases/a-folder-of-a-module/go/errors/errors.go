package errors

// Reason says why.
type Reason string
