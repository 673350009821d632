// Gives bytes to the program of a session, and checks whether they are read,
// and by which program. The steps of a call are built on this (typing/input.h).
//
// A Typist lives in the frame of one call's coroutine and is borrowed by the
// functions below. Each returns false if typing must stop; `result` says why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "record/read_mark.h"
#include "session/session.h"
#include "support/cancellation.h"
#include "support/task.h"
#include "typing/addressee.h"
#include "waits/until.h"

namespace glasstty::typing {

// Typed at a time: above it the program's reading sets the pace, so that the
// kernel's queue (16 to 42 kB) never overflows into the holder's.
// Two of the holder's 4 KiB packets.
inline constexpr size_t kPasteBytes = 8 * 1024;

// A program that does not read for so long gets the next step as typed-ahead
// input, as a person's keyboard would give it.
inline constexpr Duration kReadPatience = std::chrono::seconds(1);

// Why typing ends when a person takes the keyboard.
inline constexpr char kPersonTook[] = "a person took the keyboard";

// What became of the steps.
struct Typed {
  size_t done = 0;  // steps typed whole
  // Bytes of the next one that were typed all the same; `stopped` says so.
  size_t partly = 0;
  // Why the rest was not, in words; empty: all were.
  std::string stopped;
  // Lines typed as text, whose echo must not satisfy a wait.
  std::vector<std::string> lines;
  // The cursor's line before the first step, if that is <C-c>.
  std::optional<int64_t> interrupted;
  // The client gave the call up; `stopped` is empty then.
  bool cancelled = false;
};

struct Typist {
  session::SessionRef session;
  Cancellation* cancellation;
  record::ReadMark baseline;  // before the first step
  // Told of each line before it is typed; may be null.
  waits::UntilCheck* until = nullptr;
  Typed result = {};
  Addressee addressee = {};
  // Person::begun when the steps were begun.
  uint64_t turns = session->person().begun();
  // Shows the session to the caller between two steps; may be null.
  std::function<Task<bool>(int)> show = nullptr;
};

// True when the steps were planned for a screen that a person has changed
// since, or is changing.
bool IsOvertaken(const Typist& typist);

// Why nothing more can be typed; empty: it can.
std::string CannotType(const session::Session& session);

// Sends `bytes` and waits until they have been read, for `patience` at most.
Task<bool> TypeBytes(Typist* typist, std::string bytes, uint64_t flags,
                     Duration patience);

// Sends keys to a program that draws screens, each once the program has dealt
// with the one before: many take what one read brings for one key. The rest of
// many goes out in one burst, and so it does when the program takes its time.
Task<bool> TypeKeys(Typist* typist, std::vector<std::string> keys,
                    Duration patience);

// Waits until the program waits for input again, so that keys reach the
// program that a person would be looking at.
// False only when the call was cancelled: a program that goes on working gets
// the next step as typed-ahead input.
Task<bool> AwaitReading(Typist* typist, Duration patience);

// Waits for a look at the foreground that is not older than what was typed.
// False only when the call was cancelled.
Task<bool> SeeForeground(Typist* typist);

// False when the program is gone that the steps are meant for.
bool IsStillThere(Typist* typist);

}  // namespace glasstty::typing
