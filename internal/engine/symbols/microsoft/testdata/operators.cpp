// Operators, members and free functions.
typedef decltype(sizeof 0) size_t;
namespace std { struct strong_ordering { int v; }; }
struct Number {
	Number(); Number(const Number &); Number(Number &&); ~Number(); explicit Number(int); template <class T> Number(T, T *);
	Number &operator=(const Number &); Number &operator=(Number &&);
	void *operator new(size_t); void *operator new[](size_t); void operator delete(void *); void operator delete[](void *);
	Number operator+(const Number &) const; Number operator-(const Number &) const; Number operator*(const Number &) const; Number operator/(const Number &) const; Number operator%(const Number &) const;
	Number operator^(const Number &) const; Number operator&(const Number &) const; Number operator|(const Number &) const; Number operator~() const; bool operator!() const;
	bool operator<(const Number &) const; bool operator>(const Number &) const; bool operator<=(const Number &) const; bool operator>=(const Number &) const; bool operator==(const Number &) const; bool operator!=(const Number &) const;
	std::strong_ordering operator<=>(const Number &) const;
	Number &operator+=(int); Number &operator-=(int); Number &operator*=(int); Number &operator/=(int); Number &operator%=(int); Number &operator^=(int); Number &operator&=(int); Number &operator|=(int); Number &operator<<=(int); Number &operator>>=(int);
	Number operator<<(int) const; Number operator>>(int) const; bool operator&&(int) const; bool operator||(int) const;
	Number &operator++(); Number operator++(int); Number &operator--(); Number operator--(int); int operator,(int); Number *operator->(); int operator->*(int); int operator()(); int operator()(int, ...) const; int &operator[](int);
	Number *operator&(); Number &operator*(); Number operator-(); operator int() const; operator const char *(); explicit operator bool() const; operator Number *() const; typedef int (*function)(int); operator function(); template <class T> operator T &();
};
Number::Number() {}
Number::Number(const Number &) {}
Number::Number(Number &&) {}
Number::~Number() {}
Number::Number(int) {}
template <class T> Number::Number(T, T *) {}
template Number::Number(int, int *);
Number &Number::operator=(const Number &) { return *this; }
Number &Number::operator=(Number &&) { return *this; }
void *Number::operator new(size_t) { return nullptr; }
void *Number::operator new[](size_t) { return nullptr; }
void Number::operator delete(void *) {}
void Number::operator delete[](void *) {}
#define BINARY(op) Number Number::operator op(const Number &) const { return *this; }
BINARY(+) BINARY(-) BINARY(*) BINARY(/) BINARY(%) BINARY(^) BINARY(&) BINARY(|)
#define COMPARE(op) bool Number::operator op(const Number &) const { return true; }
COMPARE(<) COMPARE(>) COMPARE(<=) COMPARE(>=) COMPARE(==) COMPARE(!=)
#define ASSIGN(op) Number &Number::operator op(int) { return *this; }
ASSIGN(+=) ASSIGN(-=) ASSIGN(*=) ASSIGN(/=) ASSIGN(%=) ASSIGN(^=) ASSIGN(&=) ASSIGN(|=) ASSIGN(<<=) ASSIGN(>>=)
Number Number::operator~() const { return *this; }
bool Number::operator!() const { return true; }
std::strong_ordering Number::operator<=>(const Number &) const { return {1}; }
Number Number::operator<<(int) const { return *this; }
Number Number::operator>>(int) const { return *this; }
bool Number::operator&&(int) const { return true; }
bool Number::operator||(int) const { return true; }
Number &Number::operator++() { return *this; }
Number Number::operator++(int) { return *this; }
Number &Number::operator--() { return *this; }
Number Number::operator--(int) { return *this; }
int Number::operator,(int) { return 1; }
Number *Number::operator->() { return this; }
int Number::operator->*(int) { return 1; }
int Number::operator()() { return 1; }
int Number::operator()(int, ...) const { return 1; }
int &Number::operator[](int) { static int v; return v; }
Number *Number::operator&() { return this; }
Number &Number::operator*() { return *this; }
Number Number::operator-() { return *this; }
Number::operator int() const { return 1; }
Number::operator const char *() { return ""; }
Number::operator bool() const { return true; }
Number::operator Number *() const { return nullptr; }
Number::operator Number::function() { return nullptr; }
template <class T> Number::operator T &() { return *(T *)this; }
template Number::operator long &();
template Number::operator Number &();
Number operator ""_number(unsigned long long) { return Number(); }
Number operator ""_text(const char *, size_t) { return Number(); }
template <class T> T operator+(T a, Number) { return a; }
template <class T> T operator<(T a, Number) { return a; }
template <class T> T operator<<(T a, Number) { return a; }
template <class T> T operator->*(T a, Number) { return a; }
template int operator+(int, Number);
template int operator<(int, Number);
template int operator<<(int, Number);
template long operator->*(long, Number);
void *operator new(size_t, void *p, int) { return p; }
void operator delete(void *, void *, int) {}
void *operator new[](size_t, void *p, long) { return p; }
void operator delete[](void *, void *, long) {}
