// Templates and their arguments.
typedef decltype(sizeof 0) size_t;
namespace std {
template <class T> struct allocator {};
template <class T, class A = allocator<T>> struct vector { void push_back(const T &) {} template <class I> void insert(I, I) {} struct iterator { iterator &operator++() { return *this; } }; iterator begin() { return {}; } vector() {} ~vector() {} };
template <class T> struct char_traits {};
template <class C, class T = char_traits<C>, class A = allocator<C>> struct basic_string { basic_string() {} basic_string &append(const basic_string &) { return *this; } static const size_t npos = -1; };
template <class A, class B> struct pair { A a; B b; };
template <class A> struct less {};
template <class K, class V, class C = less<K>, class A = allocator<pair<const K, V>>> struct map { V &operator[](const K &) { static V v; return v; } };
template <class F> struct function; template <class R, class... A> struct function<R(A...)> { R operator()(A...) { return R(); } template <class F> function(F) {} };
template <class... T> struct tuple { tuple() {} };
}
template struct std::vector<int>;
template void std::vector<int>::insert(const int *, const int *);
template struct std::vector<std::basic_string<char>>;
template struct std::basic_string<wchar_t>;
template struct std::map<std::basic_string<char>, std::vector<std::pair<int, const char *>>>;
template struct std::function<void()>;
template struct std::function<int(long, const char *, std::vector<int> &)>;
template struct std::tuple<>;
template struct std::tuple<int, const long &, std::tuple<char>, void (*)(int)>;

template <class T> void type() {}
struct Struct { int a; int f(int); void g() const; static int s; }; class Class {}; union Union {}; enum Enum { one, two = -2 }; enum class Scoped : unsigned long long { big = ~0ull };
int Struct::f(int) { return 1; } void Struct::g() const {} int Struct::s = 1;
template void type<int>(); template void type<const int>(); template void type<volatile Struct>(); template void type<const Class *>(); template void type<Union &>(); template void type<Enum &&>(); template void type<Scoped>();
template void type<int[3]>(); template void type<const int[2][3]>(); template void type<int[]>(); template void type<const Struct[4]>(); template void type<int()>(); template void type<int(int, ...)>(); template void type<void() const>(); template void type<void() volatile &>(); template void type<void() &&>(); template void type<void() noexcept>(); template void type<void() const noexcept>();
template void type<int *const>(); template void type<int (*)()>(); template void type<int (*const)(int)>(); template void type<int (&)[2]>(); template void type<int Struct::*>(); template void type<int (Struct::*)(int) const>(); template void type<decltype(nullptr)>(); template void type<void>(); template void type<const void *>(); template void type<char8_t>();
template void type<int (*(*)(int (*)(int), int (*)(int)))(int (*)(int))>(); template void type<void (__stdcall *)(int)>(); template void type<void __vectorcall(int)>();

template <int N> struct Int { static int f() { return N; } }; template struct Int<0>; template struct Int<1>; template struct Int<9>; template struct Int<10>; template struct Int<11>; template struct Int<1000>; template struct Int<-1>; template struct Int<-128>; template struct Int<2147483647>; template struct Int<-2147483647 - 1>;
template <unsigned long long N> struct Long { static int f() { return 1; } }; template struct Long<0>; template struct Long<~0ull>; template struct Long<1ull << 63>;
template <long long N> struct Signed { static int f() { return 1; } }; template struct Signed<-9223372036854775807 - 1>; template struct Signed<9223372036854775807>;
template <bool B, char C, Enum E, Scoped S> struct Values { void f() {} }; template struct Values<true, 'x', one, Scoped::big>; template struct Values<false, -1, two, Scoped(3)>;
template <auto V> struct Auto { void f() {} }; int global; void function(int) {} static int hidden;
template struct Auto<1>; template struct Auto<'c'>; template struct Auto<true>; template struct Auto<&global>; template struct Auto<&function>; template struct Auto<&Struct::f>; template struct Auto<&Struct::a>; template struct Auto<nullptr>; template struct Auto<&hidden>; template struct Auto<Scoped::big>; template struct Auto<-5L>;
template <int *P> struct Pointer { void f() {} }; template struct Pointer<&global>; template struct Pointer<nullptr>; template struct Pointer<&Struct::s>;
template <int &R> struct Reference { void f() {} }; template struct Reference<global>;
template <void (*F)(int)> struct Function { void f() {} }; template struct Function<function>; template struct Function<nullptr>; template <void (&F)(int)> struct FunctionReference { void f() {} }; template struct FunctionReference<function>;
struct Left { int l; virtual void v(); void n(); }; struct Right { int r; virtual void w(); void m(); }; struct Multiple : Left, Right { int m2; void v() override; void own(); }; struct Virtual : virtual Left { int d; void own(); virtual void another(); };
void Left::v() {} void Left::n() {} void Right::w() {} void Right::m() {} void Multiple::v() {} void Multiple::own() {} void Virtual::own() {} void Virtual::another() {}
template <int Struct::*M> struct Data { void f() {} }; template struct Data<&Struct::a>; template struct Data<nullptr>;
template <int Multiple::*M> struct MultipleData { void f() {} }; template struct MultipleData<&Multiple::m2>; template struct MultipleData<nullptr>;
template <int Virtual::*M> struct VirtualData { void f() {} }; template struct VirtualData<&Virtual::d>; template struct VirtualData<nullptr>;
template <int (Struct::*M)(int)> struct Method { void f() {} }; template struct Method<&Struct::f>; template struct Method<nullptr>;
template <void (Left::*M)()> struct LeftMethod { void f() {} }; template struct LeftMethod<&Left::v>; template struct LeftMethod<&Left::n>;
template <void (Multiple::*M)()> struct MultipleMethod { void f() {} }; template struct MultipleMethod<&Multiple::own>; template struct MultipleMethod<&Multiple::v>; template struct MultipleMethod<nullptr>;
template <void (Virtual::*M)()> struct VirtualMethod { void f() {} }; template struct VirtualMethod<&Virtual::own>; template struct VirtualMethod<&Virtual::another>; template struct VirtualMethod<nullptr>;
struct Incomplete; template <int Incomplete::*M> struct IncompleteData { void f() {} }; template struct IncompleteData<nullptr>;

template <class... T> struct Pack { template <class... U> static void f(T..., U...) {} }; template struct Pack<>; template void Pack<>::f<>(); template void Pack<int, char>::f<long, Struct *>(int, char, long, Struct *); template void Pack<Pack<>, Pack<int>>::f<>(Pack<>, Pack<int>);
template <int... N> void numbers() {} template void numbers<>(); template void numbers<1, 2, 300>(); template <class A, class... B, int... N> void mixed(Int<N>..., B...) {} template void mixed<int, char, long>(char, long);
template <template <class, class> class T> struct Template { void f() {} }; template struct Template<std::vector>; template <template <class...> class... T> struct Templates { void f() {} }; template struct Templates<>; template struct Templates<std::tuple, std::tuple>;
template <class T> using Alias = std::vector<T>; template <template <class> class T> struct Aliased { void f() {} }; template struct Aliased<Alias>;
template <class T> struct Outer { template <class U> struct Inner { template <class V> void f(T, U, V, Inner<V>, Outer<U>) {} Inner() {} ~Inner() {} operator T() { return T(); } static T s; }; template <class U> Outer(U) {} friend void friendly(Outer) {} }; template struct Outer<int>; template struct Outer<int>::Inner<char>; template void Outer<int>::Inner<char>::f(int, char, bool, Inner<bool>, Outer<char>); template Outer<int>::Outer(long); template <class T> template <class U> T Outer<T>::Inner<U>::s; template struct Outer<std::vector<Outer<int>>>; void befriend(Outer<int> o) { friendly(o); }
template <class T> T variable = T(); template int variable<int>; template const char *variable<const char *>; template <class T> constexpr int constant = sizeof(T); const int *useConstant() { return &constant<long>; }
template <class T> struct Static { static int s; static thread_local int t; static T f() { static T local; return local; } }; template <class T> int Static<T>::s = sizeof(T); template <class T> thread_local int Static<T>::t = 3; template struct Static<int>; template struct Static<Struct>;
template <class A, class B, class C, class D, class E, class F, class G, class H, class I, class J, class K, class L> struct Many { void f(A *, B *, C *, D *, E *, F *, G *, H *, I *, J *, K *, L *, A *, L *) {} }; struct A {}; struct B {}; struct C {}; struct D {}; struct E {}; struct F {}; struct G {}; struct H {}; struct I {}; struct J {}; struct K {}; struct L {}; template struct Many<A, B, C, D, E, F, G, H, I, J, K, L>; void many(A, B, C, D, E, F, G, H, I, J, K, L, A, B, I, J, K, L) {}
namespace a { namespace b { template <class T> struct X { struct Y { void f(X, Y, X<Y>, a::b::X<X<T>> *) {} }; }; struct a { void f(a, a *) {} }; } } template struct a::b::X<a::b::a>; template struct a::b::X<int>::Y; void useA(a::b::a x) { x.f(x, &x); }
template <class T> auto deduced(T t) -> decltype(t + 1) { return t; } template auto deduced(int) -> decltype(int() + 1); template <class T> auto automatic(T) { return 1; } template auto automatic(long); template <class T, class = void> void defaulted(T) {} template void defaulted(int); template <class T> void forwarding(T &&) {} template void forwarding(int &); template void forwarding(int &&); template void forwarding(const Struct &);
template <class T> void constrained(T) requires(sizeof(T) > 1) {} template void constrained(int);
