// What ends a wait: the conditions of `until`, checked against a session.
//
// An UntilCheck lives in the waiting coroutine's frame and is looked at after
// every piece of output, so that a text which is only there for a moment is
// not missed. The table in until.cc has one row per condition. Loop thread
// only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "record/read_mark.h"
#include "session/session.h"
#include "session/state.h"
#include "support/pattern.h"
#include "waits/echo.h"

namespace glasstty {

// Where `text`, `regex` and `stop` look.
enum class MatchOn { kAny, kScreen, kOutput };

// The first member to hold ends the wait.
struct Until {
  std::optional<std::string> text;
  std::optional<std::string> regex;
  MatchOn on = MatchOn::kAny;
  std::optional<std::string> gone;  // text that is no longer on the screen
  std::optional<std::string> stop;  // a pattern that means failure
  std::vector<Activity> state;
  std::optional<double> quiet_s;    // no output for so long
  bool quiet_needs_change = false;  // ... after something changed
  bool change = false;
  bool bell = false;
  std::optional<std::string> title;  // pattern
  std::optional<int> listening;      // a TCP port; 0: any

  // True when no condition is given: such a wait would only time out.
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

class UntilCheck {
 public:
  // Error: a pattern that does not compile.
  static absl::StatusOr<UntilCheck> Compile(Until until);

  // Begins at `baseline`: what it has seen does not count. `typed`: input
  // lines whose echo does not count either.
  // REQUIRES: `session` outlives the check (the coroutine holds it). Bells and
  // titles count from now on, whatever the baseline.
  void Begin(Session* session, ReadMark baseline,
             const std::vector<std::string>& typed = {});
  // A line is about to be typed.
  void AddTyped(std::string line) { echo_.Add(std::move(line)); }
  // REQUIRES: Begin. Looks for the text only, and keeps what it finds for the
  // next Look: while a call types, its wait has not begun, but the answer may
  // come and go.
  void Observe();
  // The typing is over: from here on the program is given time to be quiet in.
  void EndTyping();

  // REQUIRES: Begin. Fills *again when time alone can make it true.
  // Null: go on waiting. A session that has finished ends every wait, wanted or
  // not.
  std::optional<Reason> Look(Time* again);

 private:
  struct Condition;
  static const Condition kConditions[];

  explicit UntilCheck(Until until) : until_(std::move(until)) {}

  // `word` is the reason's, when the pattern is found in the fresh text.
  std::optional<Reason> LookText(const std::optional<Pattern>& pattern,
                                 std::string_view word);
  std::optional<Reason> LookTexts();
  std::optional<Reason> LookGone();
  std::optional<Reason> LookState(Time* again);
  std::optional<Reason> LookQuiet(Time* again);
  std::optional<Reason> LookChange();
  std::optional<Reason> LookBell();
  std::optional<Reason> LookTitle();
  std::optional<Reason> LookListening(Time* again);

  // Makes fresh_text_ anew if anything was drawn since the last time.
  void RefreshText();
  void AppendOutput();
  void AppendScreen();
  bool ScreenHas(std::string_view text) const;
  // Whether anything was drawn since the baseline, on either screen.
  bool Changed() const;

  Until until_;
  std::optional<Pattern> wanted_;  // text or regex
  std::optional<Pattern> stop_;
  std::optional<Pattern> title_;
  // State of one wait.
  Session* session_ = nullptr;
  std::shared_ptr<const void> close_look_;  // while text is looked for
  ReadMark baseline_;
  EchoFilter echo_;
  std::optional<Reason> observed_;
  uint64_t text_revision_ = 0;      // of the terminal when fresh_text_ was made
  int64_t scanned_error_line_ = 0;  // of stderr, where it is apart
  int64_t scanned_line_ = 0;        // earlier lines have been looked at
  uint64_t scanned_revision_ = 0;
  // What text patterns look at now, lines ended by newlines; and the same
  // without the blanks and carriage returns at their ends, "" when there are
  // none.
  std::string fresh_text_;
  std::string trimmed_text_;
  uint64_t bells_ = 0;
  uint64_t titles_ = 0;
  uint64_t tree_asked_ = 0;  // earlier reports are of before the wait
  // When the wait began: quiet counts from here at the earliest.
  Time began_;
};

}  // namespace glasstty
