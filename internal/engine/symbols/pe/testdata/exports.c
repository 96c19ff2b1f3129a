// Exports of all kinds.
int _fltused = 0;
__declspec(dllexport) int first(int x) { return x * 3; }
__declspec(dllexport) int third(int x) { return x * 5; }
__declspec(dllexport) int fourth(int x) { return x * 5; } // folded with third
int numbered(int x) { return x + 9; }
int hidden(int x) { return x + 11; }
__declspec(dllexport) int data = 7;
