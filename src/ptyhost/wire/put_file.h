// Writing a file on another machine: the server's request to the holder's
// executable there, and the answer on its stdout.
//
// Values. The content is sent to its stdin.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_replacement.h"

namespace glasstty::wire {

// Follows the content on stdin.
inline constexpr std::string_view kPutEnd = ".";

struct PutRequest {
  FileReplacement::Mode mode{};
  // The number of bytes on stdin before kPutEnd. If a connection breaks, fewer
  // arrive, and then nothing is written.
  uint64_t size = 0;
  // Absolute, below the home on that machine ("~", "~/x"), or else relative to
  // the first of these that is known: the working directories of `processes`,
  // and `directory`.
  std::string path;
  std::vector<int> processes;
  std::string directory;
};

// Returns the words of the command line.
std::vector<std::string> EncodePut(const PutRequest& request);
// Parses the words that follow "--put".
bool DecodePut(const std::vector<std::string>& words, PutRequest* request);

struct PutResult {
  FileProblem problem;
  std::string path;  // absolute, links followed
  bool created = false;
  bool in_place = false;
  int64_t size = 0;  // bytes of the whole file
};

// Returns one line of letters and digits, because it passes through a terminal.
std::string EncodePutResult(const PutResult& result);
bool DecodePutResult(std::string_view line, PutResult* result);

}  // namespace glasstty::wire
