package microsoft

// operators are the names of operators and of functions that the compiler generates, by the
// character after "?", "?_" and "?__".
var operators = [3]map[byte]string{
	{
		'2': "operator new", '3': "operator delete", '4': "operator=", '5': "operator>>",
		'6': "operator<<", '7': "operator!", '8': "operator==", '9': "operator!=",
		'A': "operator[]", 'C': "operator->", 'D': "operator*", 'E': "operator++",
		'F': "operator--", 'G': "operator-", 'H': "operator+", 'I': "operator&",
		'J': "operator->*", 'K': "operator/", 'L': "operator%", 'M': "operator<",
		'N': "operator<=", 'O': "operator>", 'P': "operator>=", 'Q': "operator,",
		'R': "operator()", 'S': "operator~", 'T': "operator^", 'U': "operator|",
		'V': "operator&&", 'W': "operator||", 'X': "operator*=", 'Y': "operator+=",
		'Z': "operator-=",
	}, {
		'0': "operator/=", '1': "operator%=", '2': "operator>>=", '3': "operator<<=",
		'4': "operator&=", '5': "operator|=", '6': "operator^=",
		'D': "`vbase dtor'", 'E': "`vector deleting dtor'", 'F': "`default ctor closure'",
		'G': "`scalar deleting dtor'", 'H': "`vector ctor iterator'",
		'I': "`vector dtor iterator'", 'J': "`vector vbase ctor iterator'",
		'K': "`virtual displacement map'", 'L': "`eh vector ctor iterator'",
		'M': "`eh vector dtor iterator'", 'N': "`eh vector vbase ctor iterator'",
		'O': "`copy ctor closure'", 'T': "`local vftable ctor closure'",
		'U': "operator new[]", 'V': "operator delete[]",
		'X': "`placement delete closure'", 'Y': "`placement delete[] closure'",
	}, {
		'A': "`managed vector ctor iterator'", 'B': "`managed vector dtor iterator'",
		'C': "`EH vector copy ctor iterator'", 'D': "`EH vector vbase copy ctor iterator'",
		'G': "`vector copy ctor iterator'", 'H': "`vector vbase copy constructor iterator'",
		'I': "`managed vector vbase copy constructor iterator'",
		'L': "operator co_await", 'M': "operator<=>",
	},
}

// operator reads the name of an operator or of a function that the compiler generates, after "?".
func (r *reader) operator() identifier {
	level := 0
	for level < 2 && r.accept("_") {
		level++
	}
	c := r.next()
	switch {
	case level == 0 && c == '0':
		return identifier{kind: constructor}
	case level == 0 && c == '1':
		return identifier{kind: destructor}
	case level == 0 && c == 'B':
		return identifier{kind: conversion, text: "operator"}
	case level == 2 && c == 'K':
		return identifier{text: `operator ""` + r.until()}
	}
	name := operators[level][c]
	if name == "" {
		r.fail()
	}
	return identifier{text: name}
}
