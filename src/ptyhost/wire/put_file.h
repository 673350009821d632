// The messages that write a file on another machine: the server's request to
// the holder's executable there, and the executable's answer on stdout.
//
// Values. The server sends the content to the executable's stdin.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_replacement.h"

namespace glasstty::wire {

// The bytes that follow the content on stdin.
inline constexpr std::string_view kPutEnd = ".";

struct PutRequest {
  FileReplacement::Mode mode{};
  // The number of bytes on stdin before kPutEnd. If the connection breaks,
  // fewer bytes arrive, and the file stays as it was.
  uint64_t size = 0;
  // The path on that machine: absolute, or below the home directory ("~",
  // "~/x"), or relative. A relative path begins at the working directory of the
  // first of `processes` that has one, or else at `directory`.
  std::string path;
  std::vector<int> processes;
  std::string directory;
};

// Returns the arguments of the command line.
std::vector<std::string> EncodePut(const PutRequest& request);
// Parses the arguments that follow "--put".
bool DecodePut(const std::vector<std::string>& words, PutRequest* request);

struct PutResult {
  FileProblem problem;
  std::string path;  // absolute, links followed
  bool created = false;
  bool in_place = false;
  int64_t size = 0;  // the size of the whole file in bytes
};

// Returns printable ASCII characters on one line, which can pass through a
// terminal unchanged.
std::string EncodePutResult(const PutResult& result);
bool DecodePutResult(std::string_view line, PutResult* result);

}  // namespace glasstty::wire
