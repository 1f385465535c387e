package script

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"reflect"
	"strconv"
)

// constant writes v as a value of type t.
func (m *lower) constant(pos token.Pos, v constant.Value, t types.Type) ast.Expr {
	b, _ := t.Underlying().(*types.Basic)
	if b == nil {
		m.refuse(idAt(pos, ""), "constant of type %s", t)
		return id("nil")
	}
	t = types.Default(t)
	b, _ = t.Underlying().(*types.Basic)
	rt := m.w.reflected(b)
	x := reflect.New(rt).Elem()
	var lit ast.Expr
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		return idAt(pos, strconv.FormatBool(constant.BoolVal(v)))
	case info&types.IsString != 0:
		lit = &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: strconv.Quote(constant.StringVal(v))}
		x.SetString(constant.StringVal(v))
	case info&types.IsUnsigned != 0:
		n, _ := constant.Uint64Val(constant.ToInt(v))
		x.SetUint(n)
	case info&types.IsInteger != 0:
		n, _ := constant.Int64Val(constant.ToInt(v))
		x.SetInt(n)
		lit = &ast.BasicLit{ValuePos: pos, Kind: token.INT, Value: strconv.FormatInt(n, 10)}
		if n < 0 {
			lit = nil
		}
	case info&types.IsFloat != 0:
		f, _ := constant.Float64Val(constant.ToFloat(v))
		x.SetFloat(f)
		if f == math.Trunc(f) && math.Abs(f) < 1e9 && f >= 0 {
			lit = &ast.BasicLit{ValuePos: pos, Kind: token.FLOAT, Value: strconv.FormatFloat(f, 'f', 1, 64)}
		}
	case info&types.IsComplex != 0:
		r, _ := constant.Float64Val(constant.Real(v))
		i, _ := constant.Float64Val(constant.Imag(v))
		x.SetComplex(complex(r, i))
	}
	if lit != nil && (b.Kind() == types.Int || b.Kind() == types.Float64 || b.Kind() == types.String) && m.w.back[asNamed(t)] == nil {
		return lit
	}
	if n := m.w.back[asNamed(t)]; n != nil {
		x = x.Convert(n)
	}
	return idAt(pos, m.use(fmt.Sprintf("const %s %v.k", x.Type(), x), func() reflect.Value { return x }))
}

func asNamed(t types.Type) *types.Named { n, _ := types.Unalias(t).(*types.Named); return n }
