// Prints text of subcommands for people.
//
// Commands print names and texts that programs, files and other machines have
// chosen. These functions keep the control characters in such texts from the
// reader's terminal. Only requested bytes (a recording, a picture) are written
// directly.
#pragma once

#include <cstdio>
#include <string_view>

#include "absl/strings/str_format.h"

namespace glasstty {

// Writes `text` with control characters shown as escapes.
void PrintShown(std::FILE* out, std::string_view text);

// Writes `text` to stdout in the same way, except that colours and styles (SGR)
// are kept.
void PrintStyled(std::string_view text);

// Writes requested bytes, such as a picture, to stdout unchanged.
void PrintBytes(std::string_view bytes);

// Formats like printf(3), to stdout.
template <class... Args>
void Print(const absl::FormatSpec<Args...>& format, const Args&... args) {
  PrintShown(stdout, absl::StrFormat(format, args...));
}

// Does the same to stderr.
template <class... Args>
void PrintError(const absl::FormatSpec<Args...>& format, const Args&... args) {
  PrintShown(stderr, absl::StrFormat(format, args...));
}

}  // namespace glasstty
