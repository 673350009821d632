// What one client has seen of one session, and what a look shows it.
//
// A Reader is kept per client and session by the tools. A read gives the text
// and the mark that holds once the client has it: the caller moves the mark
// when the reply has been sent, so a cancelled call loses nothing. Read modes
// are rows of the table in reader.cc. Loop thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "session/read_mark.h"
#include "session/render.h"
#include "session/session.h"

namespace glasstty {

enum class ReadMode {
  kAuto,      // kDiff for full-screen programs, else kStream
  kStream,    // what is new since the mark, as lines
  kSnapshot,  // the screen now
  kHistory,   // a range of lines
  kCommand,   // what one command printed
  kDiff,      // what has changed on the screen since it was shown; kSnapshot
              // where that is shorter or it was never shown
};

struct ReadRequest {
  ReadMode mode = ReadMode::kAuto;
  Limits limits;
  int scrollback = 0;  // kSnapshot: lines above the screen
  // kHistory: 1-based first line, negative from the end, and how many.
  // 0 means the same as 1.
  int64_t from_line = -100;
  int64_t lines = 100;
  // kCommand: its number; negative from the last.
  int64_t command = -1;
  // kStream: what is new since this line (1-based) instead of since the mark.
  std::optional<int64_t> since_line;
  // kDiff: only against this revision; nullopt is whatever was shown last.
  std::optional<uint64_t> since_revision;
};

struct ReadResult {
  ReadMode used = ReadMode::kStream;
  // Without a final newline; empty when there is nothing to show.
  std::string body;
  // Facts for the reply's first line: "cursor=9:1", "lines 5-9".
  std::string facts;
  // kDiff: "+3 rows since 12".
  std::string change;
  // Of a full-screen program: what it points at. See session/focus.h.
  std::vector<std::string> focus;
  // How to go on, for behind the '|'; may be empty.
  std::string hint;
  // What the client has seen once it has this; the old mark where looking does
  // not count as reading.
  ReadMark mark;
  int64_t left_out = 0;  // lines
};

// Changes nothing. `mark` is what this client has seen so far.
ReadResult ReadSession(const Session& session, const ReadMark& mark,
                       const ReadRequest& request);

// True when the program draws the whole screen: it is on the alternate screen
// or rewrites rows above its output.
bool DrawsFullScreen(const Session& session, const ReadMark& mark);

// The word that agents use for it.
std::string_view ReadModeName(ReadMode mode);

}  // namespace glasstty
