// The start of the program, its exports, and identical functions to fold.
#include "shared.h"

extern "C" int _fltused = 0;
extern "C" void *memset(void *p, int c, decltype(sizeof 0) n) {
  char *q = (char *)p;
  for (decltype(sizeof 0) i = 0; i < n; i++)
    ((volatile char *)q)[i] = (char)c;
  return p;
}
extern "C" int classes(int);
extern "C" int message(int);
int all(int);

extern "C" __declspec(dllexport) int same_b(int x) { return x * 11 + 3; }
extern "C" __declspec(dllexport) int same_a(int x) { return x * 11 + 3; }
extern "C" __declspec(dllexport) int same_c(int x) { return x * 11 + 3; }
extern "C" __declspec(dllexport) int exported = 5;

extern "C" int entry() { return classes(exported) + all(3) + same_a(1) + same_b(2) + same_c(3) + inlined(4) + message(5); }
