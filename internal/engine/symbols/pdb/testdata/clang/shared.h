#pragma once
#define NOINLINE __declspec(noinline)

// A function in a header, so that a module has lines of two files.
inline int inlined(int x) {
  int y = x * 7;
  return y ^ 0x55;
}
