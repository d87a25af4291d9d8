package dot

type Dot string
