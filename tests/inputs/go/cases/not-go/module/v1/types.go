This is a text about Go, and no Go.
