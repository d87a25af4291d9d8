package down

type Deep struct{}
