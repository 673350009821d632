#include "lookout/watch.h"

#include <algorithm>
#include <functional>

#include "motion/shape.h"
#include "record/read_mark.h"
#include "session/streams.h"
#include "support/status.h"
#include "support/text.h"
#include "terminal/screen_lines.h"

namespace glasstty::lookout {
namespace {

constexpr size_t kMostMatching = 1'000;
// The first of several lines are usually the most informative.
constexpr int kMostTexts = 3;

size_t HashOfShape(const std::string& text) {
  return std::hash<std::string>()(motion::ShapeOf(text));
}

bool IsMoment(std::string_view word) {
  using Condition = waits::UntilCheck::Condition;
  return std::ranges::any_of(
      waits::UntilCheck::Conditions(), [word](const Condition& row) {
        return row.name == word && (row.traits & Condition::kMoment) != 0;
      });
}

}  // namespace

absl::StatusOr<Watch> Watch::Compile(waits::Until until) {
  if (until.stop || until.listening || until.person || until.event) {
    return InvalidArgument(
        "watch: 'stop', 'listening', 'person' and 'event' can be waited for, "
        "but not watched");
  }
  // Compile once, to report errors in the patterns.
  absl::Status compiles = waits::UntilCheck::Compile(until).status();
  RETURN_IF_ERROR(compiles);
  Watch watch(std::move(until));
  waits::Until& u = watch.until_;
  if (u.regex) {
    ASSIGN_OR_RETURN(watch.pattern_, Pattern::Compile(*u.regex));
  } else if (u.text) {
    watch.pattern_ = Pattern::Literal(*u.text);
  }
  u.text.reset();
  u.regex.reset();
  watch.states_ = std::exchange(u.state, {});
  return watch;
}

void Watch::Begin(const session::Session* session) {
  session_ = session;
  Renew();
}

void Watch::Renew() {
  check_.reset();
  if (until_.empty()) return;
  auto check = waits::UntilCheck::Compile(until_);
  check_.emplace(*std::move(check));
  check_->Begin(session_, {.baseline = session::MarkNow(*session_),
                           .memory = memory_,
                           .stays = true});
  check_->BeginWait(Time::min());
}

void Watch::Found(std::string text) {
  int64_t more = hit_ ? hit_->more + hit_->texts : 0;
  int64_t line = hit_ ? hit_->line : -1;
  hit_ = Hit{.text = std::move(text), .line = line, .more = more};
}

void Watch::FoundText(const std::string& text, int64_t line) {
  std::string trimmed(TrimBlanks(text));
  if (!hit_) {
    hit_ = Hit{.text = std::move(trimmed)};
  } else if (hit_->texts < kMostTexts) {
    hit_->text += " | " + trimmed;
    ++hit_->texts;
  } else {
    ++hit_->more;
  }
  hit_->line = std::max(hit_->line, line);
}

// Adds the last row of the screen where the reason itself gives no detail.
std::string Watch::TextOf(const Reason& reason) const {
  bool is_remark = reason.kind == Reason::Detail::kRemark;
  if (!reason.detail.empty() && !is_remark) return reason.detail;
  std::string text(reason.word);
  const terminal::Terminal& terminal = session_->output().terminal();
  std::string row = terminal::LastRow(terminal.TakeSnapshot());
  return row.empty() ? text : text + ": " + row;
}

std::optional<Watch::Hit> Watch::TakeHit(Time now, bool is_end) {
  if (!hit_) return std::nullopt;
  if (now < rests_until_ && !is_end) return std::nullopt;
  rests_until_ = now + kRest;
  return std::exchange(hit_, std::nullopt);
}

bool Watch::Matches(std::string_view line) const {
  return pattern_ && pattern_->Find(line);
}

bool Watch::TakeLine(const terminal::Line& line) {
  if (!Matches(line.text)) return false;
  if (matching_.size() >= kMostMatching) matching_.clear();
  matching_.insert(HashOfShape(line.text));
  FoundText(line.text, line.number);
  return true;
}

void Watch::TakeRows(const std::vector<std::string>& rows) {
  std::unordered_set<size_t> matching;
  for (const std::string& row : rows) {
    if (!Matches(row)) continue;
    size_t shape = HashOfShape(row);
    bool is_new = matching.insert(shape).second && !matching_.contains(shape);
    if (is_new) FoundText(row);
  }
  matching_ = std::move(matching);
}

void Watch::TakeState(session::Activity state, std::string text) {
  bool is_wanted =
      std::find(states_.begin(), states_.end(), state) != states_.end();
  if (is_wanted) Found(std::move(text));
}

void Watch::Look(Time now) {
  again_ = hit_ ? rests_until_ : Time::max();
  if (!check_) return;
  if (now < rests_until_) {
    again_ = rests_until_;
    return;
  }
  glasstty::Look look = check_->Check();
  bool is_over = look.met() && look.reason->word == "exited";
  // A text that was never on the screen does not count as gone.
  bool is_met =
      look.met() && !is_over && look.reason->detail != waits::kNeverThere;
  again_ = look.again;
  if (!is_met) {
    // Nothing can be judged while the screen is being drawn.
    bool is_judged = session_->verdict().IsFrameWhole().met() &&
                     !session_->output().HasUnfed();
    if (is_judged) holds_ = false;
    if (look.met() && !is_over) check_->LookFor();
    return;
  }
  std::string word(look.reason->word);
  bool is_moment = IsMoment(word);
  if (word == "change") memory_->Tell(look.reason->detail);
  if (is_moment || !holds_) Found(TextOf(*look.reason));
  again_ = Time::max();
  if (is_moment) {
    // A watch reports a limit only the first time that it is passed.
    if (word == "value" && !until_.value->changes_by) until_.value.reset();
    Renew();
  } else {
    holds_ = true;
    check_->LookFor();
  }
}

}  // namespace glasstty::lookout
