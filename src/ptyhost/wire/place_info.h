// The payloads of the frames kHello, kOpen and kAttach (far/frames.h) between a
// server's machine (the near end) and another machine that runs programs (the
// far end). They are plain structs, encoded as fields (wire/fields.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wire/launch.h"

namespace glasstty::wire {

// Payload of kHello.
struct HelloInfo {
  uint32_t lowest = 1;  // the versions of the frames that this end supports
  uint32_t highest = 1;
  std::string byte_order;  // the number 1 as eight bytes, in hex
  std::string boot_id;     // changes when the machine restarts
  std::string system;      // "Linux 6.1.0 x86_64 db7"
  std::string user;
  std::string home;                      // $HOME, or "/" if $HOME is unset or
                                         // cannot be entered
  std::string shell;                     // $SHELL, or another shell if $SHELL
                                         // is unsuitable
  std::string sessions;                  // the directory of the far sessions
  std::vector<std::string> environment;  // "NAME=value"
  // The value of CLOCK_MONOTONIC when this was filled in; 0 if unknown.
  uint64_t monotonic_ns = 0;
};

// Describes this machine and user. Leaves `sessions` empty.
HelloInfo OwnHello();

std::string EncodeHello(const HelloInfo& hello);
bool DecodeHello(std::string_view payload, HelloInfo* hello);

// A file that the far end creates in the session's directory before it starts
// the program.
struct FarFile {
  std::string name;
  std::string content;
};

// Payload of kOpen.
struct OpenInfo {
  std::string id;  // 32 lower-case hex digits
  LaunchSpec spec;
  std::vector<FarFile> files;
};
std::string EncodeOpen(const OpenInfo& info);
bool DecodeOpen(std::string_view payload, OpenInfo* info);

inline constexpr uint64_t kNoInput = ~uint64_t{0};

// Payload of kAttach: how much of the session the near end has stored. `out`
// and `err` are the ends of its logs of stdout and stderr. The near end also
// has all records of the file `events` about offsets below `events`, and the
// first `input` bytes of the file `input`.
struct AttachInfo {
  std::string id;
  uint64_t out = 0;
  uint64_t err = 0;
  uint64_t events = 0;
  uint64_t input = kNoInput;  // kNoInput: typed text is not wanted
};
std::string EncodeAttach(const AttachInfo& info);
bool DecodeAttach(std::string_view payload, AttachInfo* info);

// Returns true if `id` consists of 32 lower-case hex digits. Any other id must
// be refused, because the far end uses the id as the name of a directory.
bool IsSessionId(std::string_view id);

}  // namespace glasstty::wire
