// The events of one session, and the readers to whom they were reported: the
// file `noticed` in the session's directory, which survives the server.
//
// Each line of the file is a JSON object, appended with one write: an event, or
// the last event that was reported to a reader. A line that was torn by a crash
// is ignored. The file is bounded: once it has grown, it is rewritten with the
// last events. Each event is reported to each reader once; callers choose the
// names of readers. Borrows the session, which must outlive it. Loop thread
// only.
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
  std::string watch;   // the watch's name, or that of a built-in one
  std::string text;    // one line without control characters
  uint64_t revision = 0;
  // Identifies the subject of a built-in event, so that nothing is recorded
  // twice: the number of a command, a position in the log or a line. 0 for
  // events of other watches.
  uint64_t key = 0;
  // The line that caused the event; -1: no line did.
  int64_t line = -1;
  // The revision of that line, if the program has rewritten it; not stored.
  uint64_t line_revision = 0;
  // The number of other events of this watch shortly before, which are reported
  // together with this one.
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
// Returns whether the session's output shows the event anyway: the end of a
// command, or a failure.
bool IsToldByOutput(const Event& event);

// Reads the events of the session in this directory, oldest first.
std::vector<Event> ReadEvents(int directory);

class EventLog {
 public:
  static constexpr size_t kMostEvents = 200;
  static constexpr size_t kMostReaders = 32;

  // Reads the events that an earlier server has left.
  explicit EventLog(const session::Session* session);
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  // Oldest first; the last kMostEvents.
  const std::deque<Event>& events() const { return events_; }
  // The number of the last event; 0: there is none.
  int64_t last() const { return last_; }
  // Returns whether there is an event of this built-in watch with this key.
  bool Has(std::string_view watch, uint64_t key) const;
  // Sets the event's number and adds the event.
  const Event& Add(Event event);

  // Returns the number of the last event that was reported to the reader;
  // nullopt: the reader is new to this session.
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
