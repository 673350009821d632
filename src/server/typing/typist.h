// Types bytes to the program of a session, and checks whether they are read,
// and by which program. Refuses bytes with a line that is too long for the
// terminal. The steps of a call are built on this (typing/input.h).
//
// A Typist lives in the frame of one call's coroutine, and the functions below
// borrow it. A function that returns a Next says with it how the typing
// continues.
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
#include "support/wait.h"
#include "typing/addressee.h"
#include "waits/answering.h"
#include "waits/waiting.h"

namespace glasstty::typing {

struct Step;

// At most this many bytes are typed at a time. More follow once the program has
// read these, so that the kernel's queue (16 to 42 kB) never overflows into the
// holder's. This is two of the holder's 4 KiB packets.
inline constexpr size_t kPasteBytes = 8 * 1024;

// If a program does not read for this long, the next step is typed ahead, as
// from a person's keyboard.
inline constexpr Duration kReadPatience = std::chrono::seconds(1);

// The reason why typing ends when a person takes the keyboard.
inline constexpr char kPersonTook[] = "a person took the keyboard";

// The result of a part of the typing.
enum class Next {
  kGoOn,
  kStop,       // Typist::result says why
  kCancelled,  // the client cancelled the call
};
// For a wait after which the typing continues even if it times out.
inline Next NextAfter(Outcome outcome) {
  return outcome == Outcome::kCancelled ? Next::kCancelled : Next::kGoOn;
}
// For a wait that must be met before the rest may be typed.
inline Next NextIfMet(Outcome outcome) {
  return outcome == Outcome::kMet         ? Next::kGoOn
         : outcome == Outcome::kCancelled ? Next::kCancelled
                                          : Next::kStop;
}

// The outcome of the steps.
struct Typed {
  size_t done = 0;  // the number of steps that were typed completely
  // The number of bytes of the next step that were typed; see `stopped`.
  size_t partly = 0;
  // The text that DiscardAnswers (typing/prompt_line.h) removed before the
  // first step; nullopt: there was none.
  std::optional<std::string> discarded;
  // Why the rest was not typed; empty if everything was typed, or if the call
  // was cancelled.
  std::string stopped;
  // The typed lines whose echo may come back. An echo must not satisfy a wait.
  std::vector<std::string> lines;
  // If the first step is <C-c>: the cursor's line before that key.
  std::optional<int64_t> interrupted;
  // Some of the lines were typed while the program still worked on others.
  bool ahead = false;
  // The client cancelled the call; `stopped` is empty then.
  bool cancelled = false;
};

struct Typist {
  session::SessionRef session;
  Cancellation* cancellation;
  record::ReadMark baseline;  // before the first step
  // Receives each line before it is typed; may be null.
  waits::Waiting* until = nullptr;
  Typed result = {};
  Addressee addressee = {};
  // Person::begun at the beginning of the steps.
  uint64_t turns = session->person().begun();
  // Shows the session to the caller between two steps; may be null.
  std::function<Task<Next>(const Step*)> show = nullptr;
  // Answers the program's questions between two steps; may be null.
  std::function<Task<Next>()> answer = nullptr;
  // The last text of this call, which an Enter may submit: its size (0: there
  // is none), the end of its last word, the time when it was typed, and the
  // screen's revision at that time.
  size_t text_size = 0;
  std::string text_tail = {};
  Time text_typed = {};
  uint64_t text_revision = 0;
  // Detects when the program has dealt with the typed text.
  waits::Answering answering = {};
};

// Returns true if a person has had the keyboard since the steps began, or has
// it now. The steps may not have been planned for the present screen. Also true
// if this call has lost the keyboard of another server's session.
bool IsOvertaken(const Typist& typist);

// Returns why nothing can be typed if the program or session has ended; or "".
std::string CannotType(const session::Session& session);

// Sends `bytes` in pieces of kPasteBytes, each once the one before has been
// read. Waits until the last piece is read, for `patience` at most.
Task<Next> TypeBytes(Typist* typist, std::string bytes, uint64_t flags,
                     Duration patience);

// Sends the signal to the foreground. Stops the typing if the program cannot be
// reached.
Next SendSignal(Typist* typist, int number);

// Sends keys to a program that draws screens. Each key is sent once the program
// has dealt with the one before, because many programs treat everything that
// one read(2) returns as one key. After many keys, or if the program is slow,
// the rest is sent in one burst.
Task<Next> TypeKeys(Typist* typist, std::vector<std::string> keys,
                    Duration patience);

// Sends each line once the program reads again after the one before, and stops
// if the program is gone. A program that works for longer than `patience` gets
// the next line as typed-ahead input (Typed::ahead).
Task<Next> TypeLineByLine(Typist* typist, std::vector<std::string> lines,
                          Duration patience);

// Sends mouse events. Each is sent separately once the one before has been
// read, because many programs handle only the first event that one read(2)
// returns. If an event is not read within `patience`, the rest is sent at once.
Task<Next> TypeEvents(Typist* typist, std::vector<std::string> events,
                      Duration patience);

// Waits, for `patience` at most, until the program waits for input again, so
// that keys reach the program that the caller expects. Never stops the typing:
// a program that still works gets the next step as typed-ahead input.
Task<Next> AwaitReading(Typist* typist, Duration patience);

// Waits briefly until the foreground has been examined since the last typing,
// and lets the addressee learn from the result. Never stops the typing.
Task<Next> SeeForeground(Typist* typist);

// Stops the typing if IsOvertaken is true, or the program for which the steps
// are meant is gone.
Next CheckStillThere(Typist* typist);

// Stops the typing if, beside the foreground, a process of another session
// reads the terminal: each of the two would get a part of the input.
Task<Next> CheckForOtherReader(Typist* typist);

}  // namespace glasstty::typing
