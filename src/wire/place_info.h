// The payloads of frames that are not packets: what each end reports about
// itself, and what the near end requests. Values, which are sent as fields
// (wire/fields.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wire/launch.h"

namespace glasstty::wire {

// Payload of kHello.
struct HelloInfo {
  uint32_t lowest = 1;  // versions of the frames that are spoken
  uint32_t highest = 1;
  std::string byte_order;  // the number 1 as eight bytes, in hex
  std::string boot_id;     // changes when the machine restarts
  std::string system;      // "Linux 6.1.0 x86_64 db7"
  std::string user;
  std::string home;                      // a directory that is there
  std::string shell;                     // one that runs
  std::string sessions;                  // the directory of the far sessions
  std::vector<std::string> environment;  // "NAME=value"
  // CLOCK_MONOTONIC when this was said; 0: not known.
  uint64_t monotonic_ns = 0;
};

// This machine and user. `sessions` is left empty.
HelloInfo OwnHello();

std::string EncodeHello(const HelloInfo& hello);
bool DecodeHello(std::string_view payload, HelloInfo* hello);

// A file for the program to find in its session's directory over there.
struct FarFile {
  std::string name;
  std::string content;
};

// Payload of kOpen.
struct OpenInfo {
  std::string id;  // 32 hex digits
  LaunchSpec spec;
  std::vector<FarFile> files;
};
std::string EncodeOpen(const OpenInfo& info);
bool DecodeOpen(std::string_view payload, OpenInfo* info);

inline constexpr uint64_t kNoInput = ~uint64_t{0};

// Payload of kAttach: where the logs that are stored here end; of the events
// those are here that speak of less than `events` bytes of the log, and of the
// file `input` so many bytes.
struct AttachInfo {
  std::string id;
  uint64_t out = 0;
  uint64_t err = 0;
  uint64_t events = 0;
  uint64_t input = kNoInput;  // kNoInput: it is not wanted
};
std::string EncodeAttach(const AttachInfo& info);
bool DecodeAttach(std::string_view payload, AttachInfo* info);

// 32 hex digits: it names a directory, so it is nothing else.
bool IsSessionId(std::string_view id);

}  // namespace glasstty::wire
