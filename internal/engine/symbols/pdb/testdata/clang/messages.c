// Annotations as the WPP preprocessor writes them: see the templates of the Windows SDK.
int message(int status) {
  __annotation(L"TMF:", L"01e9b841-7d67-315a-7b92-23b2033356de sample // SRC=messages.c MJ= MN=",
               L"#typev  messages_c4 10 \"%0Status %10!d! of %11!s!\" //   LEVEL=TRACE_LEVEL_ERROR FLAGS=GENERAL",
               L"{", L"status, ItemLong -- 10", L"name, ItemString -- 11", L"}");
  __annotation(L"TMC:", L"5d9b1c33-8e8e-4a8c-9f0c-1f6f0f6d6f01", L"SampleControl", L"GENERAL");
  return status;
}
