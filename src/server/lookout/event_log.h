// The events of one session, and who has been told of them: the file `noticed`
// in the session's directory, which survives the server.
//
// Each line of it is a JSON object, appended with one write: an event, or how
// far a reader has been told. A line that a crash has torn is ignored. Bounded:
// the file is written anew with the last events once it has grown. A reader is
// whoever is told each event once; its name is of the caller's choice. Borrows
// the session, which must outlive it. Loop thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "session/session.h"

namespace glasstty::lookout {

struct Event {
  int64_t number = 0;  // counts from 1 in its session
  int64_t at_ms = 0;   // wall clock
  std::string watch;   // its name; those of kBuiltIn are ours
  std::string text;    // one line without control characters
  uint64_t revision = 0;
  // Tells what the event is about, so that nothing is noted twice: it is the
  // number of a command, a position in the log or a line. Events of other
  // watches have none.
  uint64_t key = 0;
  // The line that made it; -1: it is about no line.
  int64_t line = -1;
  // The revision of that line, if the program had gone back to it; not kept.
  uint64_t line_revision = 0;
  // Counts the others of its watch that came shortly before it and are told
  // with it.
  int64_t more = 0;
};

// Returns "t/lexer.t failed (and 3 more)".
std::string TextOf(const Event& event);

// The watches that every session has.
inline constexpr char kEnded[] = "ended";  // a command (its key), or all (0)
inline constexpr char kAsks[] = "asks";    // waits for input or a secret
inline constexpr char kStill[] = "still";  // nothing of interest has moved
inline constexpr char kError[] = "error";  // the first failure of its kind
bool IsBuiltIn(std::string_view watch);
// Returns whether what a session has printed tells the same: how commands have
// ended, and failures.
bool IsToldByOutput(const Event& event);

// Reads the events of the session whose directory this is, oldest first.
std::vector<Event> ReadEvents(int directory);

class EventLog {
 public:
  static constexpr size_t kMostEvents = 200;
  static constexpr size_t kMostReaders = 32;

  // Reads what an earlier server has left.
  explicit EventLog(const session::Session* session);
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  // Oldest first; the last kMostEvents.
  const std::deque<Event>& events() const { return events_; }
  // The number of the last event; 0: there is none.
  int64_t last() const { return last_; }
  // Returns whether there is an event of this built-in watch with this key.
  bool Has(std::string_view watch, uint64_t key) const;
  // Sets its number and adds it.
  const Event& Add(Event event);

  // Returns the number of the last event that the reader has been told;
  // nullopt: it has not been told of this session before.
  std::optional<int64_t> ToldOf(const std::string& reader) const;
  // Readers whose names begin with kPassing are forgotten with the server.
  static constexpr char kPassing = '#';
  void SetTold(const std::string& reader, int64_t number);

 private:
  void Append(const std::string& line);
  void WriteAnew();
  void TakeLine(std::string_view line);

  const session::Session* const session_;
  std::deque<Event> events_;
  int64_t last_ = 0;
  std::map<std::string, int64_t> told_;
  size_t size_ = 0;  // of the file
};

}  // namespace glasstty::lookout
