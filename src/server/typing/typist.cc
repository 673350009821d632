// The receipt (wire::Consumed) comes from the holder: nothing finished is still
// unread. The probe shows which process reads (session/prober.h).
// CheckStillThere accepts the last answer even if it is not settled, because
// the process groups in it do not depend on unread input.
#include "typing/typist.h"

#include <chrono>
#include <string_view>

#include "base/visible.h"
#include "support/status.h"
#include "wire/packets.h"

namespace glasstty::typing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// The patience for all but the last piece. Only a program that hardly reads
// exceeds it.
constexpr Duration kPastePatience = seconds(20);
// An answer comes within 1 ms, unless the program floods or the holder is busy.
constexpr Duration kLookPatience = milliseconds(50);

// A settled answer is renewed within half of this time.
constexpr Duration kOtherPatience = 2 * session::Prober::kSlowestPace;

// The patience for the far end of a connection. A broken connection is noticed
// within 30 s, but a call should report sooner that the outcome is unknown.
constexpr Duration kArrivalPatience = seconds(5);

// At most this many keys are typed one by one; few commands of tmux and the
// like are longer.
constexpr size_t kSingleKeys = 32;
// More keys than this are text and no command, so they are typed at once.
constexpr size_t kManyKeys = 256;
// If a key is not dealt with in this time, the following keys are typed ahead.
constexpr Duration kKeyPatience = milliseconds(100);
// The pause between two keys for a reader that cannot be examined. tmux treats
// keys less than a millisecond apart as a paste (assume-paste-time).
constexpr Duration kKeyGap = milliseconds(2);

constexpr char kLineTooLong[] =
    "a line of more than 4,095 bytes: the terminal is in line mode, where the "
    "kernel would cut it silently; split it or send it to a program that reads "
    "keys";

// A job that works between its questions gets the rest of the lines at once
// after this, because the call cannot wait for each of them.
constexpr Duration kLinesPatience = std::chrono::seconds(5);

constexpr char kNoConnection[] =
    "there is no connection to the program's machine; it keeps running there "
    "(term_list tells more)";

// Returns the reason to report, with a remedy if any.
std::string RefusalText(const session::InputQueue::Refusal& refusal) {
  switch (refusal.why) {
    case wire::WriteRefusal::kQueueFull:
      return "the program does not read its input and 1 MiB is waiting already";
    case wire::WriteRefusal::kNotSecret:
      return "the terminal is not at a password prompt as far as can be seen: "
             "it shows what is typed, the program reads single keys, or what "
             "asks cannot be examined, as behind sudo (\"force\": true types "
             "it anyway)";
    case wire::WriteRefusal::kLineTooLong:
      return kLineTooLong;
    case wire::WriteRefusal::kClosed:
      return "the program no longer reads its terminal";
    case wire::WriteRefusal::kPersonTypes:
      return kPersonTook;
    case wire::WriteRefusal::kAway:
      return kNoConnection;
  }
  return "the input was not accepted";
}

// Returns how many bytes after packet `after` were typed before the refusal.
size_t TakenBefore(const session::InputQueue::Refusal& refusal,
                   uint64_t after) {
  return (refusal.serial - after - 1) * wire::kMaxPayload + refusal.taken;
}

// Unread bytes for another machine may not even have arrived there. The answer
// to a later probe proves that they have arrived; a refusal proves that some
// were not typed. kTimeout: neither came.
Task<Outcome> AwaitArrival(Typist* typist, uint64_t before, uint64_t serial) {
  session::Session* session = typist->session.get();
  const session::Prober* prober = &session->questions().prober();
  uint64_t sent = prober->sent();
  auto interest = session->questions().Keep(session::Interest::kForeground);
  co_return co_await session->WaitFor(
      [session, prober, sent, before, serial] {
        return prober->answered() > sent || session->input().consumed(serial) ||
               session->input().FindRefusal(before, serial) != nullptr ||
               session->finished();
      },
      session->loop()->Now() + kArrivalPatience, typist->cancellation);
}

struct Piece {
  Next next = Next::kStop;
  bool is_read = false;
};

// Types one piece at once, and waits until it has been read, for `patience` at
// most.
Task<Piece> TypePiece(Typist* typist, std::string piece, uint64_t flags,
                      Duration patience) {
  session::Session* session = typist->session.get();
  uint64_t before = session->input().last_write();
  size_t length = piece.size();
  // This writes even without bytes, because kWriteEof has none.
  uint64_t serial = session->Write(piece, flags);
  // Refusals of older writes, and of the terminal's answers, do not count.
  auto refused = [session, before, serial] {
    return session->input().FindRefusal(before, serial);
  };
  Outcome outcome = co_await session->WaitFor(
      [session, serial, refused] {
        return session->input().consumed(serial) || refused() != nullptr ||
               !CannotType(*session).empty();
      },
      session->loop()->Now() + patience, typist->cancellation);
  bool unsure =
      outcome == Outcome::kTimeout && !session->origin().place.empty();
  Outcome arrival =
      unsure ? co_await AwaitArrival(typist, before, serial) : Outcome::kMet;
  if (outcome == Outcome::kCancelled || arrival == Outcome::kCancelled) {
    co_return Piece{Next::kCancelled};
  }
  if (const session::InputQueue::Refusal* refusal = refused()) {
    typist->result.stopped = RefusalText(*refusal);
    typist->result.partly += TakenBefore(*refusal, before);
    co_return Piece();
  }
  if (arrival == Outcome::kTimeout) {
    typist->result.stopped = absl::StrFormat(
        "the connection to the program's machine does not answer: whether the "
        "last %d bytes were typed is not known",
        length);
    co_return Piece();
  }
  typist->result.partly += length;
  co_return Piece{Next::kGoOn, outcome == Outcome::kMet};
}

// Returns the length of the longest line in `text`, in bytes. A line ends at
// the characters that end or discard a line in canonical mode by default
// (stty(1), "sane").
size_t LongestLine(std::string_view text) {
  constexpr std::string_view kEnds = "\r\n\x03\x04\x15\x1a\x1c";
  constexpr char kQuote = '\x16';  // makes the next character text
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

// Stops the typing before the first piece if a line is too long for the
// terminal, because the holder judges each piece only when it is sent.
Task<Next> CheckLines(Typist* typist, const std::string* text) {
  session::Session* session = typist->session.get();
  if (session->origin().program.pipe ||
      LongestLine(*text) <= wire::kMaxCookedLine) {
    co_return Next::kGoOn;
  }
  Next next = co_await SeeForeground(typist);
  if (next != Next::kGoOn) co_return next;
  const wire::ProbeAnswer* now = session->questions().prober().current();
  if (now == nullptr || !now->canonical) co_return Next::kGoOn;
  typist->result.stopped = kLineTooLong;
  co_return Next::kStop;
}

// Each piece but the last must be read; the last one may wait in the kernel's
// queue.
Task<Next> TypePieces(Typist* typist, const std::string* bytes, uint64_t flags,
                      Duration patience) {
  std::string_view rest = *bytes;
  for (;;) {
    std::string piece(rest.substr(0, kPasteBytes));
    rest.remove_prefix(piece.size());
    Piece typed = co_await TypePiece(typist, std::move(piece), flags,
                                     rest.empty() ? patience : kPastePatience);
    if (typed.next != Next::kGoOn || rest.empty()) co_return typed.next;
    if (!typed.is_read) {
      typist->result.stopped = "the program has stopped reading";
      co_return Next::kStop;
    }
    Next next = co_await SeeForeground(typist);
    if (next == Next::kGoOn) next = CheckStillThere(typist);
    if (next != Next::kGoOn) co_return next;
  }
}

// Waits until the program is ready for the next key, for kKeyPatience at most.
Task<Outcome> AwaitKeyDealt(Typist* typist) {
  session::Session* session = typist->session.get();
  Time read = session->loop()->Now();
  auto interest = session->questions().Keep(session::Interest::kForeground);
  co_return co_await session->WaitFor(
      [session, read] {
        const wire::ProbeAnswer* now = session->questions().prober().current();
        if (now == nullptr || now->settled == 0) return Look(false);
        bool seen = session->verdict().LastState().evidence !=
                    session::Evidence::kGuess;
        if (seen) return Look(now->waiting >= wire::Waiting::kPollTimeout);
        Time due = read + kKeyGap;
        return Look(session->loop()->Now() >= due, due);
      },
      read + kKeyPatience, typist->cancellation);
}

// Makes "\r" or "\r\n" one newline, much like ICRNL of termios(3).
std::string WithoutTerminal(std::string bytes) {
  std::string out;
  for (size_t i = 0; i < bytes.size(); ++i) {
    bool pair =
        bytes[i] == '\r' && i + 1 < bytes.size() && bytes[i + 1] == '\n';
    if (!pair) out += bytes[i] == '\r' ? '\n' : bytes[i];
  }
  return out;
}

Task<Next> TypeInOneGo(Typist* typist, std::string bytes, uint64_t flags,
                       Duration patience) {
  Next next = co_await CheckLines(typist, &bytes);
  if (next != Next::kGoOn) co_return next;
  next = co_await TypePieces(typist, &bytes, flags, patience);
  co_return next;
}

// Types keys one by one, waiting each time until the last is dealt with.
// After `count` keys, types the rest at once. Also types the rest at once, as
// typed-ahead input, if the program does not read a key or, with `strict`, has
// not dealt with a key in time.
Task<Next> TypeOneByOne(Typist* typist, std::vector<std::string> keys,
                        size_t count, bool strict, Duration patience) {
  bool is_dealt = true;
  size_t typed = 0;
  for (bool goes_on = true; goes_on && typed + 1 < keys.size(); ++typed) {
    if (typed == count) break;
    Piece piece = co_await TypePiece(typist, std::move(keys[typed]),
                                     wire::kWritePlain, patience);
    if (piece.next != Next::kGoOn) co_return piece.next;
    is_dealt = is_dealt && piece.is_read;
    if (is_dealt) {
      Outcome dealt = co_await AwaitKeyDealt(typist);
      if (dealt == Outcome::kCancelled) co_return Next::kCancelled;
      is_dealt = dealt == Outcome::kMet;
    }
    goes_on = strict ? is_dealt : piece.is_read;
  }
  std::string rest;
  for (; typed < keys.size(); ++typed) rest += keys[typed];
  if (typist->session->origin().program.pipe)
    rest = WithoutTerminal(std::move(rest));
  Next next = co_await TypeInOneGo(typist, std::move(rest), wire::kWritePlain,
                                   patience);
  co_return next;
}

// Adds to the reason how much was typed.
Next ReportPart(Typist* typist, Next next, size_t size) {
  Typed* result = &typist->result;
  if (next == Next::kStop && result->partly > 0) {
    result->stopped +=
        absl::StrFormat("; %d of %d bytes were typed", result->partly, size);
  }
  return next;
}

size_t SizeOf(const std::vector<std::string>& keys) {
  size_t size = 0;
  for (const std::string& key : keys) size += key.size();
  return size;
}

}  // namespace

bool IsOvertaken(const Typist& typist) {
  const session::Person& person = typist.session->person();
  bool is_lost = typist.session->is_guest() && !person.is_own_call();
  return is_lost || person.here() || person.begun() != typist.turns;
}

std::string CannotType(const session::Session& session) {
  if (session.verdict().exited()) {
    return absl::StrFormat("the program has exited (%s)",
                           session::ExitText(session.life().exit_status()));
  }
  if (session.life().ended()) return "the session has ended";
  return "";
}

Next SendSignal(Typist* typist, int number) {
  if (typist->session->Signal(number, wire::SignalTarget::kForeground)) {
    return Next::kGoOn;
  }
  typist->result.stopped = kNoConnection;
  return Next::kStop;
}

Task<Next> TypeBytes(Typist* typist, std::string bytes, uint64_t flags,
                     Duration patience) {
  if (typist->session->origin().program.pipe)
    bytes = WithoutTerminal(std::move(bytes));
  size_t size = bytes.size();
  Next next = co_await TypeInOneGo(typist, std::move(bytes), flags, patience);
  co_return ReportPart(typist, next, size);
}

Task<Next> TypeKeys(Typist* typist, std::vector<std::string> keys,
                    Duration patience) {
  size_t size = SizeOf(keys);
  size_t count = keys.size() > kManyKeys ? 0 : kSingleKeys;
  Next next =
      co_await TypeOneByOne(typist, std::move(keys), count, true, patience);
  co_return ReportPart(typist, next, size);
}

Task<Next> TypeLineByLine(Typist* typist, std::vector<std::string> lines,
                          Duration patience) {
  size_t size = SizeOf(lines);
  // If a line is too long, none is typed.
  std::string all;
  for (const std::string& line : lines) all += line;
  Next next = co_await CheckLines(typist, &all);
  const Time hurry = typist->session->loop()->Now() + kLinesPatience;
  for (size_t i = 0; next == Next::kGoOn && i < lines.size(); ++i) {
    bool hurries = i > 0 && !EditsLines(*typist->session) &&
                   typist->session->loop()->Now() >= hurry;
    for (; hurries && lines.size() > i + 1; lines.pop_back()) {
      lines[lines.size() - 2] += lines.back();
    }
    next = co_await TypeInOneGo(typist, std::move(lines[i]), wire::kWritePlain,
                                patience);
    if (next != Next::kGoOn || i + 1 == lines.size()) break;
    next = co_await AwaitReading(typist, patience);
    if (next == Next::kGoOn) next = CheckStillThere(typist);
    auto state = typist->session->verdict().settled_state();
    bool reads = state && state->activity != session::Activity::kBusy;
    typist->result.ahead |= !reads;
  }
  co_return ReportPart(typist, next, size);
}

// A slow program still gets the events one by one, as long as it reads.
Task<Next> TypeEvents(Typist* typist, std::vector<std::string> events,
                      Duration patience) {
  size_t size = SizeOf(events);
  size_t count = events.size();
  Next next =
      co_await TypeOneByOne(typist, std::move(events), count, false, patience);
  co_return ReportPart(typist, next, size);
}

Task<Next> AwaitReading(Typist* typist, Duration patience) {
  session::Session* session = typist->session.get();
  Time deadline = session->loop()->Now() + patience;
  auto interest = session->questions().Keep(session::Interest::kState);
  Outcome outcome = co_await session->WaitFor(
      [session] {
        auto state = session->verdict().settled_state();
        return Look(state && state->activity != session::Activity::kBusy,
                    session->questions().NextAnswer());
      },
      deadline, typist->cancellation);
  if (outcome == Outcome::kCancelled) co_return Next::kCancelled;
  co_return co_await SeeForeground(typist);
}

Task<Next> SeeForeground(Typist* typist) {
  session::Session* session = typist->session.get();
  const session::Prober* prober = &session->questions().prober();
  uint64_t sent = prober->sent();
  // The shell's marks name no process groups, so the kernel must be asked.
  auto interest = session->questions().Keep(session::Interest::kForeground);
  Outcome outcome = co_await session->WaitFor(
      [session, prober, sent] {
        const wire::ProbeAnswer* now = prober->current();
        bool known = now != nullptr && now->settled != 0;
        return known || prober->answered() > sent || session->finished();
      },
      session->loop()->Now() + kLookPatience, typist->cancellation);
  bool met = outcome == Outcome::kMet && prober->last() != nullptr;
  if (met) typist->addressee.Learn(*prober->last());
  co_return NextAfter(outcome);
}

Next CheckStillThere(Typist* typist) {
  typist->result.stopped = CannotType(*typist->session);
  if (!typist->result.stopped.empty()) return Next::kStop;
  if (IsOvertaken(*typist)) {
    typist->result.stopped = kPersonTook;
    return Next::kStop;
  }
  const wire::ProbeAnswer* answer =
      typist->session->questions().prober().last();
  if (answer == nullptr) return Next::kGoOn;
  typist->result.stopped = typist->addressee.Missing(*answer);
  return typist->result.stopped.empty() ? Next::kGoOn : Next::kStop;
}

namespace {

bool HasOtherReader(const session::Session& session) {
  const wire::ProbeAnswer* answer = session.questions().prober().last();
  return answer != nullptr && answer->outside_pid != 0 &&
         answer->outside_pid != answer->foreground_pid;
}

}  // namespace

Task<Next> CheckForOtherReader(Typist* typist) {
  session::Session* session = typist->session.get();
  if (!HasOtherReader(*session)) co_return Next::kGoOn;
  // The other reader may have ended since that answer, without a byte of
  // output, so this waits for the next answer.
  const session::Prober* prober = &session->questions().prober();
  uint64_t sent = prober->sent();
  auto interest = session->questions().Keep(session::Interest::kForeground);
  Outcome outcome = co_await session->WaitFor(
      [session, prober, sent] {
        return prober->answered() > sent || session->finished();
      },
      session->loop()->Now() + kOtherPatience, typist->cancellation);
  if (outcome == Outcome::kCancelled) co_return Next::kCancelled;
  if (!HasOtherReader(*session)) co_return Next::kGoOn;
  const wire::ProbeAnswer* answer = prober->last();
  typist->result.stopped = absl::StrFormat(
      "%s (pid %d) reads this terminal, too, and would take a part of it; end "
      "that first (kill %d)",
      QuotedUnlessPlain(answer->outside_name), answer->outside_pid,
      answer->outside_pid);
  co_return Next::kStop;
}

}  // namespace glasstty::typing
