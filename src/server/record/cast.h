// asciicast, the file format of asciinema: a recording as lines of JSON.
//
// Reads and writes both versions. v2 counts times from the beginning; v3 counts
// them from the previous event and also records the program's exit. See
// docs.asciinema.org/manual/asciicast/v2 and v3. Pure functions; nothing here
// knows a session.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "terminal/snapshot.h"

namespace glasstty::record {

struct CastHeader {
  int version = 2;
  // The size when the recording begins.
  terminal::Size size;
  int64_t timestamp = 0;  // seconds since 1970; 0: unknown
  std::string title;
  std::string command;
  std::string terminal;  // $TERM
};

struct CastEvent {
  enum class Type {
    kOutput,  // data: what the program printed, any bytes
    kInput,   // data: what was typed
    kResize,  // size
    kMarker,  // data: a label
    kExit,    // status; v3 only
  };
  int64_t us = 0;  // microseconds since the beginning
  Type type = Type::kOutput;
  std::string data;
  terminal::Size size;
  int status = 0;
};
// Called for each event in order. Returns false to stop.
using CastSink = std::function<bool(const CastEvent& event)>;

// Turns events into lines. A character that is split over two events is written
// with the second; invalid UTF-8 becomes U+FFFD, as on the screen.
class CastWriter {
 public:
  // `write` receives whole lines, each with its newline.
  CastWriter(const CastHeader& header,
             std::function<void(std::string_view)> write);

  void Write(const CastEvent& event);
  // Writes the bytes of a character that never became complete.
  void Finish();

 private:
  void WriteLine(int64_t us, const char* code, std::string_view data);

  const int version_;
  const std::function<void(std::string_view)> write_;
  // The beginning of a character that is still incomplete.
  std::string held_;
  int64_t last_us_ = 0;
};

// Returns whether the first line of a file says that it is a recording.
bool LooksLikeCast(std::string_view text);
// Passes the header of a recording to `begin` and then its events to `sink`.
// Skips events of unknown kinds. An error names the line.
absl::Status ReadCast(std::string_view text,
                      const std::function<void(const CastHeader&)>& begin,
                      const CastSink& sink);

}  // namespace glasstty::record
