// Classes: members, access, virtual functions, thunks, tables, constructors and what compilers
// make beside them.
typedef decltype(sizeof 0) size_t;
void *operator new(size_t);
void *operator new[](size_t);
void operator delete(void *);
void operator delete[](void *);
void operator delete(void *, size_t);
void operator delete[](void *, size_t);

struct Base { int b; virtual ~Base(); virtual int first(); virtual void second(int) const; };
struct Other { int o; virtual ~Other(); virtual Other *clone(); virtual int third() volatile; };
struct Both : Base, Other { Both(); ~Both(); Both *clone() override; int first() override; int third() volatile override; };
struct Virtual : virtual Base, virtual Other { Virtual(int); ~Virtual(); int first() override; Virtual *clone() override; };
struct Diamond : Virtual, virtual Both { Diamond(); ~Diamond(); int first() override; Diamond *clone() override; int third() volatile override; };
Base::~Base() {}
int Base::first() { return 1; }
void Base::second(int) const {}
Other::~Other() {}
Other *Other::clone() { return this; }
int Other::third() volatile { return 3; }
Both::Both() {}
Both::~Both() {}
Both *Both::clone() { return this; }
int Both::first() { return 2; }
int Both::third() volatile { return 4; }
Virtual::Virtual(int) {}
Virtual::~Virtual() {}
int Virtual::first() { return 5; }
Virtual *Virtual::clone() { return this; }
Diamond::Diamond() : Virtual(1) {}
Diamond::~Diamond() {}
int Diamond::first() { return 6; }
Diamond *Diamond::clone() { return this; }
int Diamond::third() volatile { return 7; }
int make() { Diamond *d = new Diamond[3]; delete[] d; Both *b = new Both; delete b; Virtual v(1); return v.first(); }

class Access {
public:
	static int publicVariable; int publicMember(); static void publicStatic(); virtual void publicVirtual();
	int constMember() const; int volatileMember() volatile; int both() const volatile;
	int left() &; int right() &&; int constLeft() const &; void never() noexcept;
	Access *__restrict pointer(Access *__restrict);
	void callPrivate() { privateMember(); privateStatic(); protectedMember(); protectedStatic(); }
protected:
	static const char *protectedVariable; long protectedMember(); static void protectedStatic(); virtual void protectedVirtual();
private:
	static const volatile double privateVariable; short privateMember(); static bool privateStatic(); virtual void privateVirtual();
};
int Access::publicVariable = 1;
const char *Access::protectedVariable = "";
const volatile double Access::privateVariable = 2;
int Access::publicMember() { return 1; }
void Access::publicStatic() {}
void Access::publicVirtual() {}
int Access::constMember() const { return 1; }
int Access::volatileMember() volatile { return 1; }
int Access::both() const volatile { return 1; }
int Access::left() & { return 1; }
int Access::right() && { return 1; }
int Access::constLeft() const & { return 1; }
void Access::never() noexcept {}
Access *__restrict Access::pointer(Access *__restrict p) { callPrivate(); return p; }
long Access::protectedMember() { return 1; }
void Access::protectedStatic() {}
void Access::protectedVirtual() {}
short Access::privateMember() { return 1; }
bool Access::privateStatic() { return true; }
void Access::privateVirtual() {}

template <class T> struct Defaulted { __declspec(dllexport) Defaulted(T = T()) {} __declspec(dllexport) ~Defaulted() {} };
template struct Defaulted<int>;
struct __declspec(dllexport) Exported { Exported(int = 3) {} Exported(const Exported &) {} Exported &operator=(const Exported &) { return *this; } virtual ~Exported() {} };
struct Thrown { Thrown(); Thrown(const Thrown &, int = 2); ~Thrown(); };
extern int (Base::*virtualMember)();
int (Base::*virtualMember)() = &Base::first;
void (Base::*otherMember)(int) const = &Base::second;
void throwing() { throw Thrown(); }
void throwingPointer() { throw (Both *)nullptr; }
int casting(Base *b) { return dynamic_cast<Both *>(b) != nullptr; }
