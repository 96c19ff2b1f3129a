package symbols

import (
	"strings"
	"testing"
)

func TestReadableName(t *testing.T) {
	for _, test := range []struct{ symbol, want string }{
		{"", ""},
		{"main", "main"},
		{"NtCreateFile", "NtCreateFile"},
		{"std::vector<int>::push_back", "std::vector<int>::push_back"},
		{"<lambda_0>::operator()", "<lambda_0>::operator()"},

		{"?push_back@?$vector@HV?$allocator@H@std@@@std@@QEAAXAEBH@Z", "std::vector<int, std::allocator<int>>::push_back"},
		{"??1Foo@@QAE@XZ", "Foo::~Foo"},
		{"?broken", "?broken"},
		{".?AVFoo@@", "Foo `RTTI Type Descriptor Name'"},
		{"__imp_?f@@YAXXZ", "__imp_f"},
		{"?f@@YAXXZ.llvm.123", "f"},

		{"_Z1fi", "f"},
		{"_ZN3foo3barEv", "foo::bar"},
		{"__ZN3foo3barEv", "foo::bar"},
		{"_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<int, std::allocator<int>>::push_back"},
		{"_ZNSt6vectorIiSaIiEE9push_backERKi.llvm.8613", "std::vector<int, std::allocator<int>>::push_back"},
		{"_ZN3foo3barEv.cold", "foo::bar"},
		{"_ZZ1fiENKUlvE_clEv", "f()::'lambda'()::operator()"},
		{"__imp__ZN3foo3barEv", "__imp_foo::bar"},
		{"_Zbroken", "_Zbroken"},

		{"_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad"},
		{"_ZN4core3fmt9Formatter3pad17h0123456789abcdefE.llvm.99", "core::fmt::Formatter::pad"},
		{"_ZN49_$LT$alloc..string..String$u20$as$u20$Display$GT$3fmt17h0123456789abcdefE", "<alloc::string::String as Display>::fmt"},
		{"_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar"},
		{"_RNvNtCs1234_7mycrate3foo3bar.llvm.99", "mycrate::foo::bar"},
		{"_Regular", "_Regular"},

		{"_name@8", "name"},
		{"__name@0", "_name"},
		{"@name@12", "name"},
		{"name@@16", "name"},
		{"__imp__name@8", "__imp_name"},
		{"__imp_name", "__imp_name"},
		{"#name", "name"},
		{"name@8", "name@8"},
		{"_name@8x", "_name@8x"},
		{"_@8", "_@8"},
		{"@@8", "@@8"},
		{"@", "@"},
		{"_", "_"},
		{"__imp_", "__imp_"},
		{"_a@b@8", "_a@b@8"},
	} {
		if got := readableName(test.symbol); got != test.want {
			t.Errorf("%s: %q, want %q", test.symbol, got, test.want)
		}
	}
}

// TestHostileNames checks names that would take much time, depth or memory.
func TestHostileNames(t *testing.T) {
	for name, symbol := range map[string]string{
		"long":           "_Z" + strings.Repeat("x", 1<<20),
		"deep pointers":  "_Z1f" + strings.Repeat("P", 1<<15-100) + "i",
		"deep templates": "_Z1fI" + strings.Repeat("1AI", 1<<13) + "i",
		"growing":        "_Z1fI" + growing(30) + "EvT_",
		"deep Rust":      "_R" + strings.Repeat("Nv", 1<<14),
		"numbers":        "_Z99999999999999999999f",
	} {
		t.Run(name, func(t *testing.T) {
			if got := readableName(symbol); len(got) > max(1<<16, len(symbol)) {
				t.Errorf("%d bytes", len(got))
			}
		})
	}
}

// growing returns a type of Itanium C++ that repeats each of its parts.
func growing(depth int) string {
	text := "1AIiiE"
	substitutions := "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for i := range depth {
		text = "1BI" + text + "S" + substitutions[i:i+1] + "_E"
	}
	return text
}

func FuzzName(f *testing.F) {
	for _, symbol := range []string{"?f@@YAXXZ", "_ZN3foo3barEi", "_RNvNtCs1234_7mycrate3foo3bar", "_ZN4core3pad17h0123456789abcdefE", "_name@8", "__imp_name"} {
		f.Add(symbol)
	}
	f.Fuzz(func(t *testing.T, symbol string) {
		name := readableName(symbol)
		if symbol != "" && name == "" {
			t.Errorf("%q has no name", symbol)
		}
		if most := max(1<<16, len(symbol)) + len("__imp_"); len(name) > most {
			t.Errorf("%d bytes of %q", len(name), symbol)
		}
	})
}
