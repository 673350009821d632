// The conditions, in the order in which they are asked.
//
// While a program draws a synchronized frame nobody looks: what a person would
// not see is not matched. Text may be printed and erased within one piece of
// output, so a wait for text has pieces fed in moments (terminal/moment.h).
// What is found on a screen is reported once that screen has settled
// (waits/settling.h).
#include "waits/until.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "support/status.h"
#include "waits/near_miss.h"

namespace glasstty::waits {
namespace {

// What term_send and term_open promise when they are given no `until`.
constexpr Duration kDefaultQuiet = std::chrono::milliseconds(500);

// So long a text may take to appear before a wait for its leaving says that it
// was never there.
constexpr Duration kGoneQuiet = kDefaultQuiet;

}  // namespace

bool Until::empty() const {
  auto conditions = UntilCheck::Conditions();
  return std::none_of(conditions.begin(), conditions.end(),
                      [this](const UntilCheck::Condition& condition) {
                        return condition.IsGiven(*this);
                      });
}

Until DefaultUntil() {
  Until until;
  until.state = {session::Activity::kPrompt, session::Activity::kInput,
                 session::Activity::kSecret, session::Activity::kExited};
  until.quiet_s = std::chrono::duration<double>(kDefaultQuiet).count();
  until.quiet_needs_change = true;
  return until;
}

// What tells most first. The first three are looked for together.
const UntilCheck::Condition UntilCheck::kConditions[] = {
    {"text", &Until::text, "Appears.", &UntilCheck::LookTexts,
     Condition::kSettles, session::Interest::kText},
    {"regex", &Until::regex, "RE2; ^ $ match per line.", &UntilCheck::LookTexts,
     Condition::kSettles, session::Interest::kText},
    {"stop", &Until::stop, "Give up at this RE2.", &UntilCheck::LookTexts,
     Condition::kSettles, session::Interest::kText},
    {"on", &Until::on,
     "Where to look for text, regex and stop: any, screen, output.", nullptr,
     Condition::kUnlisted, std::nullopt},
    {"gone", &Until::gone, "Leaves the screen.", &UntilCheck::LookGone,
     Condition::kSettles, session::Interest::kText},
    {"title", &Until::title, "The title changes to match this RE2.",
     &UntilCheck::LookTitle, Condition::kUnlisted, session::Interest::kText},
    {"bell", &Until::bell, "The bell rings.", &UntilCheck::LookBell,
     Condition::kUnlisted, std::nullopt},
    {"change", &Until::change, "", &UntilCheck::LookChange, Condition::kSettles,
     std::nullopt},
    {"lines", &Until::lines, "This many new lines have been printed.",
     &UntilCheck::LookLines, Condition::kUnlisted, std::nullopt},
    {"person", &Until::person,
     "here: a person has the keyboard; gone: no longer.",
     &UntilCheck::LookPerson, Condition::kUnlisted, std::nullopt},
    {"listening", &Until::listening, "TCP port, or true: any.",
     &UntilCheck::LookListening, 0, session::Interest::kPorts},
    {"state", &Until::state,
     "prompt: a shell waits; input: any program; secret: a password prompt.",
     &UntilCheck::LookState, 0, session::Interest::kState},
    {"quiet_s", &Until::quiet_s, "Without output.", &UntilCheck::LookQuiet, 0,
     std::nullopt},
};

std::span<const UntilCheck::Condition> UntilCheck::Conditions() {
  return kConditions;
}

namespace {

template <class T>
bool IsGivenValue(const std::optional<T>& value) {
  return value.has_value();
}
bool IsGivenValue(const std::vector<session::Activity>& values) {
  return !values.empty();
}
bool IsGivenValue(bool value) { return value; }
bool IsGivenValue(MatchOn) { return false; }

}  // namespace

bool UntilCheck::Condition::IsGiven(const Until& until) const {
  return std::visit([&](auto m) { return IsGivenValue(until.*m); }, member);
}

absl::StatusOr<UntilCheck> UntilCheck::Compile(Until until) {
  if (until.text && until.regex) {
    return InvalidArgument("until: give 'text' or 'regex', not both");
  }
  int port = until.listening ? until.listening->number : 0;
  if (port < 0 || port > 65535) {
    return InvalidArgument(
        "until: 'listening' is a port from 1 to 65535 or true, not %d", port);
  }
  // All patterns are compiled before anything is waited for or typed.
  UntilCheck check(std::move(until));
  const Until& u = check.until_;
  if (u.text) check.wanted_ = Pattern::Literal(*u.text);
  if (u.regex) {
    ASSIGN_OR_RETURN(check.wanted_, Pattern::Compile(*u.regex));
  }
  if (u.stop) {
    ASSIGN_OR_RETURN(check.stop_, Pattern::Compile(*u.stop));
  }
  if (u.title) {
    ASSIGN_OR_RETURN(check.title_, Pattern::Compile(*u.title));
  }
  return check;
}

void UntilCheck::Begin(const session::SessionView* session,
                       record::ReadMark baseline,
                       const std::vector<std::string>& typed) {
  session_ = session;
  interests_.clear();
  fresh_.Begin(session, std::move(baseline), until_.on);
  for (const std::string& line : typed) fresh_.AddTyped(line);
  if (until_.gone) {
    gone_.emplace(*until_.gone);
    gone_->Look(session->terminal().TakeSnapshot());
  }
  bells_ = session->bell_count();
  titles_ = session->title_count();
  turns_ = session->person().visits().turns;
  tree_asked_ = session->listeners().asked();
  began_ = session->loop()->Now();
  // Already while a call types: the answer may come and go before its wait.
  for (const Condition& condition : kConditions) {
    bool is_text = condition.interest == session::Interest::kText;
    if (is_text && condition.IsGiven(until_)) Keep(session::Interest::kText);
  }
}

void UntilCheck::BeginWait(Time deadline) {
  deadline_ = deadline;
  for (const Condition& condition : kConditions) {
    if (!condition.IsGiven(until_)) continue;
    if (condition.interest) Keep(*condition.interest);
    // Whether it has settled, once it is found.
    bool settles = (condition.traits & Condition::kSettles) != 0;
    if (settles) Keep(session::Interest::kScreenState);
  }
}

std::optional<Reason> UntilCheck::Look(Time* again) {
  if (Verdict frame = session_->IsFrameWhole(); !frame.met) {
    *again = std::min(*again, frame.again);
    return std::nullopt;
  }
  if (!found_) found_ = LookAtConditions(again);
  bool late = session_->loop()->Now() >= deadline_;
  if (found_ && settling_.begun() && !settling_.IsOver(again) && !late) {
    return std::nullopt;
  }
  return found_;
}

std::optional<Reason> UntilCheck::LookAtConditions(Time* again) {
  auto looked = decltype(Condition::look){};
  for (const Condition& condition : kConditions) {
    if (!condition.IsGiven(until_) || condition.look == looked) continue;
    looked = condition.look;
    auto reason = (this->*looked)(again);
    if (!reason) continue;
    if ((condition.traits & Condition::kSettles) != 0 &&
        session_->DrawsScreens()) {
      settling_.Begin(session_);
    }
    return reason;
  }
  // Nothing more will come that could make it true.
  if (session_->finished()) return Reason{"exited", ""};
  return std::nullopt;
}

void UntilCheck::Observe() {
  if (!session_->IsFrameWhole().met) return;
  if (gone_) gone_->Look(session_->terminal().TakeSnapshot());
  bool text_wanted = wanted_ || stop_;
  Time again = Time::max();
  if (text_wanted && !observed_) observed_ = LookTexts(&again);
}

void UntilCheck::EndTyping() { began_ = session_->loop()->Now(); }

// Failure first: both may stand in the same piece.
std::optional<Reason> UntilCheck::LookTexts(Time*) {
  if (observed_) return observed_;
  fresh_.Refresh();
  std::optional<Reason> reason;
  if (stop_) reason = LookText(stop_, "stopped");
  if (!reason && wanted_) reason = LookText(wanted_, "matched");
  return reason;
}

std::optional<Reason> UntilCheck::LookText(
    const std::optional<Pattern>& pattern, std::string_view word) {
  auto found = fresh_.Find(*pattern);
  if (!found) return std::nullopt;
  matched_ = std::move(found->behind);
  return Reason{word, std::move(found->line)};
}

UntilCheck::Missed UntilCheck::DescribeMissed() const {
  std::vector<terminal::Line> lines = fresh_.AllLines();
  Missed missed;
  missed.lines =
      session_->terminal().modes().alternate_screen
          ? std::ssize(lines)
          : record::CountUnread(session_->terminal(), fresh_.baseline());
  for (const terminal::Line& line : lines) {
    if (!line.text.empty()) missed.last = line.text;
  }
  missed.nearest = NearestIn(lines);
  // What stands on the screen and was shown before is no match, but tells how
  // the text is spelt.
  if (missed.nearest.empty() && session_->DrawsScreens()) {
    lines.clear();
    for (const terminal::SnapshotRow& row :
         session_->terminal().TakeSnapshot().rows) {
      lines.push_back({.number = std::ssize(lines), .text = row.text});
    }
    missed.nearest = NearestIn(lines);
  }
  return missed;
}

std::string UntilCheck::NearestIn(
    const std::vector<terminal::Line>& lines) const {
  if (until_.text) return NearMissOfText(lines, *until_.text);
  if (until_.regex) return NearMissOfPattern(lines, *until_.regex);
  return "";
}

// A text that was never there may be on its way, or misspelt: when nothing
// comes any more, the wait is over and says so.
std::optional<Reason> UntilCheck::LookGone(Time* again) {
  switch (gone_->Look(session_->terminal().TakeSnapshot())) {
    case GoneText::Sight::kThere:
      return std::nullopt;
    case GoneText::Sight::kGone:
      return Reason{"gone", ""};
    case GoneText::Sight::kNever:
      break;
  }
  if (session_->HasUnfed()) return std::nullopt;
  Time due = std::max(session_->last_output(), began_) + kGoneQuiet;
  if (session_->loop()->Now() >= due) {
    return Reason{"gone", kNeverThere};
  }
  *again = std::min(*again, due);
  return std::nullopt;
}

std::optional<Reason> UntilCheck::LookState(Time* again) {
  auto state = session_->settled_state();
  if (!state) {
    // A flood never settles; look again when the next answer may be there.
    *again =
        std::min(*again, session_->loop()->Now() + session::Prober::kAgain);
    return std::nullopt;
  }
  bool wanted = std::find(until_.state.begin(), until_.state.end(),
                          state->activity) != until_.state.end();
  if (!wanted) return std::nullopt;
  return Reason{session::ActivityName(state->activity), ""};
}

std::optional<Reason> UntilCheck::LookQuiet(Time* again) {
  if (until_.quiet_needs_change && !Changed()) return std::nullopt;
  // A busy machine feeds a flood with pauses.
  if (session_->HasUnfed()) return std::nullopt;
  Time since = session_->last_output();
  // A program that was quiet before it was asked has not answered yet.
  if (until_.quiet_needs_change) since = std::max(since, began_);
  Time due = since + FromSeconds(*until_.quiet_s);
  if (session_->loop()->Now() >= due) return Reason{"quiet", ""};
  *again = std::min(*again, due);
  return std::nullopt;
}

bool UntilCheck::Changed() const {
  const terminal::Terminal& terminal = session_->terminal();
  const record::ReadMark& baseline = fresh_.baseline();
  return terminal.revision() != baseline.screen_revision ||
         terminal.lines_revision() != baseline.lines_revision;
}

std::optional<Reason> UntilCheck::LookChange(Time*) {
  if (!Changed()) return std::nullopt;
  return Reason{"change", ""};
}

std::optional<Reason> UntilCheck::LookBell(Time*) {
  if (session_->bell_count() == bells_) return std::nullopt;
  return Reason{"bell", ""};
}

std::optional<Reason> UntilCheck::LookTitle(Time*) {
  if (session_->title_count() == titles_) return std::nullopt;
  const std::string& title = session_->terminal().title();
  if (!title_->Find(title)) return std::nullopt;
  return Reason{"title", title};
}

std::optional<Reason> UntilCheck::LookPerson(Time*) {
  const session::Person& person = session_->person();
  bool visited = person.visits().turns != turns_;
  bool met = person.here() == (until_.person == PersonIs::kHere);
  if (until_.person == PersonIs::kVisited) met = met && visited;
  if (!met) return std::nullopt;
  return Reason{"person", ""};
}

std::optional<Reason> UntilCheck::LookLines(Time*) {
  // The last one has no end yet.
  int64_t last = session_->terminal().end_line() - 1;
  if (last - fresh_.baseline().line < *until_.lines) return std::nullopt;
  return Reason{"lines", ""};
}

std::optional<Reason> UntilCheck::LookListening(Time*) {
  const std::vector<session::ProcessInfo>* processes =
      session_->listeners().After(tree_asked_);
  if (processes == nullptr) return std::nullopt;
  for (const session::ProcessInfo& process : *processes) {
    for (int port : process.ports) {
      int wanted = until_.listening->number;
      if (wanted != 0 && port != wanted) continue;
      return Reason{"listening", absl::StrFormat("port %d: pid %d %s", port,
                                                 process.pid, process.command)};
    }
  }
  return std::nullopt;
}

}  // namespace glasstty::waits
