package reflect

func TypeFor[T any]() Type {
	var p *T
	return TypeOf(p).Elem()
}
