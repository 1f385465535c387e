package script

import (
	"encoding/xml"
	"fmt"
	"go/types"
	"reflect"
	"strings"
)

// Values of the script's types meet encoding/xml here. It sees the structs as they are
// represented, whose unexported fields are tagged as none of its business, and is told the
// names that their types lack. What it would need methods for is refused.

// xmlRefusal says why values of t cannot go through encoding/xml, "" if they can.
func (b *boxes) xmlRefusal(t types.Type, seen map[types.Type]bool) string {
	if i, ok := t.Underlying().(*types.Interface); ok && i.NumMethods() > 0 && b.shared(t) != nil {
		return fmt.Sprintf("it does not know what %s holds; use any", typeName(t))
	}
	if seen[t] || b.shared(t) != nil || types.IsInterface(t) {
		return ""
	}
	seen[t] = true
	for _, m := range []string{"MarshalXML", "UnmarshalXML", "MarshalXMLAttr", "UnmarshalXMLAttr", "MarshalText", "UnmarshalText"} {
		if o, _, _ := types.LookupFieldOrMethod(t, true, nil, m); o != nil {
			return fmt.Sprintf("method %s of %s would not be called; use a plain field and convert it", m, typeName(t))
		}
	}
	if b.fact(t).wrapped {
		return fmt.Sprintf("it does not know %s, which is part of itself; use a struct", typeName(t))
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if f.Exported() || f.Embedded() {
				if why := b.xmlRefusal(f.Type(), seen); why != "" {
					return why
				}
			}
		}
	case interface{ Elem() types.Type }:
		return b.xmlRefusal(u.Elem(), seen)
	}
	return ""
}

// forXML is x as encoding/xml should get it, and the name of its element.
func (b *boxes) forXML(x any) (_ any, start xml.StartElement, err error) {
	bx, ok := open(x)
	if !ok {
		return x, start, nil
	}
	t := bx.t.t
	if why := b.xmlRefusal(t, map[types.Type]bool{}); why != "" {
		return nil, start, fmt.Errorf("xml: %s", why)
	}
	for {
		el, ok := t.Underlying().(interface{ Elem() types.Type })
		if !ok {
			break
		}
		t = el.Elem()
	}
	if u, ok := t.Underlying().(*types.Struct); ok && !namesElement(u) {
		if n := asNamed(t); n != nil {
			name, _, _ := strings.Cut(n.Obj().Name(), "[")
			start.Name.Local = name
		}
	}
	return raw(x), start, nil
}

// namesElement says whether a struct has the field that names its element.
func namesElement(u *types.Struct) bool {
	for i := range u.NumFields() {
		if f := u.Field(i); f.Name() == "XMLName" && (reflect.StructTag(u.Tag(i)).Get("xml") != "" || asNamed(f.Type()) != nil) {
			return true
		}
	}
	return false
}

// MarshalXML encodes a value of the script's that an interface holds.
func (x box) MarshalXML(e *xml.Encoder, start xml.StartElement) error {
	y, _, err := x.t.b.forXML(x)
	if err != nil {
		return err
	}
	return e.EncodeElement(y, start)
}

// xmlEncode is (*xml.Encoder).Encode.
func (b *boxes) xmlEncode(e *xml.Encoder, x any) error {
	y, start, err := b.forXML(x)
	if err != nil {
		return err
	}
	if start.Name.Local == "" {
		return e.Encode(y)
	}
	if err := e.EncodeElement(y, start); err != nil {
		return err
	}
	return e.Flush()
}

// xmlDecode is (*xml.Decoder).Decode.
func (b *boxes) xmlDecode(d *xml.Decoder, x any) error {
	y, _, err := b.forXML(x)
	if err != nil {
		return err
	}
	return d.Decode(y)
}

// xmlSymbols are the functions of encoding/xml that scripts get.
func (b *boxes) xmlSymbols(name string) any {
	marshal := func(x any, prefix, indent string) ([]byte, error) {
		var out strings.Builder
		e := xml.NewEncoder(&out)
		e.Indent(prefix, indent)
		err := b.xmlEncode(e, x)
		if err != nil {
			return nil, err
		}
		return []byte(out.String()), nil
	}
	switch name {
	case "Marshal":
		return func(x any) ([]byte, error) { return marshal(x, "", "") }
	case "MarshalIndent":
		return marshal
	case "Unmarshal":
		return func(data []byte, x any) error {
			return b.xmlDecode(xml.NewDecoder(strings.NewReader(string(data))), x)
		}
	}
	return nil
}
