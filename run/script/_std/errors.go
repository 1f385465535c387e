package errors

func AsType[E error](err error) (E, bool) {
	var e E
	ok := As(err, &e)
	return e, ok
}
