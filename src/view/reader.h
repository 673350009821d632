// What one client has seen of one session, and what the next read shows.
//
// The tools keep a Reader for each client and session. A read returns the text,
// and the mark that is valid once the client has it. The caller moves the mark
// when the reply has been sent, so a cancelled call loses nothing. Read modes
// are rows of the table in reader.cc. All of them show invisible characters as
// <U+200B>. Loop thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "observe/frame.h"
#include "record/read_mark.h"
#include "session/session_view.h"
#include "view/render.h"
#include "view/screen_diff.h"

namespace glasstty::view {

enum class ReadMode {
  kAuto,      // kDiff for full-screen programs, else kStream
  kStream,    // what is new since the mark, as lines
  kSnapshot,  // the screen now
  kHistory,   // a range of lines
  kCommand,   // what one command printed
  kDiff,      // what has changed on the screen since it was shown; kSnapshot
              // where that is shorter or it was never shown
  kRaw,       // bytes of the log, escaped
  kLinks,     // the URLs that were printed
  kAll,       // all lines since the beginning, which then count as seen
  kPicture,   // the screen, to be drawn; the mark stays
  kCommands,  // the commands of the shells, a line each
};
// As agents write them, and as replies name them; in the order of ReadMode.
inline constexpr std::string_view kReadModeNames[] = {
    "auto", "stream", "snapshot", "history", "command", "diff",
    "raw",  "links",  "all",      "picture", "commands"};

// How far one reader has seen one session, and the screen that it was shown.
struct ReaderMark : record::ReadMark {
  ReaderMark() = default;
  ReaderMark(record::ReadMark mark)
      : record::ReadMark(std::move(mark)) {}  // NOLINT: implicit

  // The screen as it was shown last; null when what was shown was no screen.
  std::shared_ptr<const ScreenText> screen;
  // The last line that stood on it.
  int64_t screen_line = 0;
  // A wait has shown a line, which leaves what stands before it unread: the
  // next wait begins behind it all the same.
  std::optional<record::ReadMark> matched;
};

// Where a wait of this reader begins.
record::ReadMark WaitFrom(const ReaderMark& mark);

// Of a session without a terminal; others have one stream.
enum class OutputStream { kBoth, kOutput, kErrors };

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
  // kRaw: from this byte of the log on; nullopt is the end of it.
  std::optional<uint64_t> since_offset;
  OutputStream stream = OutputStream::kBoth;
  // Bytes of text, before any is left out: when there are more, nothing is
  // shown and the mark stays. 0: no such guard.
  int64_t max_bytes = 0;
  // kStream: lines that were typed, as far as they may have been echoed. Where
  // what is new begins with them as they are, they are left out, and the
  // shell's prompt behind all else is too.
  std::vector<std::string> typed;
  bool hide_echo = false;
  // kStream: leaves out lines that were seen and have been written over.
  bool hide_rewritten = false;
  // kStream: the line at which the caller interrupted the program. What was
  // printed before is left out, if it is more than a few lines.
  std::optional<int64_t> interrupted;
  // kSnapshot: with the colours, as escaped SGR sequences.
  bool styled = false;
};

struct ReadResult {
  ReadMode used = ReadMode::kStream;
  // kAuto: what the choice of a screen was made by.
  std::string_view why;
  // Without a final newline; empty when there is nothing to show.
  std::string body;
  // Facts for the reply's first line: "cursor=9:1", "lines 5-9".
  std::string facts;
  // kDiff: "+3 rows since 12".
  std::string change;
  // kPicture: what to draw; the body is empty.
  std::shared_ptr<const observe::Frame> frame;
  std::optional<uint64_t> frame_revision;
  // Of a full-screen program: what it points at. See view/focus.h.
  std::vector<std::string> focus;
  // How to go on, for behind the '|'; may be empty.
  std::string hint;
  // What the client has seen once it has this; the old mark where looking does
  // not count as reading.
  ReaderMark mark;
  int64_t left_out = 0;  // lines
  // Of all that the mode would show, before any was left out; what was not
  // fetched is estimated.
  int64_t bytes = 0;
  // Characters shown as <U+200B>.
  int64_t invisible = 0;
  // Numbers from 1 of lines, or rows of the screen, with text in the colour of
  // its background or concealed.
  std::vector<int64_t> concealed;
};

// Changes nothing. `mark` is what this client has seen so far.
ReadResult ReadSession(const session::SessionView& session,
                       const ReaderMark& mark, const ReadRequest& request);

// The command that drew the screen which the reader was shown last has ended
// and left it on the primary screen.
bool HasLeftScreen(const session::SessionView& session, const ReaderMark& mark);

// How a full-screen program shows itself: "alternate screen", "addresses rows",
// "rewrites rows"; "" for one that prints lines.
std::string_view DrawsFullScreen(const session::SessionView& session,
                                 const ReaderMark& mark);

// The word that agents use for it.
std::string_view ReadModeName(ReadMode mode);

}  // namespace glasstty::view
