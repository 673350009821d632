// The conditions of `until`, which end a wait, checked against a session.
//
// The owner of an UntilCheck, such as a Waiting (waits/waiting.h), calls Begin,
// Observe, BeginWait and Check in this order. Observe and Check follow each
// piece of output, so that a text that appears only for a moment is not missed.
// A condition is a member of Until and a row of UntilCheck::kConditions, from
// which the argument of the tools is generated as well (tools/until_args.h).
// Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "record/read_mark.h"
#include "session/session.h"
#include "session/state.h"
#include "support/pattern.h"
#include "waits/answering.h"
#include "waits/fresh_text.h"
#include "waits/gone.h"
#include "waits/movement.h"
#include "waits/settling.h"
#include "waits/starting.h"
#include "waits/value.h"

namespace glasstty::waits {

// The event at which a wait for a person ends.
enum class PersonIs {
  kHere,  // a person has the keyboard
  kGone,  // no person has the keyboard
  // No person has the keyboard, and a person's turn has ended since the wait
  // began. Agents cannot name this event; it ends a question to a person.
  kVisited,
};
inline constexpr std::string_view kPersonNames[] = {"here", "gone"};

// The change at which a wait ends.
enum class ChangeIs {
  kAny,
  kMeaningful,  // ignores text that merely counts or moves
};
inline constexpr std::string_view kMeaningful = "meaningful";

struct TcpPort {
  int number = 0;  // 0: any
};

// The conditions of a wait. The first one that is met ends the wait.
struct Until {
  std::optional<std::string> text;
  std::optional<std::string> regex;
  MatchOn on = MatchOn::kAny;
  std::optional<std::string> gone;  // text that leaves the screen
  std::optional<std::string> stop;  // a pattern that means failure
  std::vector<session::Activity> state;
  // The program itself has reported one of these states.
  std::vector<terminal::ProgramState> status;
  std::optional<double> quiet_s;    // no output for this many seconds
  bool quiet_needs_change = false;  // quiet_s counts only after a change
  std::optional<ChangeIs> change;
  // For this many seconds, only clocks, spinners and the like have moved.
  std::optional<double> still_s;
  std::optional<ValueIs> value;
  bool bell = false;
  std::optional<std::string> title;  // a pattern for a new title
  std::optional<TcpPort> listening;
  std::optional<PersonIs> person;
  // This many complete lines have been printed since the baseline.
  std::optional<int64_t> lines;
  bool event = false;  // an event of any session; UntilCheck refuses it

  // True if no condition is given. Such a wait ends only at its deadline or
  // with the session. `on` and quiet_needs_change are not conditions.
  bool empty() const;
};

// Returns the default of term_send and term_open: a shell is at its prompt, a
// program waits for input or exits, or there was no output for half a second
// after something was drawn. This is `state` without kBusy, quiet_s 0.5 and
// quiet_needs_change.
Until DefaultUntil();

// The detail of the reason "gone" for a text that never was on the screen.
inline constexpr char kNeverThere[] = "gone: was not on the screen";

// Describes where a wait begins, and what its caller has seen.
struct From {
  // Output that the reader of this mark has seen does not count.
  record::ReadMark baseline;
  // The echo of these input lines does not count either.
  std::vector<std::string> typed = {};
  // The program was just opened. While its screen is blank and the program is
  // starting, neither its state nor its silence ends the wait.
  bool just_opened = false;
  // The rows of the screen that the caller was shown last, if the program still
  // draws on that screen. Changes from these rows count as well.
  std::vector<std::string> shown = {};
  // Holds what the caller has seen of this session; null: nothing is kept.
  std::shared_ptr<motion::Memory> memory = nullptr;
  // The check belongs to a permanent watch (lookout/watch.h). It keeps no
  // interest, because the watch's owner decides what the session probes.
  bool stays = false;
};

class UntilCheck {
 public:
  // A row of the table: what agents may write, and how it is checked.
  struct Condition {
    enum Trait : unsigned {
      // The condition is not in the list of tools, which costs tokens in every
      // conversation. Most rare conditions have this trait.
      kUnlisted = 1,
      // A match on the screen of a full-screen program is reported once that
      // screen has settled (settling.h), because more may be on its way.
      kSettles = 2,
      // The condition is met again at each occurrence. All others hold for a
      // while, and a permanent watch reports only the beginning.
      kMoment = 4,
    };
    using Member = std::variant<
        std::optional<std::string> Until::*, bool Until::*,
        std::optional<double> Until::*,   // seconds
        std::optional<int64_t> Until::*,  // a count, from 1
        std::optional<TcpPort> Until::*, std::optional<ChangeIs> Until::*,
        std::optional<ValueIs> Until::*, std::optional<PersonIs> Until::*,
        std::vector<session::Activity> Until::*,
        std::vector<terminal::ProgramState> Until::*, MatchOn Until::*>;
    const char* name;
    Member member;
    // A description for agents; "" if the name is enough.
    const char* about;
    // Null if UntilCheck does not check the row, because the row modifies other
    // conditions (`on`) or is checked elsewhere (`event`).
    Look (UntilCheck::*look)();
    unsigned traits = 0;
    // The interest that the condition keeps in the session during the wait.
    std::optional<session::Interest> interest;

    bool IsGiven(const Until& until) const;
  };
  // Returns all rows, in the order in which they are checked.
  static std::span<const Condition> Conditions();

  // Error: a pattern does not compile, a value is not allowed, or conditions
  // contradict each other.
  static absl::StatusOr<UntilCheck> Compile(Until until);

  // REQUIRES: `session` outlives the check (the coroutine holds it). Bells,
  // titles and turns of people count from now on, whatever the baseline.
  void Begin(const session::Session* session, From from);
  // True if the check has to distinguish echoed input from output.
  bool tells_echo() const {
    return wanted_ || stop_ || value_ || until_.lines.has_value();
  }
  // Call before a line is typed, because its echo must not match.
  void AddTyped(std::string line) {
    if (movement_) movement_->AddTyped(line);
    echo_.Add(std::move(line));
  }
  // Call in addition if a line editor will echo the line again (EchoFilter).
  void AddTypedAhead(const session::InputQueue::Ahead& ahead) {
    echo_.AddSecond(ahead.line, ahead.paste_requests, ahead.prompt);
  }
  // REQUIRES: Begin. Looks only for text that appears or is gone, and keeps
  // what it finds for the next Check. A call needs this while it types, before
  // its wait begins, because the answer may appear and disappear.
  void Observe();
  // REQUIRES: Begin. Begins the wait: stillness and DefaultUntil's quiet time
  // count from here, and the session probes what the conditions check. The
  // caller stops at `deadline`, so a match found by then is reported even if
  // the screen has not settled.
  void BeginWait(Time deadline);

  // REQUIRES: BeginWait. The end of the session ends every wait, even if no
  // condition asks for this. A condition with kSettles is met on a full screen
  // only once that screen has settled, or at the deadline.
  Look Check();
  // Returns true if `reason` is the end of the session and was not waited for.
  bool IsOnlyEnd(const Reason& reason) const;
  // Forgets that a condition was met, so the next Check looks again.
  void LookFor() { found_.reset(); }

  // The mark of a reader who has been shown the line or row that ended the
  // wait, so that a wait from this mark does not end with it again. Null if no
  // line or row ended the wait.
  const std::optional<record::ReadMark>& matched() const { return matched_; }
  // The stream whose line was the meaningful change; null if none was.
  const session::Output* changed() const {
    return movement_ ? movement_->source() : nullptr;
  }
  // A description of what came instead of the wanted text.
  struct Missed {
    int64_t lines = 0;    // new lines; rows on the alternate screen
    std::string last;     // the last of these lines with text
    std::string nearest;  // "": nothing was near, or the wait was not for text
    std::string value;    // how the value changes; "": the wait was not for one
    // Such as "line 12" or "row 3", if the wanted text had been shown there
    // before the wait, and so did not count; else "".
    std::string shown;
  };
  Missed DescribeMissed() const;

 private:
  static const Condition kConditions[];

  explicit UntilCheck(Until until) : until_(std::move(until)) {}

  void Keep(session::Interest interest) {
    interests_.push_back(session_->questions().Keep(interest));
  }
  Look LookAtConditions();
  // Searches the fresh text. If the pattern is found, the reason is `word`.
  Look LookText(const std::optional<Pattern>& pattern, std::string_view word);
  Look LookTexts();
  Look LookGone();
  Look LookState();
  Look LookStatus();
  // Met once a full-screen program has had time to draw what it reported.
  Look IsStatusDrawn(const terminal::ProgramStatus& status) const;
  Look LookQuiet();
  Look LookChange();
  Look LookStill();
  Look LookValue();
  Look LookBell();
  Look LookTitle();
  Look LookListening();
  Look LookPerson();
  Look LookLines();

  // Notes whether the program is computing.
  void NoteRest();
  // Met if the program has rested, ran before the key, or has had enough time.
  Look HasRested() const;
  // Returns true if `state` contains this activity.
  bool IsWanted(session::Activity activity) const;
  // Returns the text closest to the wanted one; "" if nothing was near.
  std::string NearestIn(const std::vector<terminal::Line>& lines) const;
  // Returns Missed::shown.
  std::string ShownBefore() const;
  // Returns true if anything was drawn since the baseline, on either screen.
  bool IsDrawn() const;
  // Returns true if anything differs from the baseline. Programs often draw the
  // same content again.
  bool Changed() const;
  // Remembers the screen, if the caller has seen it; `shown` is the text of the
  // rows that it was shown last.
  void NoteSeen(const std::vector<std::string>& shown);

  Until until_;
  std::optional<Pattern> wanted_;  // text or regex
  std::optional<Pattern> stop_;
  std::optional<Pattern> title_;
  // State of one wait.
  const session::Session* session_ = nullptr;
  std::vector<session::Questions::Kept> interests_;
  EchoFilter echo_;
  FreshText fresh_;
  std::optional<GoneText> gone_;
  std::optional<Movement> movement_;  // if a condition is about movement
  // The screen that the caller has seen, and the end of the lines at that time.
  // Null: something was already new when the wait began.
  std::optional<terminal::Snapshot> seen_;
  int64_t seen_end_ = 0;
  uint64_t seen_errors_ = 0;  // the revision of stderr's lines at that time
  std::optional<Value> value_;
  std::optional<Reason> observed_;
  std::optional<record::ReadMark> matched_;
  // The reason that ends the wait once the screen has settled.
  std::optional<Reason> found_;
  Settling settling_;
  Answering answering_;
  Starting starting_;
  Time deadline_ = Time::max();
  bool stays_ = false;
  uint64_t bells_ = 0;
  uint64_t titles_ = 0;
  uint64_t turns_ = 0;       // turns of people at the keyboard that had ended
  uint64_t tree_asked_ = 0;  // reports up to this serial are from before the
                             // wait
  // When the wait began (BeginWait).
  Time began_;
  std::optional<Time> rests_since_;  // null: the program computes, or was not
                                     // examined
};

}  // namespace glasstty::waits
