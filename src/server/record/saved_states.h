// The state of a session's terminal at certain offsets of its log. It allows
// the log to be played after its beginning has been deleted.
//
//   state.<16 hex>  one SavedState; the name is its offset
//
// A server writes one whenever it begins to read a segment of the log, before
// it acknowledges the previous segment to the holder. Hence there is a state
// for the first byte that is kept, unless output was lost while there was no
// server. Functions over a session's directory; they keep nothing open. Single
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace glasstty::record {

struct SavedState {
  uint64_t offset = 0;   // bytes of output before the state
  uint64_t lost = 0;     // how many of these bytes the screen lacks
  std::string terminal;  // Terminal::SaveState
  std::string commands;  // CommandLog::SaveState
};

// Writes a state, replacing one of the same offset, and removes the states of
// deleted parts of the log. Returns false with errno if the disk refuses it.
bool WriteSavedState(int dir_fd, const SavedState& state);
// Returns nullopt if there is none, or it is damaged or of another version.
std::optional<SavedState> ReadSavedState(int dir_fd, uint64_t offset);
bool HasSavedState(int dir_fd, uint64_t offset);

// The point from which a log is played.
struct LogStart {
  uint64_t offset = 0;
  // The number of bytes before `offset` whose effect is lost.
  uint64_t lost = 0;
  // The state with which the terminal begins; nullopt: a new terminal.
  std::optional<SavedState> state;
};
// Returns the beginning of the log or, if that has been deleted, the first
// usable state that is in the kept part and not after `upto`. If there is none,
// returns `upto` if it precedes the kept part, or else the first byte that is
// kept, with the last state before it, if any. If the log cannot be listed,
// returns the beginning, too: the missing part then shows as a hole.
LogStart FindLogStart(int dir_fd, uint64_t upto = ~uint64_t{0});

}  // namespace glasstty::record
