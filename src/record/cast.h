// asciicast, the file format of asciinema: a recording as lines of JSON.
//
// Reads and writes both versions. In v2 times count from the beginning; in v3
// they count from the previous event, and there is the program's exit. See
// docs.asciinema.org/manual/asciicast/v2 and v3. Pure; knows no session.
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
  // At the beginning.
  terminal::Size size;
  int64_t timestamp = 0;  // seconds since 1970; 0: not known
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
// Called for each event in order. False: enough.
using CastSink = std::function<bool(const CastEvent& event)>;

// Turns events into lines. A character that is split over two events is told
// with the second; invalid UTF-8 becomes U+FFFD, as on the screen.
class CastWriter {
 public:
  // `write` takes lines with their newlines.
  CastWriter(const CastHeader& header,
             std::function<void(std::string_view)> write);

  void Write(const CastEvent& event);
  // What is left of a character that never became whole.
  void Finish();

 private:
  void WriteLine(int64_t us, const char* code, std::string_view data);

  const int version_;
  const std::function<void(std::string_view)> write_;
  // The beginning of a character.
  std::string held_;
  int64_t last_us_ = 0;
};

// The first line of a file says that it is a recording.
bool LooksLikeCast(std::string_view text);
// Hands the events of a recording to `sink`, after the header to `begin`.
// Events of other kinds are left out. Error: names the line.
absl::Status ReadCast(std::string_view text,
                      const std::function<void(const CastHeader&)>& begin,
                      const CastSink& sink);

}  // namespace glasstty::record
