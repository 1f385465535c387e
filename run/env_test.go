package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLoadEnv(t *testing.T) {
	file := filepath.Join(t.TempDir(), ".env")
	text := "# a comment\n\nBU_T_PLAIN=a b\nexport BU_T_EXPORT=x # note\nBU_T_QUOTED=\"a # b\" # note\nBU_T_SINGLE='=x='\r\nBU_T_EMPTY=\nBU_T_SET=file\nBU_T_SET_EMPTY=file\nnonsense\n#BU_T_COMMENT=1\n=x\nBU_T_HASH=a#b\nBROWSER_USE_T=x\nT_OTHER=1\nexport LD_T_PRELOAD=/x.so\nbu_t_lower=1\nXBU_T=1\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"BU_T_PLAIN": "a b", "BU_T_EXPORT": "x", "BU_T_QUOTED": "a # b", "BU_T_SINGLE": "=x=", "BU_T_EMPTY": "",
		"BU_T_SET": "mine", "BU_T_SET_EMPTY": "", "BU_T_COMMENT": "none", "BU_T_HASH": "a#b",
		"BROWSER_USE_T": "x", "T_OTHER": "none", "LD_T_PRELOAD": "none", "bu_t_lower": "none", "XBU_T": "none"}
	for name := range want {
		t.Setenv(name, "") // restored at the end
		os.Unsetenv(name)
	}
	os.Setenv("BU_T_SET", "mine")
	os.Setenv("BU_T_SET_EMPTY", "")
	loadEnv(file)
	for name, value := range want {
		got, set := os.LookupEnv(name)
		if value == "none" {
			if set {
				t.Errorf("%s is set, to %q", name, got)
			}
		} else if !set || got != value {
			t.Errorf("%s is %q (set: %v), want %q", name, got, set, value)
		}
	}
	loadEnv(filepath.Join(filepath.Dir(file), "none"))
}
