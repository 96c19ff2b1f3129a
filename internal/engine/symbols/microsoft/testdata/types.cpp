// Types of parameters and variables.
struct Struct { int a; int f(int); };
class Class { int a; };
union Union { int a; float b; };
enum Enum { one };
enum class Scoped : unsigned char { two };
enum Wide : long long { three };
void primitives(char, signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long, long long, unsigned long long, float, double, long double, bool, wchar_t, char16_t, char32_t) {}
void char8(char8_t, decltype(nullptr)) {}
void tags(Struct, Class, Union, Enum, Scoped, Wide) {}
void references(Struct &, const Struct &, Struct &&, volatile int &, const volatile int &&) {}
void pointers(int *, const int *, volatile int *, const volatile int *, int *const, int *volatile, int *const volatile, int **, const int *const *, int *volatile **) {}
void arrays(int[3], int[3][4], const int (*)[3], int (&)[2][3], int (&&)[1], int[], const char *[2]) {}
void functions(int (*)(), void (*)(int, ...), int (&)(long), int (&&)(), int (*(*)(int))(long), void (**)(), void (*const)(int *const)) {}
void members(int Struct::*, const int Struct::*, int (Struct::*)(int), int (Struct::*)() const, void (Struct::*const)() volatile, int *Struct::*, int (Struct::*)() &, int (Struct::*)() const &&, int Struct::**, int (Struct::*Struct::*)(int)) {}
void exceptions(void (*)() noexcept, int (Struct::*)() noexcept) noexcept {}
void conventions(void (__stdcall *)(int), void (__fastcall *)(int), void (__vectorcall *)(int), void (__thiscall *)(int), void (__cdecl *)(int)) {}
void __stdcall standard(int) {}
void __fastcall fast(int) {}
void __vectorcall vector(int, double) {}
void restricted(int *__restrict, int *__restrict const, int __unaligned *, const int __unaligned *) {}
void repeated(Struct *, Struct *, const Class &, const Class &, int, int, Struct *, int *, int *, long *, short *, char *, bool *, float *, double *, double *, unsigned *, unsigned *, long long *, long long *) {}
void variadic(const char *, ...) {}
extern "C" int plainC(int) { return 1; }
extern "C" void __stdcall standardC(int, int) {}
extern "C" void __fastcall fastC(int, int) {}
extern "C" void __vectorcall vectorC(int, double) {}
int *returnsPointer() { return nullptr; }
const int *const *returnsPointers() { return nullptr; }
const Struct returnsConst() { return {}; }
int (*returnsFunction(int))(long) { return nullptr; }
int (&returnsArray())[3] { static int a[3]; return a; }
int (Struct::*returnsMember())(int) { return &Struct::f; }
int Struct::*returnsData() { return &Struct::a; }
int Struct::f(int) { static int counted = 3; static thread_local int perThread; return counted++ + perThread++; }
int variable; extern const int constant; const int constant = 2; volatile int unstable; const volatile long both = 3;
int *pointer; extern const int *const constants; const int *const constants = nullptr; int *volatile *pointerPointer;
int array[3]; extern const int constArray[2][3]; const int constArray[2][3] = {}; const char *texts[4]; int (*arrayPointer)[3]; Struct structArray[2];
void (*functionPointer)(int); void (*functionPointers[2])(int); int (Struct::*memberFunction)(int); int Struct::*memberData; extern const int Struct::*constMember; const int Struct::*constMember;
int &reference = variable; int &&rvalue = 3; const Struct &constReference = *(Struct *)nullptr; Enum enumeration; Union united; Class classy; __int64 large; unsigned __int64 larger; wchar_t wide; bool flag; thread_local int perThread = 3;
struct { int a; } unnamed; struct { int b; } *unnamedPointer; enum { four } unnamedEnum; static union { int c; };
typedef float vec4 __attribute__((vector_size(16)));
typedef struct __attribute__((aligned(16))) __m128 { float f[4]; } __m128;
void vectors(vec4, __m128) {}
void complex(_Complex double, _Atomic(int)) {}
auto automatic() { return 1; }
decltype(auto) declared() { return (variable); }
auto *automaticPointer() { return &variable; }
const auto &automaticReference() { return variable; }
namespace { int hidden() { return 1; } struct Hidden { static int f() { return 2; } }; }
namespace outer { namespace inner { int f(int) { return hidden() + Hidden::f(); } struct Deep { struct Deeper { struct Deepest { void f(Deep, Deeper, Deepest); }; }; }; void Deep::Deeper::Deepest::f(Deep, Deeper, Deepest) {} } inline namespace v1 { int g(inner::Deep::Deeper *) { return 1; } } namespace inner { namespace outer { void f(inner::Deep, inner::Deep) {} } } }
namespace n { struct inner { struct inner2 { void f(inner, inner2) {} }; }; } void useInner(n::inner::inner2 i) { i.f({}, {}); }
const char *literals(int i) {
	static const char *a[] = {"hello", "with, punctuation: \"quotes\" /\\.-'\n\t", "a text that is longer than thirty-two characters, so it is cut", "", "\x01\xff\xe1\xc1", "caf\xc3\xa9", "1234567", "\a\b\f\r\v"};
	static const wchar_t *w[] = {L"wide", L"", L"wide and longer than thirty-two characters, so it is cut as well", L"\x1234\xff", L"1\n"};
	static const char16_t *u[] = {u"sixteen", u"", u"sixteen and longer than thirty-two characters", u"\x1234"};
	static const char32_t *v[] = {U"thirty-two", U"", U"thirty-two and longer than thirty-two characters"};
	return a[i] + w[i][0] + u[i][0] + v[i][0];
}
