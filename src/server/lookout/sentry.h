// Watches one session as long as it lives, and records events: the ends of
// commands and of the program, questions, the end of all movement, the first
// failure of each kind, and conditions of watches that are met.
//
// An idle session costs nothing: the timer runs only after a change, while the
// program is busy, or while a watch must look again. The cost of a look is
// bounded, so a flood is only sampled. While the program prints without a
// pause, the kernel is probed at most every kStillPace. Owns the watches, which
// are kept in the file `watches` of the session's directory. Keeps its session
// alive; borrows the Surroundings and the loop, which must outlive it. Loop
// thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "lookout/event_log.h"
#include "lookout/stillness.h"
#include "lookout/watch.h"
#include "motion/line_kinds.h"
#include "session/session.h"
#include "support/json.h"
#include "support/loop.h"
#include "waits/line_scan.h"

namespace glasstty::lookout {

// The functions of other rooms that a Sentry needs.
struct Surroundings {
  // The program's question in words; the key distinguishes it from other
  // questions. nullopt if there is no question to report.
  struct Question {
    uint64_t key = 0;
    std::string text;
  };
  std::function<std::optional<Question>(const session::Session&)> question;
  // Returns whether some client has already been shown the facts of this event.
  std::function<bool(const session::Session&, const Event&)> is_known;
  // Parses the condition of a watch.
  std::function<absl::StatusOr<waits::Until>(const Json&)> parse;
  // Called for each new event, and with null when the session has ended.
  std::function<void(const session::Session&, const Event*)> tell;
};

// Error: the name is empty, has over 40 bytes, or names a built-in watch.
absl::Status CheckWatchName(const std::string& name);

class Sentry {
 public:
  // A change is followed by a look after this time at most.
  static constexpr Duration kPace = std::chrono::milliseconds(250);
  // A program that prints nothing for this long may be waiting for something.
  static constexpr Duration kQuiet = std::chrono::seconds(1);
  // A program counts as stuck when nothing has moved for this long.
  static constexpr Duration kStillAfter = std::chrono::minutes(5);
  static constexpr Duration kStillPace = std::chrono::seconds(10);
  // The interval at which a program that is busy without printing is probed,
  // until it counts as stuck.
  static constexpr Duration kBusyPace = std::chrono::seconds(30);
  // The end of a command or program that ran this long is recorded even if a
  // client has seen it.
  static constexpr Duration kLong = std::chrono::seconds(10);
  static constexpr size_t kMostWatches = 20;
  // A failure on a screen is recorded once its row has stood for this long.
  static constexpr Duration kRowStands = std::chrono::seconds(3);

  Sentry(session::SessionRef session, const Surroundings* surroundings);
  ~Sentry();
  Sentry(const Sentry&) = delete;
  Sentry& operator=(const Sentry&) = delete;

  const session::SessionRef& session() const { return session_; }
  EventLog* log();
  // Returns true once there will be no more events.
  bool has_ended() const { return has_ended_; }

  // Sets a watch, or replaces the one of this name. Error: the name cannot be
  // used, the condition cannot be watched, the session has ended, or it has
  // kMostWatches other watches.
  absl::Status SetWatch(const std::string& name, const Json& condition);
  // Returns false if there is no watch of this name.
  bool RemoveWatch(const std::string& name);
  std::string WatchNames() const;

 private:
  struct Named {
    Json condition;
    Watch watch;
    int64_t from = 0;  // earlier lines are ignored
  };

  void Begin();
  void ReadWatches();
  void KeepWatches();
  absl::Status AddWatch(const std::string& name, const Json& condition,
                        int64_t from);
  void Changed();
  void LookAt(Time due);
  void Look();
  void LookAtEnds();
  void NoteEndOf(const record::CommandBlock& command);
  void NoteExit();
  bool IsCommandLine(int64_t line) const;
  // Returns when to continue, or Time::max() if all lines have been examined.
  Time LookAtLines(Time now);
  // Examines new lines of one stream with its scan.
  Time LookAtNew(const session::Output& stream, waits::LineScan* scan,
                 Time now);
  void TakeLine(const terminal::Line& line);
  // Examines a line of stderr in a session without a terminal.
  void TakeErrorLine(terminal::Line line);
  // Returns whether the line is the first failure of its kind, and notes it.
  bool IsNewFailure(const terminal::Line& line);
  // Records the line as an event if it is a new failure. With `may_repeat`, the
  // line's number does not show whether an earlier server recorded it.
  void TakeFailure(const terminal::Line& line, bool may_repeat);
  // Examines the lines that the program has gone back to and rewritten.
  void LookAtRewritten();
  // Returns when to look again at rows that report failures.
  Time LookAtRows(Time now);
  // A failure on a screen counts only once its row has stood for kRowStands,
  // because monitors name processes that come and go.
  Time TakeFailingRows(const std::vector<std::string>& rows, Time now);
  Time LookAtState(Time now);
  void TakeState(session::Activity state, Time now);
  // Records the question, unless it was already open or is known. nullopt: the
  // program does not ask.
  void TakeQuestion(const std::optional<Surroundings::Question>& question,
                    bool is_first_look, Time now);
  // Takes a sample. Returns true if something has moved since the last one.
  bool TakeStillness(Time now);
  std::string LastRow() const;
  Time LookForStillness(Time now);
  Time LookAtWatches(Time now);
  // Completes the event, records it, and calls Surroundings::tell.
  void Note(Event event);
  // Creates events from the hits of the watches.
  void NoteHits(Time now);
  // Records a built-in event, unless some client knows its facts already.
  void NoteBuiltIn(Event event, bool even_if_known);

  const session::SessionRef session_;
  const Surroundings* const surroundings_;
  std::optional<EventLog> log_;  // read when it is first needed
  std::map<std::string, Named> watches_;
  Timer timer_;
  Time due_ = Time::max();  // when timer_ fires
  bool begun_ = false;
  bool has_ended_ = false;
  // The ends of commands up to this number are recorded.
  int64_t commands_ = 0;
  waits::LineScan scan_;
  waits::LineScan errors_scan_;  // of stderr, in a session without a terminal
  int64_t told_line_ = -1;  // the last line that an earlier server recorded as
                            // a failure
  uint64_t rows_revision_ = 0;
  // The time since which each row with a failure stands, by its shape's hash.
  std::unordered_map<size_t, Time> failing_rows_;
  motion::LineKinds failures_;
  // The position in the log at which the state was last judged.
  uint64_t judged_at_ = ~uint64_t{0};
  std::optional<session::Activity> state_;
  struct OpenQuestion {
    uint64_t key = 0;
    Time at;                      // when it was found
    std::optional<Time> left_at;  // since when the program does not ask
  };
  std::optional<OpenQuestion> open_question_;
  Time judged_;
  session::Questions::Kept interest_;
  Time asked_;  // when the interest was taken
  Time watches_looked_ = Time::min();
  Stillness stillness_;
  uint64_t still_revision_ = 0;
  Time moved_;
  Time still_looked_ = Time::min();
  bool still_told_ = false;
};

}  // namespace glasstty::lookout
