// What only 64-bit targets have.
#ifdef _WIN64
void wide(__int128, unsigned __int128) {}
template <class T> void type() {}
template void type<__int128>();
#endif
