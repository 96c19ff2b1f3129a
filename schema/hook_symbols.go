package schema

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// HookSymbol is a hook id with its name in Microsoft's headers.
type HookSymbol struct {
	Hook   uint16
	Symbol string
}

// HookSymbols returns the names of hooks, by hook. The caller must not change them.
func HookSymbols() []HookSymbol { return hookSymbols() }

// SymbolsOf returns the names of a hook, or none. Hook 0x0531 has two, because the header
// misspells one.
func SymbolsOf(hook uint16) (symbols []string) {
	all := hookSymbols()
	i, _ := slices.BinarySearchFunc(all, hook, func(s HookSymbol, hook uint16) int { return int(s.Hook) - int(hook) })
	for ; i < len(all) && all[i].Hook == hook; i++ {
		symbols = append(symbols, all[i].Symbol)
	}
	return symbols
}

// LookupSymbol returns the hook with a name. Case does not matter.
func LookupSymbol(symbol string) (HookSymbol, bool) {
	all := hookSymbols()
	i := slices.IndexFunc(all, func(s HookSymbol) bool { return strings.EqualFold(s.Symbol, symbol) })
	if i < 0 {
		return HookSymbol{}, false
	}
	return all[i], true
}

// hooksText has a line for each name: the hook in hexadecimal, and the name.
//
//go:embed hooks.txt
var hooksText string

var hookSymbols = sync.OnceValue(func() []HookSymbol {
	symbols, err := parseHooks(hooksText)
	if err != nil {
		panic(err) // a test reads it
	}
	return symbols
})

// parseHooks reads names in the form of hooks.txt.
func parseHooks(text string) (symbols []HookSymbol, err error) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		if strings.HasPrefix(line, "#") {
			continue
		}
		word, symbol, _ := strings.Cut(strings.TrimSpace(line), " ")
		hook, err := strconv.ParseUint(word, 0, 16)
		if err != nil || symbol == "" {
			return nil, fmt.Errorf("hooks.txt:%d: %q, want a hook and its name", number, line)
		}
		symbols = append(symbols, HookSymbol{uint16(hook), symbol})
	}
	return symbols, nil
}
