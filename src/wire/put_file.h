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

// Follows the content.
inline constexpr std::string_view kPutEnd = ".";

struct PutRequest {
  FileReplacement::Mode mode{};
  // Bytes on stdin, before kPutEnd. Less comes when a connection breaks, and
  // nothing is written then.
  uint64_t size = 0;
  // Absolute, below the home there ("~", "~/x"), or below the first of these
  // that is known: the working directories of processes, and `directory`.
  std::string path;
  std::vector<int> processes;
  std::string directory;
};

// The words of the command line.
std::vector<std::string> EncodePut(const PutRequest& request);
// `words` follow "--put".
bool DecodePut(const std::vector<std::string>& words, PutRequest* request);

struct PutResult {
  FileProblem problem;
  std::string path;  // absolute, links followed
  bool created = false;
  bool in_place = false;
  int64_t size = 0;  // bytes of the whole file
};

// One line of letters and digits, for it passes through a terminal's eyes.
std::string EncodePutResult(const PutResult& result);
bool DecodePutResult(std::string_view line, PutResult* result);

}  // namespace glasstty::wire
