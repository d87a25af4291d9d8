package v1

func (t TextOrNumber) MarshalJSON() ([]byte, error)     { return nil, nil }
func (t *TextOrNumber) UnmarshalJSON(data []byte) error { return nil }

func (t Token) MarshalJSON() ([]byte, error)     { return nil, nil }
func (t *Token) UnmarshalJSON(data []byte) error { return nil }

func (a Address) MarshalText() ([]byte, error)     { return nil, nil }
func (a *Address) UnmarshalText(data []byte) error { return nil }

func (m *Mode) UnmarshalJSON(data []byte) error { return nil }

func (w *Words) UnmarshalJSON(data []byte) error { return nil }

// Only what is written is changed.
func (w *Written) MarshalJSON() ([]byte, error) { return nil, nil }

// Go writes the fields, and the code changes what is read.
func (c *Cleaned) UnmarshalJSON(data []byte) error { return nil }

// Kinds are read by their fields.
func (f *Frobber) UnmarshalJSON(data []byte) error { return nil }
