package slices

import (
	"cmp"
	"iter"
	"sort"
)

func All[S ~[]E, E any](s S) iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		for i, v := range s {
			if !yield(i, v) {
				return
			}
		}
	}
}

func Backward[S ~[]E, E any](s S) iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		for i := len(s) - 1; i >= 0; i-- {
			if !yield(i, s[i]) {
				return
			}
		}
	}
}

func Values[S ~[]E, E any](s S) iter.Seq[E] {
	return func(yield func(E) bool) {
		for _, v := range s {
			if !yield(v) {
				return
			}
		}
	}
}

func Chunk[S ~[]E, E any](s S, n int) iter.Seq[S] {
	if n < 1 {
		panic("cannot be less than 1")
	}
	return func(yield func(S) bool) {
		for i := 0; i < len(s); i += n {
			end := min(i+n, len(s))
			if !yield(s[i:end:end]) {
				return
			}
		}
	}
}

func AppendSeq[S ~[]E, E any](s S, seq iter.Seq[E]) S {
	for v := range seq {
		s = append(s, v)
	}
	return s
}

func Collect[E any](seq iter.Seq[E]) []E {
	var s []E
	for v := range seq {
		s = append(s, v)
	}
	return s
}

func Sorted[E cmp.Ordered](seq iter.Seq[E]) []E {
	s := Collect(seq)
	Sort(s)
	return s
}

func SortedFunc[E any](seq iter.Seq[E], compare func(E, E) int) []E {
	s := Collect(seq)
	SortFunc(s, compare)
	return s
}

func SortedStableFunc[E any](seq iter.Seq[E], compare func(E, E) int) []E {
	s := Collect(seq)
	SortStableFunc(s, compare)
	return s
}

func Sort[S ~[]E, E cmp.Ordered](s S) {
	sort.Slice(s, func(i, j int) bool { return cmp.Less(s[i], s[j]) })
}

func SortFunc[S ~[]E, E any](s S, compare func(a, b E) int) {
	sort.Slice(s, func(i, j int) bool { return compare(s[i], s[j]) < 0 })
}

func SortStableFunc[S ~[]E, E any](s S, compare func(a, b E) int) {
	sort.SliceStable(s, func(i, j int) bool { return compare(s[i], s[j]) < 0 })
}

func IsSorted[S ~[]E, E cmp.Ordered](s S) bool {
	return IsSortedFunc(s, cmp.Compare[E])
}

func IsSortedFunc[S ~[]E, E any](s S, compare func(a, b E) int) bool {
	for i := len(s) - 1; i > 0; i-- {
		if compare(s[i], s[i-1]) < 0 {
			return false
		}
	}
	return true
}

func BinarySearch[S ~[]E, E cmp.Ordered](s S, v E) (int, bool) {
	return BinarySearchFunc(s, v, cmp.Compare[E])
}

func BinarySearchFunc[S ~[]E, E, T any](s S, v T, compare func(E, T) int) (int, bool) {
	i := sort.Search(len(s), func(i int) bool { return compare(s[i], v) >= 0 })
	return i, i < len(s) && compare(s[i], v) == 0
}

func Clone[S ~[]E, E any](s S) S {
	if s == nil {
		return nil
	}
	return append(S{}, s...)
}

func Clip[S ~[]E, E any](s S) S { return s[:len(s):len(s)] }

func Grow[S ~[]E, E any](s S, n int) S {
	if n < 0 {
		panic("cannot be negative")
	}
	if n -= cap(s) - len(s); n > 0 {
		s = append(s[:cap(s)], make([]E, n)...)[:len(s)]
	}
	return s
}

func Contains[S ~[]E, E comparable](s S, v E) bool { return Index(s, v) >= 0 }

func ContainsFunc[S ~[]E, E any](s S, f func(E) bool) bool { return IndexFunc(s, f) >= 0 }

func Index[S ~[]E, E comparable](s S, v E) int {
	for i := range s {
		if s[i] == v {
			return i
		}
	}
	return -1
}

func IndexFunc[S ~[]E, E any](s S, f func(E) bool) int {
	for i := range s {
		if f(s[i]) {
			return i
		}
	}
	return -1
}

func Reverse[S ~[]E, E any](s S) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}

func Max[S ~[]E, E cmp.Ordered](s S) E {
	if len(s) < 1 {
		panic("slices.Max: empty list")
	}
	m := s[0]
	for _, v := range s[1:] {
		m = max(m, v)
	}
	return m
}

func Min[S ~[]E, E cmp.Ordered](s S) E {
	if len(s) < 1 {
		panic("slices.Min: empty list")
	}
	m := s[0]
	for _, v := range s[1:] {
		m = min(m, v)
	}
	return m
}

func MaxFunc[S ~[]E, E any](s S, compare func(a, b E) int) E {
	if len(s) < 1 {
		panic("slices.MaxFunc: empty list")
	}
	m := s[0]
	for _, v := range s[1:] {
		if compare(v, m) > 0 {
			m = v
		}
	}
	return m
}

func MinFunc[S ~[]E, E any](s S, compare func(a, b E) int) E {
	if len(s) < 1 {
		panic("slices.MinFunc: empty list")
	}
	m := s[0]
	for _, v := range s[1:] {
		if compare(v, m) < 0 {
			m = v
		}
	}
	return m
}

func Equal[S ~[]E, E comparable](a, b S) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func EqualFunc[S1 ~[]E1, S2 ~[]E2, E1, E2 any](a S1, b S2, eq func(E1, E2) bool) bool {
	if len(a) != len(b) {
		return false
	}
	for i, v := range a {
		if !eq(v, b[i]) {
			return false
		}
	}
	return true
}

func Compare[S ~[]E, E cmp.Ordered](a, b S) int {
	return CompareFunc(a, b, cmp.Compare[E])
}

func CompareFunc[S1 ~[]E1, S2 ~[]E2, E1, E2 any](a S1, b S2, compare func(E1, E2) int) int {
	for i, v := range a {
		if i >= len(b) {
			return 1
		}
		if c := compare(v, b[i]); c != 0 {
			return c
		}
	}
	if len(a) < len(b) {
		return -1
	}
	return 0
}

func Compact[S ~[]E, E comparable](s S) S {
	return CompactFunc(s, func(a, b E) bool { return a == b })
}

func CompactFunc[S ~[]E, E any](s S, eq func(E, E) bool) S {
	if len(s) < 2 {
		return s
	}
	n := 1
	for i := 1; i < len(s); i++ {
		if !eq(s[i-1], s[i]) {
			s[n] = s[i]
			n++
		}
	}
	clear(s[n:])
	return s[:n]
}

func Insert[S ~[]E, E any](s S, i int, v ...E) S { return Replace(s, i, i, v...) }

func Delete[S ~[]E, E any](s S, i, j int) S {
	_ = s[i:j:len(s)]
	if i == j {
		return s
	}
	n := len(s)
	s = append(s[:i], s[j:]...)
	clear(s[len(s):n])
	return s
}

func DeleteFunc[S ~[]E, E any](s S, del func(E) bool) S {
	n := 0
	for _, v := range s {
		if !del(v) {
			s[n] = v
			n++
		}
	}
	clear(s[n:])
	return s[:n]
}

func Replace[S ~[]E, E any](s S, i, j int, v ...E) S {
	_ = s[i:j]
	n := len(s)
	tail := append(append(S{}, v...), s[j:]...) // of which v may be a part of s
	if i+len(tail) > cap(s) {                   // and s stays as it is
		s = append(s[:i], make(S, len(tail))...)
		copy(s[i:], tail)
		return s
	}
	s = append(s[:i], tail...)
	if len(s) < n {
		clear(s[len(s):n])
	}
	return s
}

func Concat[S ~[]E, E any](lists ...S) S {
	var out S
	for _, s := range lists {
		out = append(out, s...)
	}
	return out
}

func Repeat[S ~[]E, E any](s S, n int) S {
	out := S{}
	for range n {
		out = append(out, s...)
	}
	return out
}
