package script

import (
	"reflect"
	"slices"
	"unsafe"
)

// sortOrdered is slices.Sort, which interpreted takes a hundred times as long.
func sortOrdered(s any) {
	v := reflect.ValueOf(s)
	switch v.Type().Elem().Kind() {
	case reflect.Int:
		sortAs[int](v)
	case reflect.Int8:
		sortAs[int8](v)
	case reflect.Int16:
		sortAs[int16](v)
	case reflect.Int32:
		sortAs[int32](v)
	case reflect.Int64:
		sortAs[int64](v)
	case reflect.Uint:
		sortAs[uint](v)
	case reflect.Uint8:
		sortAs[uint8](v)
	case reflect.Uint16:
		sortAs[uint16](v)
	case reflect.Uint32:
		sortAs[uint32](v)
	case reflect.Uint64:
		sortAs[uint64](v)
	case reflect.Uintptr:
		sortAs[uintptr](v)
	case reflect.Float32:
		sortAs[float32](v)
	case reflect.Float64:
		sortAs[float64](v)
	case reflect.String:
		sortAs[string](v)
	}
}

func sortAs[E int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | uintptr | float32 | float64 | string](v reflect.Value) {
	slices.Sort(unsafe.Slice((*E)(v.UnsafePointer()), v.Len()))
}
