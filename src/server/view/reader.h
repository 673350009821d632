// Reads a session for one client: what is new since the client's mark, or what
// the client asks for.
//
// The tools keep a ReaderMark per client and session. A read returns the text,
// and the mark that is valid once the client has the text. The caller moves the
// mark when the reply has been sent, so a cancelled call loses nothing. Read
// modes are rows of the table in reader.cc. All texts show invisible characters
// as <U+200B>. Loop thread only.
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
#include "session/session.h"
#include "session/streams.h"
#include "view/looks.h"
#include "view/render.h"
#include "view/screen_diff.h"

namespace glasstty::view {

enum class ReadMode {
  kAuto,      // kDiff for full-screen programs, otherwise kStream
  kStream,    // the lines that are new since the mark
  kSnapshot,  // the current screen
  kHistory,   // a range of lines
  kCommand,   // the output of one command
  kDiff,      // the changes on the screen since it was last shown; kSnapshot if
              // these take too many bytes, or if no screen was shown last
  kRaw,       // bytes of the log, escaped
  kLinks,     // the URLs that were printed
  kAll,       // all lines since the beginning, which then count as seen
  kPicture,   // the screen, to be drawn; the mark stays
  kCommands,  // the commands of the shells, a line each
  kDigest,    // a summary (log_digest.h); treated as kAuto here
  kEvents,    // the recorded events (lookout/); treated as kAuto here
};
// The names that agents write and replies use, in the order of ReadMode.
inline constexpr std::string_view kReadModeNames[] = {
    "auto",  "stream", "snapshot", "history",  "command", "diff",  "raw",
    "links", "all",    "picture",  "commands", "digest",  "events"};

// Records how far one reader has read one session, and the screen that this
// reader was shown last.
struct ReaderMark : record::ReadMark {
  ReaderMark() = default;
  ReaderMark(record::ReadMark mark)
      : record::ReadMark(std::move(mark)) {}  // NOLINT: implicit

  // The screen that was shown last; null if something else was shown since.
  std::shared_ptr<const ScreenText> screen;
  // The looks of that screen. If lines were shown since then: the looks of the
  // screen at that moment if the program takes single keys, else empty.
  Looks looks;
  // The last line on that screen, and how often the screen had been cleared.
  int64_t screen_line = 0;
  uint64_t screen_clears = 0;
  // The reader was told how to get only some rows of a screen.
  bool crop_told = false;
  // The end of the log in the last digest.
  uint64_t digested = 0;
  // Set if a wait has shown a line but left earlier ones unread: the next wait
  // nevertheless begins after that line.
  std::optional<record::ReadMark> matched;
  // Set by the reply that opened the session. The next wait begins here,
  // because its caller may have planned it before seeing what that reply shows.
  std::optional<record::ReadMark> opened;
};

// Returns where a wait of this reader begins.
record::ReadMark WaitFrom(const ReaderMark& mark);

using session::OutputStream;
// The prefix of each line of stderr where both streams are shown together.
inline constexpr char kErrorSign[] = "err| ";

struct ReadRequest {
  ReadMode mode = ReadMode::kAuto;
  Limits limits;
  int scrollback = 0;  // kSnapshot: lines above the screen
  // Shows these rows of the screen in any mode. The whole screen then counts as
  // shown.
  std::optional<RowRange> rows;
  // kHistory: the first line, counted from 1 or, if negative, from the end, and
  // the number of lines, for each stream. 0 means the same as 1.
  int64_t from_line = -100;
  int64_t lines = 100;
  // kCommand: the number of the command; negative: counted from the last.
  int64_t command = -1;
  // kStream: shows what is new since this line (1-based), not since the mark.
  std::optional<int64_t> since_line;
  // kDiff: compares only with this revision; nullopt: the one shown last.
  std::optional<uint64_t> since_revision;
  // kRaw and kDigest: begins at this byte of the log. nullopt: kRaw shows the
  // last bytes, kDigest begins at the mark.
  std::optional<uint64_t> since_offset;
  // kDigest: begins at this time (view/when.h) instead.
  std::optional<std::string> since_time;
  OutputStream stream = OutputStream::kBoth;
  // If the whole text has more bytes than this, nothing is shown and the mark
  // stays. 0: no limit.
  int64_t max_bytes = 0;
  // kStream: the typed lines that may have been echoed. With hide_echo, such
  // lines at the beginning of the new output are left out, and so is the
  // shell's prompt at its end.
  std::vector<std::string> typed;
  bool hide_echo = false;
  // kStream: leaves out lines that were seen and have been overwritten.
  bool hide_rewritten = false;
  // kStream: the line at which the caller interrupted the program. If there are
  // more than a few lines before it, they are left out.
  std::optional<int64_t> interrupted;
  // kSnapshot: includes the colours, as escaped SGR sequences.
  bool styled = false;
};

struct ReadResult {
  ReadMode used = ReadMode::kStream;
  // kAuto: why a screen was chosen.
  std::string_view why;
  // Without a final newline, unless it is whole; empty if there is nothing to
  // show.
  std::string body;
  // The body is lines with their newlines (Limits::whole). Then a separate
  // stderr is in `errors`, in the same form.
  bool whole = false;
  std::string errors;
  // Facts for the reply's first line: "cursor=9:1", "lines 5-9".
  std::string facts;
  // kDiff: "+3 rows since 12".
  std::string change;
  // kPicture: the screen to draw; the body is empty.
  std::shared_ptr<const observe::Frame> frame;
  std::optional<uint64_t> frame_revision;
  // For a full-screen program: the focused elements. See view/focus.h.
  std::vector<std::string> focus;
  // Pale text after the cursor, or below, that nobody has typed. See
  // view/suggestion.h.
  std::vector<std::string> suggestions;
  // The way to continue, for the part of the reply after '|'; may be empty.
  std::string hint;
  // The client's mark once it has this reply; unchanged if the mode does not
  // count as reading.
  ReaderMark mark;
  int64_t left_out = 0;  // lines
  // The size of everything that the mode would show if nothing were left out.
  // Lines that were not fetched are estimated.
  int64_t bytes = 0;
  // The number of characters shown as <U+200B>.
  int64_t invisible = 0;
  // The numbers, from 1, of lines or rows of the screen with words that a
  // person could not see. Rows that the reader has been shown before are
  // omitted.
  std::vector<int64_t> concealed;
};

// Reads without changing anything. `mark` is what this client has seen so far.
ReadResult ReadSession(const session::Session& session, const ReaderMark& mark,
                       const ReadRequest& request);

// Returns the lines [from, to) that a request of mode kHistory or kAll selects,
// as far as they are kept.
struct RequestedLines {
  int64_t wanted = 0;  // the first requested line
  int64_t from = 0;
  int64_t to = 0;
};
RequestedLines FindRequested(const record::History& history,
                             const ReadRequest& request);

// Returns true if the reader was last shown the primary screen of a command
// that has ended since, and the terminal still shows the primary screen.
bool HasLeftScreen(const session::Session& session, const ReaderMark& mark);

// Returns why a program counts as full-screen: "alternate screen", "addresses
// rows", "rewrites rows"; "" for one that prints lines.
std::string_view DrawsFullScreen(const session::Session& session,
                                 const ReaderMark& mark);

// Returns the word that agents use for the mode.
std::string_view ReadModeName(ReadMode mode);

}  // namespace glasstty::view
