// The receipt is the holder's (kConsumed): nothing that was typed is unread any
// more. Who reads is the probe's to say (session/prober.h); the last answer is
// believed for the addressee even when it is not settled, because the process
// groups in it do not depend on what is unread.
#include "typing/typist.h"

#include <chrono>
#include <string_view>

#include "support/status.h"

namespace glasstty::typing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Large text is worth waiting for: only a program that has stopped reading
// altogether ends it.
constexpr Duration kPastePatience = seconds(20);
// An answer comes within 1 ms, unless the program floods or the holder is busy.
constexpr Duration kLookPatience = milliseconds(50);

// For the far end of a connection. A break of it is noticed within 30 s; a call
// should not take that long to say that it does not know.
constexpr Duration kArrivalPatience = seconds(5);

// Typed one by one at most; few commands of tmux and the like are longer.
constexpr size_t kSingleKeys = 32;
// More is text and no command: time counts then.
constexpr size_t kManyKeys = 256;
// After it a key counts as typed ahead, and so do those behind it.
constexpr Duration kKeyPatience = milliseconds(100);
// Between two keys for a reader that cannot be seen. tmux takes keys that come
// within a millisecond for pasted text (its assume-paste-time).
constexpr Duration kKeyGap = milliseconds(2);

// The kernel keeps so many bytes of a line that nobody has read (N_TTY_BUF_SIZE
// less one).
constexpr size_t kMaxCookedLine = 4095;
constexpr char kLineTooLong[] =
    "a line of more than 4,095 bytes: the terminal is in line mode, where the "
    "kernel would cut it silently; split it or send it to a program that reads "
    "keys";

// For the reply: what happened, and the way out where there is one.
std::string RefusalText(const session::Session::Refusal& refusal) {
  switch (refusal.why) {
    case wire::WriteRefusal::kQueueFull:
      return "the program does not read its input and 1 MiB is waiting already";
    case wire::WriteRefusal::kNotSecret:
      return "the terminal is not at a password prompt: it shows what is "
             "typed, "
             "or the program reads single keys (\"force\": true types it "
             "anyway)";
    case wire::WriteRefusal::kLineTooLong:
      return kLineTooLong;
    case wire::WriteRefusal::kClosed:
      return "the program no longer reads its terminal";
    case wire::WriteRefusal::kPersonTypes:
      return kPersonTook;
    case wire::WriteRefusal::kAway:
      return "there is no connection to the program's machine; it keeps "
             "running there (term_list tells more)";
  }
  return "the input was not accepted";
}

// Bytes that were typed of the packets behind `after`, before one was refused.
size_t TakenBefore(const session::Session::Refusal& refusal, uint64_t after) {
  return (refusal.serial - after - 1) * wire::kMaxPayload + refusal.taken;
}

// What nobody has read may not even have arrived on another machine. The answer
// to a later question is the proof, and a refusal the disproof. kTimeout:
// neither came.
Task<Outcome> AwaitArrival(Typist* typist, uint64_t before, uint64_t serial) {
  session::Session* session = typist->session.get();
  const session::Prober* prober = &session->prober();
  uint64_t sent = prober->sent();
  auto interest = session->Keep(session::Interest::kForeground);
  co_return co_await session->WaitFor(
      [session, prober, sent, before, serial] {
        return prober->answered() > sent || session->consumed(serial) ||
               session->FindRefusal(before, serial) != nullptr ||
               session->finished();
      },
      session->loop()->Now() + kArrivalPatience, typist->cancellation);
}

// One piece, in one go. `patience` is for its being read.
Task<bool> TypePiece(Typist* typist, std::string piece, uint64_t flags,
                     Duration patience, Outcome* outcome) {
  session::Session* session = typist->session.get();
  uint64_t before = session->last_write();
  size_t length = piece.size();
  // At least one write even without bytes: kWriteEof carries none.
  uint64_t serial = session->Write(piece, flags);
  // Not of an older write, nor of the emulator's answers to the program.
  auto refused = [session, before, serial] {
    return session->FindRefusal(before, serial);
  };
  *outcome = co_await session->WaitFor(
      [session, serial, refused] {
        return session->consumed(serial) || refused() != nullptr ||
               !CannotType(*session).empty();
      },
      session->loop()->Now() + patience, typist->cancellation);
  bool unsure =
      *outcome == Outcome::kTimeout && !session->origin().place.empty();
  Outcome arrival =
      unsure ? co_await AwaitArrival(typist, before, serial) : Outcome::kMet;
  if (*outcome == Outcome::kCancelled || arrival == Outcome::kCancelled) {
    typist->result.cancelled = true;
    co_return false;
  }
  if (const session::Session::Refusal* refusal = refused()) {
    typist->result.stopped = RefusalText(*refusal);
    typist->result.partly += TakenBefore(*refusal, before);
    co_return false;
  }
  if (arrival == Outcome::kTimeout) {
    typist->result.stopped = absl::StrFormat(
        "the connection to the program's machine does not answer: whether the "
        "last %d bytes were typed is not known",
        length);
    co_return false;
  }
  typist->result.partly += length;
  co_return true;
}

// The longest line in `text`, in bytes, by the characters that end one in
// canonical mode when nobody has changed them (stty(1), "sane").
size_t LongestLine(std::string_view text) {
  constexpr std::string_view kEnds = "\r\n\x03\x04\x15\x1a\x1c";
  constexpr char kQuote = '\x16';  // the next one is text
  size_t longest = 0, length = 0;
  bool quoted = false;
  for (char c : text) {
    bool ends = !quoted && kEnds.find(c) != std::string_view::npos;
    length = ends ? 0 : length + 1;
    longest = std::max(longest, length);
    quoted = !quoted && c == kQuote;
  }
  return longest;
}

// Text goes out in pieces, each judged when its turn comes. A line that is too
// long for the terminal is known before the first. False: the typing ends.
Task<bool> CheckLines(Typist* typist, const std::string* text) {
  session::Session* session = typist->session.get();
  if (session->origin().program.pipe || LongestLine(*text) <= kMaxCookedLine) {
    co_return true;
  }
  if (!co_await SeeForeground(typist)) co_return false;
  const wire::ProbeAnswer* now = session->prober().current();
  if (now == nullptr || !now->canonical) co_return true;
  typist->result.stopped = kLineTooLong;
  co_return false;
}

// Only a piece with more behind it has to be read: the last one may wait in the
// kernel's queue.
Task<bool> TypePieces(Typist* typist, const std::string* bytes, uint64_t flags,
                      Duration patience) {
  std::string_view rest = *bytes;
  for (;;) {
    std::string piece(rest.substr(0, kPasteBytes));
    rest.remove_prefix(piece.size());
    Outcome outcome;
    bool go_on =
        co_await TypePiece(typist, std::move(piece), flags,
                           rest.empty() ? patience : kPastePatience, &outcome);
    if (!go_on || rest.empty()) co_return go_on;
    if (outcome == Outcome::kTimeout) {
      typist->result.stopped = "the program has stopped reading";
      co_return false;
    }
    if (!co_await SeeForeground(typist)) co_return false;
    if (!IsStillThere(typist)) co_return false;
  }
}

// Until the program waits for the next key; *dealt is false when it does not
// within kKeyPatience. False: the typing ends.
Task<bool> AwaitKeyDealt(Typist* typist, bool* dealt) {
  session::Session* session = typist->session.get();
  Time read = session->loop()->Now();
  auto interest = session->Keep(session::Interest::kForeground);
  Outcome outcome = co_await session->WaitFor(
      [session, read] {
        const wire::ProbeAnswer* now = session->prober().current();
        if (now == nullptr || now->settled == 0) return Verdict(false);
        bool seen = session->LastState().evidence != session::Evidence::kGuess;
        if (seen) return Verdict(now->waiting >= wire::Waiting::kPollTimeout);
        Time due = read + kKeyGap;
        return Verdict(session->loop()->Now() >= due, due);
      },
      read + kKeyPatience, typist->cancellation);
  typist->result.cancelled = outcome == Outcome::kCancelled;
  *dealt = outcome == Outcome::kMet;
  co_return !typist->result.cancelled;
}

// What the terminal driver does with the keys that are more than text: Enter is
// a newline (ICRNL of termios(3)).
std::string WithoutTerminal(std::string bytes) {
  std::string out;
  for (size_t i = 0; i < bytes.size(); ++i) {
    bool pair =
        bytes[i] == '\r' && i + 1 < bytes.size() && bytes[i + 1] == '\n';
    if (!pair) out += bytes[i] == '\r' ? '\n' : bytes[i];
  }
  return out;
}

Task<bool> TypeInOneGo(Typist* typist, std::string bytes, uint64_t flags,
                       Duration patience) {
  if (!co_await CheckLines(typist, &bytes)) co_return false;
  bool whole = co_await TypePieces(typist, &bytes, flags, patience);
  co_return whole;
}

Task<bool> TypeOneByOne(Typist* typist, std::vector<std::string> keys,
                        Duration patience) {
  size_t count =
      keys.size() > kManyKeys ? 0 : std::min(keys.size(), kSingleKeys);
  size_t typed = 0;
  for (bool dealt = true; dealt && typed < count; ++typed) {
    if (typed + 1 == keys.size()) break;
    Outcome outcome;
    if (!co_await TypePiece(typist, std::move(keys[typed]), wire::kWritePlain,
                            patience, &outcome)) {
      co_return false;
    }
    dealt = outcome == Outcome::kMet;
    if (dealt && !co_await AwaitKeyDealt(typist, &dealt)) co_return false;
  }
  std::string rest;
  for (; typed < keys.size(); ++typed) rest += keys[typed];
  if (typist->session->origin().program.pipe)
    rest = WithoutTerminal(std::move(rest));
  bool whole = co_await TypeInOneGo(typist, std::move(rest), wire::kWritePlain,
                                    patience);
  co_return whole;
}

// Behind the reason in `stopped`.
void OwnUpToPart(Typist* typist, size_t size) {
  Typed* result = &typist->result;
  if (result->partly == 0 || result->cancelled) return;
  result->stopped +=
      absl::StrFormat("; %d of %d bytes were typed", result->partly, size);
}

}  // namespace

bool IsOvertaken(const Typist& typist) {
  const session::Person& person = typist.session->person();
  return person.here() || person.begun() != typist.turns;
}

std::string CannotType(const session::Session& session) {
  if (session.exited()) {
    return absl::StrFormat("the program has exited (%s)",
                           session::ExitText(session.exit_status()));
  }
  if (session.ended()) return "the session has ended";
  return "";
}

Task<bool> TypeBytes(Typist* typist, std::string bytes, uint64_t flags,
                     Duration patience) {
  if (typist->session->origin().program.pipe)
    bytes = WithoutTerminal(std::move(bytes));
  size_t size = bytes.size();
  bool whole = co_await TypeInOneGo(typist, std::move(bytes), flags, patience);
  if (!whole) OwnUpToPart(typist, size);
  co_return whole;
}

Task<bool> TypeKeys(Typist* typist, std::vector<std::string> keys,
                    Duration patience) {
  size_t size = 0;
  for (const std::string& key : keys) size += key.size();
  bool whole = co_await TypeOneByOne(typist, std::move(keys), patience);
  if (!whole) OwnUpToPart(typist, size);
  co_return whole;
}

Task<bool> AwaitReading(Typist* typist, Duration patience) {
  session::Session* session = typist->session.get();
  Time deadline = session->loop()->Now() + patience;
  auto interest = session->Keep(session::Interest::kState);
  Outcome outcome = co_await session->WaitFor(
      [session] {
        auto state = session->settled_state();
        return Verdict(state && state->activity != session::Activity::kBusy,
                       session->loop()->Now() + session::Prober::kAgain);
      },
      deadline, typist->cancellation);
  typist->result.cancelled = outcome == Outcome::kCancelled;
  if (typist->result.cancelled) co_return false;
  co_return co_await SeeForeground(typist);
}

Task<bool> SeeForeground(Typist* typist) {
  session::Session* session = typist->session.get();
  const session::Prober* prober = &session->prober();
  uint64_t sent = prober->sent();
  // A shell's own word for its prompt does not name process groups.
  auto interest = session->Keep(session::Interest::kForeground);
  Outcome outcome = co_await session->WaitFor(
      [session, prober, sent] {
        const wire::ProbeAnswer* now = prober->current();
        bool known = now != nullptr && now->settled != 0;
        return known || prober->answered() > sent || session->finished();
      },
      session->loop()->Now() + kLookPatience, typist->cancellation);
  bool met = outcome == Outcome::kMet && prober->last() != nullptr;
  if (met) typist->addressee.Learn(*prober->last());
  typist->result.cancelled = outcome == Outcome::kCancelled;
  co_return !typist->result.cancelled;
}

bool IsStillThere(Typist* typist) {
  if (IsOvertaken(*typist)) {
    typist->result.stopped = kPersonTook;
    return false;
  }
  const wire::ProbeAnswer* answer = typist->session->last_probe();
  if (answer == nullptr) return true;
  typist->result.stopped = typist->addressee.Missing(*answer);
  return typist->result.stopped.empty();
}

}  // namespace glasstty::typing
