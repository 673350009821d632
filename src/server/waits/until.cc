// The conditions, in the order in which they are checked.
//
// While a program draws a synchronized frame, nothing is checked, because a
// person would not see a half-drawn frame. Text may be printed and erased
// within one piece of output, so during a wait for text, output is fed in
// moments (terminal/moment.h). A match on a screen is reported once that screen
// has settled (waits/settling.h).
#include "waits/until.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/clock.h"
#include "base/visible.h"
#include "session/streams.h"
#include "support/local_time.h"
#include "support/status.h"

namespace glasstty::waits {
namespace {

// The quiet time that term_send and term_open promise if they get no `until`.
constexpr Duration kDefaultQuiet = std::chrono::milliseconds(500);

// After input, a program may take this long to report that it works.
constexpr Duration kStatusPause = std::chrono::seconds(1);

// A program that draws screens draws what it has reported within this time.
// Claude Code draws a question 0.1 s after it reports that it is blocked (0.2 s
// on a busy machine), and does not take an earlier key as the answer.
constexpr Duration kStatusDrawn = std::chrono::milliseconds(300);

// If there is no output for this long, a wait for the disappearance of a text
// reports that the text was never there.
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

// The most informative conditions come first. The first three are checked
// together.
const UntilCheck::Condition UntilCheck::kConditions[] = {
    {"text", &Until::text, "Appears.", &UntilCheck::LookTexts,
     Condition::kSettles, session::Interest::kText},
    {"regex", &Until::regex, "RE2; ^ $ match per line.", &UntilCheck::LookTexts,
     Condition::kSettles, session::Interest::kText},
    {"stop", &Until::stop, "Give up at this RE2.", &UntilCheck::LookTexts,
     Condition::kSettles, session::Interest::kText},
    {"on", &Until::on,
     "Where to look for text, regex and stop: any, screen, output. "
     "In term_wait, screen includes what was seen.",
     nullptr, Condition::kUnlisted, std::nullopt},
    {"gone", &Until::gone, "Leaves the screen.", &UntilCheck::LookGone,
     Condition::kSettles, session::Interest::kText},
    {"title", &Until::title, "The title changes to match this RE2.",
     &UntilCheck::LookTitle, Condition::kUnlisted | Condition::kMoment,
     session::Interest::kText},
    {"bell", &Until::bell, "The bell rings.", &UntilCheck::LookBell,
     Condition::kUnlisted | Condition::kMoment, std::nullopt},
    {"change", &Until::change, "true or \"meaningful\".",
     &UntilCheck::LookChange, Condition::kSettles | Condition::kMoment,
     std::nullopt},
    {"lines", &Until::lines, "This many new lines have been printed.",
     &UntilCheck::LookLines, Condition::kUnlisted | Condition::kMoment,
     std::nullopt},
    {"person", &Until::person,
     "here: a person has the keyboard; gone: no longer.",
     &UntilCheck::LookPerson, Condition::kUnlisted, std::nullopt},
    {"listening", &Until::listening, "TCP port, or true: any.",
     &UntilCheck::LookListening, 0, session::Interest::kPorts},
    {"state", &Until::state,
     "prompt: a shell waits; input: any program; secret: a password prompt.",
     &UntilCheck::LookState, 0, session::Interest::kState},
    {"status", &Until::status,
     "What the program reports of itself (OSC 7501); blocked: it asks.",
     &UntilCheck::LookStatus, Condition::kUnlisted, std::nullopt},
    {"quiet_s", &Until::quiet_s, "Without output.", &UntilCheck::LookQuiet, 0,
     std::nullopt},
    {"still_s", &Until::still_s, "Stuck: no progress, though it spins.",
     &UntilCheck::LookStill, 0, std::nullopt},
    {"value", &Until::value,
     "A number: {regex with one group, below | above | changes_by}.",
     &UntilCheck::LookValue, Condition::kMoment, std::nullopt},
    {"event", &Until::event, "The next: end, question, error, of a watch.",
     nullptr, 0, std::nullopt},
};

std::span<const UntilCheck::Condition> UntilCheck::Conditions() {
  return kConditions;
}

namespace {

template <class T>
bool IsGivenValue(const std::optional<T>& value) {
  return value.has_value();
}
template <class T>
bool IsGivenValue(const std::vector<T>& values) {
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
  if (until.event) {
    return InvalidArgument(
        "until: 'event' is a condition of term_wait, and stands alone");
  }
  int port = until.listening ? until.listening->number : 0;
  if (port < 0 || port > 65535) {
    return InvalidArgument(
        "until: 'listening' is a port from 1 to 65535 or true, not %d", port);
  }
  // Compile all patterns before anything is typed or awaited.
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
  if (u.value) {
    ASSIGN_OR_RETURN(check.value_, Value::Compile(*u.value));
  }
  return check;
}

void UntilCheck::Begin(const session::Session* session, From from) {
  session_ = session;
  stays_ = from.stays;
  fresh_.Begin(session, std::move(from.baseline), until_.on);
  if (until_.gone) {
    gone_.emplace(*until_.gone);
    gone_->Look(session->output().terminal().TakeSnapshot());
  }
  bool is_about_movement =
      until_.still_s || until_.change == ChangeIs::kMeaningful;
  if (is_about_movement) {
    movement_.emplace();
    movement_->Begin(session, fresh_.baseline(), std::move(from.shown),
                     std::move(from.memory));
  }
  if (until_.change == ChangeIs::kAny) NoteSeen(from.shown);
  if (value_) value_->Begin(session, fresh_.baseline());
  for (std::string& line : from.typed) AddTyped(std::move(line));
  // Earlier calls may have typed lines that no line editor has read until now.
  uint64_t requests = session->output().terminal().paste_requests();
  for (const auto& ahead : session->input().ahead()) {
    if (ahead.paste_requests >= requests) AddTypedAhead(ahead);
  }
  bells_ = session->events().bell_count();
  titles_ = session->events().title_count();
  turns_ = session->person().visits().turns;
  tree_asked_ = session->questions().listeners().asked();
  answering_.Begin(session, /*asks=*/!stays_);
  if (from.just_opened) starting_.Begin(session);
  // The interest in texts is kept from here on, so that Observe sees them while
  // a call types: an answer may appear and disappear before the wait begins.
  for (const Condition& condition : kConditions) {
    bool is_text = condition.interest == session::Interest::kText && !stays_;
    if (is_text && condition.IsGiven(until_)) Keep(session::Interest::kText);
  }
}

void UntilCheck::BeginWait(Time deadline) {
  deadline_ = deadline;
  began_ = session_->loop()->Now();
  if (stays_) return;
  for (const Condition& condition : kConditions) {
    if (!condition.IsGiven(until_)) continue;
    if (condition.interest) Keep(*condition.interest);
    // Settling needs the state once the condition is met.
    bool settles = (condition.traits & Condition::kSettles) != 0;
    if (settles) Keep(session::Interest::kScreenState);
  }
}

Look UntilCheck::Check() {
  if (Look frame = session_->verdict().IsFrameWhole(); !frame.met())
    return frame;
  if (!found_) {
    Look look = LookAtConditions();
    if (!look.met()) return look;
    found_ = std::move(look.reason);
  }
  bool late = session_->loop()->Now() >= deadline_;
  if (settling_.begun() && !late) {
    Look settled = settling_.IsOver(&answering_);
    if (!settled.met()) return settled;
  }
  return *found_;
}

Look UntilCheck::LookAtConditions() {
  auto looked = decltype(Condition::look){};
  Look not_yet = false;
  for (const Condition& condition : kConditions) {
    if (!condition.IsGiven(until_) || condition.look == looked) continue;
    looked = condition.look;
    Look look = (this->*looked)();
    not_yet.again = std::min(not_yet.again, look.again);
    if (!look.met()) continue;
    if ((condition.traits & Condition::kSettles) != 0 &&
        session_->verdict().DrawsScreens()) {
      settling_.Begin(session_);
    }
    return look;
  }
  // After the end, nothing can come that would meet a condition.
  if (session_->finished()) return Reason{"exited", ""};
  return not_yet;
}

bool UntilCheck::IsOnlyEnd(const Reason& reason) const {
  return reason.word == "exited" && !IsWanted(session::Activity::kExited);
}

void UntilCheck::Observe() {
  if (!session_->verdict().IsFrameWhole().met()) return;
  if (gone_) gone_->Look(session_->output().terminal().TakeSnapshot());
  bool text_wanted = wanted_ || stop_;
  if (text_wanted && !observed_) observed_ = LookTexts().reason;
}

// Looks for failure first, because both patterns may match in the same piece.
Look UntilCheck::LookTexts() {
  if (observed_) return *observed_;
  fresh_.Refresh(&echo_);
  Look failed = LookText(stop_, "stopped");
  return failed.met() ? failed : LookText(wanted_, "matched");
}

Look UntilCheck::LookText(const std::optional<Pattern>& pattern,
                          std::string_view word) {
  if (!pattern) return false;
  auto found = fresh_.Find(*pattern);
  if (!found) return false;
  matched_ = std::move(found->behind);
  return Reason{word, std::move(found->line)};
}

// A text that was never there may still come, or be misspelt. After a while
// without output, the wait ends and reports that it was never there.
Look UntilCheck::LookGone() {
  switch (gone_->Look(session_->output().terminal().TakeSnapshot())) {
    case GoneText::Sight::kThere:
      return false;
    case GoneText::Sight::kGone:
      return Reason{"gone", ""};
    case GoneText::Sight::kNever:
      break;
  }
  if (session_->output().HasUnfed()) return false;
  Time due = std::max(session_->output().last_output(), began_) + kGoneQuiet;
  if (session_->loop()->Now() < due) return Look(false, due);
  return Reason{"gone", kNeverThere, Reason::Detail::kRemark};
}

bool UntilCheck::IsWanted(session::Activity activity) const {
  return std::find(until_.state.begin(), until_.state.end(), activity) !=
         until_.state.end();
}

Look UntilCheck::LookState() {
  auto state = session_->verdict().settled_state();
  // During a flood, no state is ever settled, so look again when the next probe
  // answer may have arrived.
  if (!state) {
    return Look(false, session_->questions().NextAnswer());
  }
  if (!IsWanted(state->activity)) return false;
  // A shell has started when it prints the mark of its prompt.
  bool is_seen = state->evidence == session::Evidence::kKernel;
  bool is_told = state->evidence == session::Evidence::kShell;
  if (!is_told) {
    if (Look started = starting_.IsOver(); !started.met()) return started;
  }
  bool is_guess = state->evidence == session::Evidence::kGuess;
  if (is_guess && until_.quiet_needs_change) {
    NoteRest();
    if (Look rested = HasRested(); !rested.met()) return rested;
  }
  if (is_seen) {
    if (Look answered = answering_.IsOver(); !answered.met()) return answered;
  }
  return Reason{session::ActivityName(state->activity), ""};
}

// A report from before the last input is about earlier work, unless no newer
// report comes for a while.
Look UntilCheck::LookStatus() {
  const terminal::ProgramStatus* status = session_->verdict().ReportedStatus();
  bool is_wanted =
      status != nullptr && std::find(until_.status.begin(), until_.status.end(),
                                     status->state) != until_.status.end();
  if (!is_wanted) return false;
  Time typed = session_->input().typing().at;
  Time due = typed + kStatusPause;
  bool is_new = session_->events().status_at() >= typed;
  if (!is_new && session_->loop()->Now() < due) return Look(false, due);
  if (Look drawn = IsStatusDrawn(*status); !drawn.met()) return drawn;
  return Reason{"status", terminal::StatusWord(*status)};
}

Look UntilCheck::IsStatusDrawn(const terminal::ProgramStatus& status) const {
  // The work may be over before it is drawn.
  bool works = status.state == terminal::ProgramState::kWorking;
  if (works || !session_->verdict().DrawsScreens()) return true;
  Time due = session_->events().status_at() + kStatusDrawn;
  due = std::min(due, deadline_);
  return Look(session_->loop()->Now() >= due, due);
}

Look UntilCheck::LookQuiet() {
  if (until_.quiet_needs_change && !IsDrawn()) return false;
  if (until_.quiet_needs_change) NoteRest();
  // On a busy machine, a flood is fed with pauses, which are not quiet time.
  if (session_->output().HasUnfed()) return false;
  Time since = session_->output().last_output();
  // A program that was quiet before the wait may not have answered yet.
  if (until_.quiet_needs_change) since = std::max(since, began_);
  Time due = since + FromSeconds(*until_.quiet_s);
  if (session_->loop()->Now() < due) return Look(false, due);
  if (Look started = starting_.IsOver(); !started.met()) return started;
  if (until_.quiet_needs_change) {
    if (Look rested = HasRested(); !rested.met()) return rested;
  }
  // On a busy machine, LookState may see the state only after the quiet time.
  session::Activity last = session_->verdict().LastState().activity;
  if (until_.quiet_needs_change && IsWanted(last)) {
    if (Look prompt = answering_.HasPrompt(); !prompt.met()) return prompt;
  }
  // While LookState waits for more drawing, the screen is not the answer yet.
  auto state = session_->verdict().settled_state();
  if (until_.quiet_needs_change && state && IsWanted(state->activity)) {
    return LookState();
  }
  return Reason{"quiet", ""};
}

// A program that reads single keys, and has computed since the last key, will
// draw: the libraries of a completion, for example, take seconds to load. While
// they load, its threads wait for each other and for the disk, so a single look
// that finds the program at rest proves nothing, and on a busy machine looks
// come late.
void UntilCheck::NoteRest() {
  const wire::ProbeAnswer* answer = session_->questions().prober().fresh();
  if (answer == nullptr) return;
  bool computes =
      !answer->canonical &&
      (answer->waiting == wire::Waiting::kRunning || answer->active != 0);
  if (computes) {
    rests_since_.reset();
  } else if (!rests_since_) {
    rests_since_ = session_->loop()->Now();
  }
}

Look UntilCheck::HasRested() const {
  const session::InputQueue::Typing& typing = session_->input().typing();
  Time now = session_->loop()->Now();
  if (typing.ran_before || now >= typing.at + Answering::kLongComputation) {
    return true;
  }
  return Look(rests_since_ && now >= *rests_since_ + Answering::kPause,
              session_->questions().NextAnswer());
}

bool UntilCheck::IsDrawn() const {
  const terminal::Terminal& terminal = session_->output().terminal();
  const record::ReadMark& baseline = fresh_.baseline();
  return terminal.revision() != baseline.screen_revision ||
         session::LinesRevision(*session_) !=
             baseline.lines_revision + baseline.errors.lines_revision;
}

// If the caller has not seen the whole screen, seen_ stays null.
void UntilCheck::NoteSeen(const std::vector<std::string>& shown) {
  const terminal::Terminal& terminal = session_->output().terminal();
  terminal::Snapshot screen = terminal.TakeSnapshot();
  auto text = [](const terminal::SnapshotRow& row) -> const std::string& {
    return row.text;
  };
  // Lines behind the alternate screen may stay unread for as long as it is
  // shown.
  bool is_read = screen.alternate ||
                 session::CountUnread(*session_, fresh_.baseline()) == 0;
  bool is_seen = !IsDrawn() ||
                 (is_read && std::ranges::equal(screen.rows, shown, {}, text));
  if (!is_seen) return;
  seen_ = std::move(screen);
  seen_end_ = terminal.end_line();
  if (session_->errors() != nullptr) {
    seen_errors_ = session_->errors()->terminal().lines_revision();
  }
}

bool UntilCheck::Changed() const {
  if (!IsDrawn()) return false;
  if (!seen_) return true;
  const terminal::Terminal& terminal = session_->output().terminal();
  terminal::Snapshot screen = terminal.TakeSnapshot();
  // Programs only append to stderr, so a new revision means new text there.
  bool has_errors =
      session_->errors() != nullptr &&
      session_->errors()->terminal().lines_revision() != seen_errors_;
  return has_errors || terminal.end_line() != seen_end_ ||
         screen.alternate != seen_->alternate || screen.rows != seen_->rows;
}

Look UntilCheck::LookChange() {
  if (until_.change == ChangeIs::kAny) {
    if (!Changed()) return false;
    return Reason{"change", ""};
  }
  Time again = movement_->Refresh();
  if (!movement_->matter()) return Look(false, again);
  matched_ = movement_->behind();
  return Reason{"change", *movement_->matter()};
}

Look UntilCheck::LookStill() {
  Time again = movement_->Refresh();
  if (session_->output().HasUnfed()) return Look(false, again);
  Time now = session_->loop()->Now();
  Time since = std::max(movement_->moved_at(), began_);
  Time due = since + FromSeconds(*until_.still_s);
  if (now < due) return Look(false, std::min(again, due));
  // A caller that looks after a job waits repeatedly for a meaningful change or
  // stillness, and is told only once that the job stands still.
  bool looks_after = until_.change == ChangeIs::kMeaningful && !stays_;
  if (looks_after && movement_->IsStillnessTold()) return Look(false, again);
  movement_->TellStillness(now);
  auto still_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(now - since);
  std::string since_when = ClockText(WallMilliseconds() - still_ms.count());
  return Reason{"still", "nothing new since " + since_when,
                Reason::Detail::kRemark};
}

Look UntilCheck::LookValue() {
  Time again = value_->Refresh(&echo_);
  if (!value_->found()) return Look(false, again);
  matched_ = value_->behind();
  return Reason{"value", *value_->found()};
}

Look UntilCheck::LookBell() {
  if (session_->events().bell_count() == bells_) return false;
  return Reason{"bell", ""};
}

Look UntilCheck::LookTitle() {
  if (session_->events().title_count() == titles_) return false;
  const std::string& title = session_->output().terminal().title();
  if (!title_->Find(title)) return false;
  return Reason{"title", title};
}

Look UntilCheck::LookPerson() {
  const session::Person& person = session_->person();
  bool visited = person.visits().turns != turns_;
  bool met = person.here() == (until_.person == PersonIs::kHere);
  if (until_.person == PersonIs::kVisited) met = met && visited;
  if (!met) return false;
  return Reason{"person", ""};
}

Look UntilCheck::LookLines() {
  if (echo_.pending()) fresh_.Refresh(&echo_);
  int64_t lines = 0;
  for (const session::Output* stream : session::StreamsOf(*session_)) {
    // The last line has no end yet.
    int64_t last = stream->terminal().end_line() - 1;
    int64_t first = session::MarkOf(*session_, *stream, fresh_.baseline()).line;
    lines += last - first;
    bool has_echo = stream == &session_->output();
    if (has_echo) lines -= echo_.CountLines(first, last);
  }
  if (lines < *until_.lines) return false;
  matched_ = session::MarkNow(*session_);
  return Reason{"lines", ""};
}

Look UntilCheck::LookListening() {
  const std::vector<session::ProcessInfo>* processes =
      session_->questions().listeners().After(tree_asked_);
  if (processes == nullptr) return false;
  for (const session::ProcessInfo& process : *processes) {
    for (int port : process.ports) {
      int wanted = until_.listening->number;
      if (wanted != 0 && port != wanted) continue;
      return Reason{"listening",
                    absl::StrFormat("port %d: pid %d %s", port, process.pid,
                                    Quoted(process.command)),
                    Reason::Detail::kFact};
    }
  }
  return false;
}

}  // namespace glasstty::waits
