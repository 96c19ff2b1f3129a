// Names of all forms: namespaces, templates, operators, members, statics, lambdas.
#include "shared.h"

namespace outer {
namespace {
int anonymous(int x) { return x * 3 + 1; }
} // namespace

template <class T, int N> struct Array {
  T at[N];
  T &operator[](int i) { return at[i]; }
  T sum() const {
    T total = T();
    for (int i = 0; i < N; i++)
      total = total + at[i];
    return total;
  }
};

struct Complex {
  int re, im;
  Complex() : re(0), im(0) {}
  Complex(int r, int i) : re(r), im(i) {}
  Complex operator+(const Complex &o) const { return Complex(re + o.re, im + o.im); }
  bool operator==(const Complex &o) const { return re == o.re && im == o.im; }
  operator int() const { return re * 100 + im; }
  static Complex unit();
  virtual int weight() const;
};

Complex Complex::unit() { return Complex(1, 0); }
int Complex::weight() const { return anonymous(re) + anonymous(im); }

struct Heavy : Complex {
  int weight() const override;
};
int Heavy::weight() const { return 2 * Complex::weight(); }

template <class F> int apply(F f) { return f(4) + f(5); }
} // namespace outer

static NOINLINE int hidden(int x) {
  if (x > 10)
    return x - 1;
  return inlined(x);
}

extern "C" NOINLINE int classes(int x) {
  outer::Array<int, 4> a = {};
  outer::Array<outer::Complex, 3> c;
  a[1] = x;
  c[2] = outer::Complex(x, x) + outer::Complex::unit();
  outer::Heavy h;
  h.re = x;
  int captured = x + 1;
  int total = outer::apply([captured](int y) { return captured * y; });
  return total + a.sum() + (int)c.sum() + h.weight() + hidden(x) + (c[0] == c[1]);
}
