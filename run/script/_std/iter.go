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

type pair[K, V any] struct {
	k K
	v V
}

func Pull2[K, V any](seq Seq2[K, V]) (next func() (K, V, bool), stop func()) {
	pull, stop := Pull(func(yield func(pair[K, V]) bool) {
		seq(func(k K, v V) bool { return yield(pair[K, V]{k, v}) })
	})
	return func() (K, V, bool) {
		p, ok := pull()
		return p.k, p.v, ok
	}, stop
}
