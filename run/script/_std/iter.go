package iter

type Seq[V any] func(yield func(V) bool)

type Seq2[K, V any] func(yield func(K, V) bool)

func Pull[V any](seq Seq[V]) (next func() (V, bool), stop func()) {
	ask, give := make(chan bool), make(chan V)
	started, done := false, false
	run := func() {
		if <-ask {
			seq(func(v V) bool {
				give <- v
				return <-ask
			})
		}
		close(give)
	}
	next = func() (v V, ok bool) {
		if done {
			return v, false
		}
		if !started {
			started = true
			go run()
		}
		ask <- true
		v, ok = <-give
		done = !ok
		return v, ok
	}
	stop = func() {
		if !done && started {
			ask <- false
			<-give
		}
		done = true
	}
	return next, stop
}
