// Looks after one session for as long as it lives, and notes events: how
// commands and the program end, what is asked, that nothing moves any more, the
// first failure of each kind, and what watches are set for.
//
// A quiet session costs nothing: a change of the session sets a timer, and what
// a look takes is bounded, so that a flood is looked at in samples. Kernel
// questions are asked only once the program has been quiet for a while. Owns
// the watches, which are kept in the file `watches` of the session's
// directory. Keeps its session alive; borrows the Surroundings and the loop,
// which must outlive it. Loop thread only.
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

// These are the things that only the server's other rooms know.
struct Surroundings {
  // Says in words what the program waits for; the key tells one question from
  // the next. nullopt: nobody would be told.
  struct Question {
    uint64_t key = 0;
    std::string text;
  };
  std::function<std::optional<Question>(const session::Session&)> question;
  // Somebody has been shown already what this event says.
  std::function<bool(const session::Session&, const Event&)> is_known;
  // Parses the condition of a watch.
  std::function<absl::StatusOr<waits::Until>(const Json&)> parse;
  // There is a new event, or the session has ended.
  std::function<void(const session::Session&, const Event*)> tell;
};

// Error: the name is empty, long, or one of kBuiltIn.
absl::Status CheckWatchName(const std::string& name);

class Sentry {
 public:
  // A look follows a change after this time.
  static constexpr Duration kPace = std::chrono::milliseconds(250);
  // A program that prints nothing for so long may wait for something.
  static constexpr Duration kQuiet = std::chrono::seconds(1);
  // A program counts as stuck when nothing has moved for so long.
  static constexpr Duration kStillAfter = std::chrono::minutes(5);
  static constexpr Duration kStillPace = std::chrono::seconds(10);
  // A program that is busy without printing is asked about this often, until
  // it counts as stuck.
  static constexpr Duration kBusyPace = std::chrono::seconds(30);
  // The end of a command that took so long is told whoever has seen it.
  static constexpr Duration kLong = std::chrono::seconds(10);
  static constexpr size_t kMostWatches = 20;
  // A row of a screen has stood after this time.
  static constexpr Duration kRowStands = std::chrono::seconds(3);

  Sentry(session::SessionRef session, const Surroundings* surroundings);
  ~Sentry();
  Sentry(const Sentry&) = delete;
  Sentry& operator=(const Sentry&) = delete;

  const session::SessionRef& session() const { return session_; }
  EventLog* log();
  // Returns true once no event will come any more.
  bool has_ended() const { return has_ended_; }

  // Sets a watch, or replaces the one of this name. Error: the condition cannot
  // be watched, or the name cannot be used.
  absl::Status SetWatch(const std::string& name, const Json& condition);
  // Returns false if there is none.
  bool RemoveWatch(const std::string& name);
  std::string WatchNames() const;

 private:
  struct Named {
    Json condition;
    Watch watch;
    int64_t from = 0;  // the first line that counts
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
  // Returns when to go on with the lines.
  Time LookAtLines(Time now);
  void TakeLine(const terminal::Line& line);
  // Returns whether it is the first failure of its kind, and makes it known.
  bool IsNewFailure(const terminal::Line& line);
  // Notes the line if it is such a failure.
  void TakeFailure(const terminal::Line& line, bool is_rewritten);
  // Takes the lines that the program has gone back to.
  void LookAtRewritten();
  // Returns when to look again at rows that may be failures.
  Time LookAtRows(Time now);
  // A failure on a screen counts once it has stood, because monitors name
  // processes that come and go.
  Time TakeFailingRows(const std::vector<std::string>& rows, Time now);
  Time LookAtState(Time now);
  void TakeState(session::Activity state, Time now);
  Time LookForStillness(Time now);
  Time LookAtWatches(Time now);
  // Completes the event, and tells it.
  void Note(Event event);
  // Makes events of what the watches have found.
  void NoteHits(Time now);
  // Notes an event of our own, unless it is known.
  void NoteBuiltIn(Event event, bool even_if_known);

  const session::SessionRef session_;
  const Surroundings* const surroundings_;
  std::optional<EventLog> log_;  // read when it is first needed
  std::map<std::string, Named> watches_;
  Timer timer_;
  Time due_ = Time::max();  // of the timer
  bool begun_ = false;
  bool has_ended_ = false;
  // The commands up to this one have ended and are noted.
  int64_t commands_ = 0;
  waits::LineScan scan_;
  int64_t told_line_ = -1;  // the last failure that an earlier server noted
  uint64_t rows_revision_ = 0;
  // Since when rows stand that speak of a failure, by the hash of their shape.
  std::unordered_map<size_t, Time> failing_rows_;
  motion::LineKinds failures_;
  // The output and the input after which the state was judged.
  uint64_t judged_at_ = ~uint64_t{0};
  std::optional<session::Activity> state_;
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
