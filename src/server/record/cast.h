// Reads and writes asciicast, the file format of asciinema: a recording as
// lines of JSON.
//
// Writes v2 and v3, and reads v1, too. v2 counts times from the beginning; v3
// counts them from the previous event and also records the program's exit. A
// file of v1 is one JSON value. See docs.asciinema.org/manual/asciicast/.
// Nothing here depends on a session.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "support/json.h"
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
  // The remaining members of the header, such as idle_time_limit. As in v2,
  // `theme` is at the top level. `env` is without TERM, which is in `terminal`,
  // and `term` has only members that v2 lacks.
  Json others = Json::object();
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

// Turns events into lines. A character that is split over two output events is
// written with the second one; invalid UTF-8 becomes U+FFFD, as on the screen.
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

// Returns whether the bytes of a file are a recording. Error: the file is
// compressed or in UTF-16, so it is neither a recording nor the output of a
// terminal.
absl::StatusOr<bool> LooksLikeCast(std::string_view text);

struct CastReading {
  // Used if the recording has no size, for example because it was made in a
  // container without a terminal.
  terminal::Size fallback = {24, 80};
  // Receives the problems of the recording: its missing size, the first event
  // that cannot be read, and the number of further such events. May be null.
  std::function<void(const std::string& problem)> warn;
};
// Passes the header of a recording to `begin` and then its events to `sink`.
// Skips events of unknown kinds, and lines that are not events, so a truncated
// recording of v2 or v3 is read as far as possible. Error: there is no header
// of a known version.
absl::Status ReadCast(std::string_view text, const CastReading& reading,
                      const std::function<void(const CastHeader&)>& begin,
                      const CastSink& sink);

}  // namespace glasstty::record
