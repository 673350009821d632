// Stores the events of one session, and the number of the last event reported
// to each reader, in the file `noticed` of the session's directory, for the
// next server.
//
// Each line of the file is a JSON object, appended with one write: an event, or
// the number of the last event that was reported to a reader. A line that was
// torn by a crash is ignored. A file that has grown too large is rewritten with
// the last events. Callers choose the names of readers and report the events.
// Borrows the session, which must outlive it. Loop thread only.
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
  std::string watch;   // the name of the watch, see also kEnded
  std::string text;    // one line without control characters
  uint64_t revision = 0;
  // Identifies the subject of a built-in event, for example by the number of a
  // command or a line, so that no event is recorded twice. 0 for the end of the
  // program and for events of other watches.
  uint64_t key = 0;
  // The number of the line that caused the event; -1 if no line of stdout did.
  int64_t line = -1;
  // The revision of the line if it was rewritten or is on stderr, or else 0.
  // Not stored.
  uint64_t line_revision = 0;
  // The number of hits of the watch that are not in `text`.
  int64_t more = 0;
};

// Returns, for example, "t/lexer.t failed (and 3 more)".
std::string TextOf(const Event& event);

// The watches that every session has.
inline constexpr char kEnded[] = "ended";  // a command or the program ended
inline constexpr char kAsks[] = "asks";    // input or a secret is wanted
inline constexpr char kStill[] = "still";  // nothing of interest has moved
inline constexpr char kError[] = "error";  // the first failure of its kind
bool IsBuiltIn(std::string_view watch);
// Returns whether the session's output shows the event anyway (kEnded, kError).
bool IsToldByOutput(const Event& event);

// Reads the stored events in a session's directory, oldest first.
std::vector<Event> ReadEvents(int directory);

class EventLog {
 public:
  static constexpr size_t kMostEvents = 200;
  static constexpr size_t kMostReaders = 32;

  // Reads what an earlier server has stored.
  explicit EventLog(const session::Session* session);
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  // Oldest first; the last kMostEvents.
  const std::deque<Event>& events() const { return events_; }
  // The number of the last event; 0 if there is none.
  int64_t last() const { return last_; }
  // Returns whether one of events() has this built-in watch and this key.
  bool Has(std::string_view watch, uint64_t key) const;
  // Sets the event's number, and stores the event.
  const Event& Add(Event event);

  // Returns the number of the last event that was reported to the reader;
  // nullopt if the log does not know the reader.
  std::optional<int64_t> ToldOf(const std::string& reader) const;
  // The number of the last event that was reported to every reader of whom the
  // log has lost count, because there were more than kMostReaders.
  int64_t forgotten() const { return forgotten_; }
  // A reader whose name begins with kPassing is not stored in the file.
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
  int64_t forgotten_ = 0;
  size_t size_ = 0;  // the size of the file
};

}  // namespace glasstty::lookout
