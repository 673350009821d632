// fontconfig does not give back all that it takes to read its configuration.

// The name is LeakSanitizer's (sanitizer/lsan_interface.h); without it, nobody
// calls this.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libfontconfig\n";
}
