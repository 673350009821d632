// fontconfig does not free everything that it allocates to read its
// configuration.

// The name is LeakSanitizer's (sanitizer/lsan_interface.h); without it, nobody
// calls this.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libfontconfig\n";
}
// NOLINTEND(bugprone-reserved-identifier)
