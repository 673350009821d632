// What ends a wait: the conditions of `until`, checked against a session.
//
// An UntilCheck lives in the waiting coroutine's frame and is evaluated after
// every piece of output, so that a text that appears only for a moment is not
// missed. A condition is a member of Until and a row of
// UntilCheck::kConditions, from which its argument is made as well
// (tools/until_args.h). Loop thread only.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "record/read_mark.h"
#include "session/session_view.h"
#include "session/state.h"
#include "support/pattern.h"
#include "waits/fresh_text.h"
#include "waits/gone.h"
#include "waits/settling.h"

namespace glasstty::waits {

// What a wait for a person is for.
enum class PersonIs {
  kHere,  // somebody has the keyboard
  kGone,  // nobody has
  // Somebody who took it after the wait began has given it back. Agents have no
  // name for it: it is what a question to a person waits for.
  kVisited,
};
inline constexpr std::string_view kPersonNames[] = {"here", "gone"};

struct TcpPort {
  int number = 0;  // 0: any
};

// The first member to hold ends the wait.
struct Until {
  std::optional<std::string> text;
  std::optional<std::string> regex;
  MatchOn on = MatchOn::kAny;
  std::optional<std::string> gone;  // text that leaves the screen
  std::optional<std::string> stop;  // a pattern that means failure
  std::vector<session::Activity> state;
  std::optional<double> quiet_s;    // no output for so long
  bool quiet_needs_change = false;  // ... after something changed
  bool change = false;
  bool bell = false;
  std::optional<std::string> title;  // pattern
  std::optional<TcpPort> listening;
  std::optional<PersonIs> person;
  std::optional<int64_t> lines;  // so many, each with its end

  // True when no condition is given: such a wait would only time out.
  // `on` and quiet_needs_change are none.
  bool empty() const;
};

// The default of term_send and term_open: the program waits for input,
// prompts, exits, or has drawn something and been quiet for 0.5 s.
// `state` without kBusy, quiet_s 0.5 and quiet_needs_change.
Until DefaultUntil();

// Why a wait ended.
struct Reason {
  std::string_view word;  // "matched", "quiet", "exited", ...
  // "" where the word says all.
  std::string detail;  // the matched line, the new title, who listens
};

// The detail of "gone" for a text that was not on the screen at all.
inline constexpr char kNeverThere[] = "was not on the screen";

class UntilCheck {
 public:
  // A row of the table: what agents may write, and how it is looked for.
  struct Condition {
    enum Trait : unsigned {
      // The list of tools, which every conversation pays for, leaves it out:
      // the usual choice for a rare condition.
      kUnlisted = 1,
      // What it finds on the screen of a full-screen program is told once that
      // screen has settled (settling.h): more may be on its way.
      kSettles = 2,
    };
    using Member =
        std::variant<std::optional<std::string> Until::*, bool Until::*,
                     std::optional<double> Until::*,   // seconds
                     std::optional<int64_t> Until::*,  // a count, from 1
                     std::optional<TcpPort> Until::*,
                     std::optional<PersonIs> Until::*,
                     std::vector<session::Activity> Until::*, MatchOn Until::*>;
    const char* name;
    Member member;
    // For agents; "" where the name says it all.
    const char* about;
    // Null: no condition of its own, but a word about others.
    std::optional<Reason> (UntilCheck::*look)(Time* again);
    unsigned traits = 0;
    // What the session must find out meanwhile.
    std::optional<session::Interest> interest;

    bool IsGiven(const Until& until) const;
  };
  // In the order in which they are looked at.
  static std::span<const Condition> Conditions();

  // Error: a pattern that does not compile.
  static absl::StatusOr<UntilCheck> Compile(Until until);

  // Begins at `baseline`: what it has seen does not count. `typed`: input
  // lines whose echo does not count either.
  // REQUIRES: `session` outlives the check (the coroutine holds it). Bells and
  // titles count from now on, whatever the baseline.
  void Begin(const session::SessionView* session, record::ReadMark baseline,
             const std::vector<std::string>& typed = {});
  // It matters to it what of the output is an echo.
  bool wants_text() const { return wanted_ || stop_; }
  // A line is about to be typed.
  void AddTyped(std::string line) { fresh_.AddTyped(std::move(line)); }
  // REQUIRES: Begin. Looks for text only, and keeps what it finds for the next
  // Look: while a call types, its wait has not begun, but the answer may come
  // and go.
  void Observe();
  // The typing is over: from here on the program is given time to be quiet in.
  void EndTyping();
  // REQUIRES: Begin. The wait begins, and the session finds out what its
  // conditions look at. Whoever looks stops at `deadline`: what has been found
  // by then is not held back until the screen has settled.
  void BeginWait(Time deadline);

  // REQUIRES: BeginWait. Fills *again when time alone can make it true.
  // Null: go on waiting. A session that has finished ends every wait, wanted or
  // not. Of a full-screen program the screen has settled then.
  std::optional<Reason> Look(Time* again);

  // The mark of a reader who has been shown what was matched: a wait from there
  // on does not match it again. Null when no text was.
  const std::optional<record::ReadMark>& matched() const { return matched_; }
  // What came instead of the text that was waited for.
  struct Missed {
    int64_t lines = 0;  // on the alternate screen, rows that changed
    std::string last;
    std::string nearest;  // "": nothing was near, or no text was waited for
  };
  Missed DescribeMissed() const;

 private:
  static const Condition kConditions[];

  explicit UntilCheck(Until until) : until_(std::move(until)) {}

  void Keep(session::Interest interest) {
    interests_.push_back(session_->Keep(interest));
  }
  std::optional<Reason> LookAtConditions(Time* again);
  // `word` is the reason's, when the pattern is found in the fresh text.
  std::optional<Reason> LookText(const std::optional<Pattern>& pattern,
                                 std::string_view word);
  std::optional<Reason> LookTexts(Time* again);
  std::optional<Reason> LookGone(Time* again);
  std::optional<Reason> LookState(Time* again);
  std::optional<Reason> LookQuiet(Time* again);
  std::optional<Reason> LookChange(Time* again);
  std::optional<Reason> LookBell(Time* again);
  std::optional<Reason> LookTitle(Time* again);
  std::optional<Reason> LookListening(Time* again);
  std::optional<Reason> LookPerson(Time* again);
  std::optional<Reason> LookLines(Time* again);

  // What came closest to the text that was waited for; "": nothing was near.
  std::string NearestIn(const std::vector<terminal::Line>& lines) const;
  // Whether anything was drawn since the baseline, on either screen.
  bool Changed() const;

  Until until_;
  std::optional<Pattern> wanted_;  // text or regex
  std::optional<Pattern> stop_;
  std::optional<Pattern> title_;
  // State of one wait.
  const session::SessionView* session_ = nullptr;
  std::vector<session::SessionView::Kept> interests_;
  FreshText fresh_;
  std::optional<GoneText> gone_;
  std::optional<Reason> observed_;
  std::optional<record::ReadMark> matched_;
  // A condition holds, and the screen may still be under way.
  std::optional<Reason> found_;
  Settling settling_;
  Time deadline_ = Time::max();
  uint64_t bells_ = 0;
  uint64_t titles_ = 0;
  uint64_t turns_ = 0;       // of people at the keyboard that had ended
  uint64_t tree_asked_ = 0;  // earlier reports are of before the wait
  // When the wait began: quiet counts from here at the earliest.
  Time began_;
};

}  // namespace glasstty::waits
