// How a wait looks for text without missing or inventing any.
//
// *Fresh text.* Patterns are matched against text, and the text must be what
// the program has printed since the baseline: no more, for a match in what the
// agent has seen already would end the wait at once; no less, for a line may be
// there for a moment only. After each piece of output (at most 4 KiB) the lines
// that are new or rewritten since the last look are put together and matched. A
// few lines of context go before them, because a pattern may span lines and its
// first half may have come with the last piece. So each look costs what has
// changed, not what has been printed since the wait began.
//
// Text may be printed and erased within one piece, so a wait for text has
// pieces fed in moments (terminal/moment.h). While a program draws a
// synchronized frame nobody looks: what a person would not see is not matched.
//
// *Screen.* On the primary screen the lines are what a person sees. On the
// alternate screen no lines exist, so the rows that changed since the baseline
// are used.
//
// *Line ends.* A prompt is "$ " or "$" to whoever waits for it, so that a
// pattern may match with the blanks at the end of a line or without them.
//
// *Echo.* What was typed is taken off the lines first (waits/echo.h).
#include "waits/until.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "support/status.h"
#include "support/text.h"

namespace glasstty {
namespace {

// What term_send and term_open promise when they are given no `until`.
constexpr Duration kDefaultQuiet = std::chrono::milliseconds(500);

// A pattern may span lines: this many before the new ones are looked at again.
constexpr int64_t kContextLines = 3;
// Of a typed line that a shell has wrapped.
constexpr int64_t kEchoLines = 20;

// The whole line around a match, for the reply.
std::string LineAround(std::string_view text, const Pattern::Match& match) {
  size_t begin = match.begin == 0 ? std::string_view::npos
                                  : text.rfind('\n', match.begin - 1);
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  size_t end = text.find('\n', match.end);
  return std::string(TrimLineEnd(text.substr(begin, end - begin)));
}

// All lines without what nobody sees at their ends; "" when nothing changes.
std::string TrimLineEnds(std::string_view text) {
  std::string trimmed;
  size_t size = text.size();
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size() - 1);
    trimmed += TrimLineEnd(text.substr(0, end));
    trimmed += '\n';
    text.remove_prefix(end + 1);
  }
  return trimmed.size() == size ? "" : trimmed;
}

}  // namespace

bool Until::empty() const {
  return !text && !regex && !gone && !stop && state.empty() && !quiet_s &&
         !change && !bell && !title && !listening;
}

Until DefaultUntil() {
  Until until;
  until.state = {Activity::kPrompt, Activity::kInput, Activity::kSecret,
                 Activity::kExited};
  until.quiet_s = std::chrono::duration<double>(kDefaultQuiet).count();
  until.quiet_needs_change = true;
  return until;
}

// One row per condition, in the order in which they are asked: what tells most
// first.
struct UntilCheck::Condition {
  bool (*wanted)(const Until&);
  std::optional<Reason> (*look)(UntilCheck*, Time* again);
};
const UntilCheck::Condition UntilCheck::kConditions[] = {
    {[](const Until& u) { return u.stop || u.text || u.regex; },
     [](UntilCheck* c, Time*) { return c->LookTexts(); }},
    {[](const Until& u) { return u.gone.has_value(); },
     [](UntilCheck* c, Time*) { return c->LookGone(); }},
    {[](const Until& u) { return u.title.has_value(); },
     [](UntilCheck* c, Time*) { return c->LookTitle(); }},
    {[](const Until& u) { return u.bell; },
     [](UntilCheck* c, Time*) { return c->LookBell(); }},
    {[](const Until& u) { return u.change; },
     [](UntilCheck* c, Time*) { return c->LookChange(); }},
    {[](const Until& u) { return u.listening.has_value(); },
     [](UntilCheck* c, Time* again) { return c->LookListening(again); }},
    {[](const Until& u) { return !u.state.empty(); },
     [](UntilCheck* c, Time* again) { return c->LookState(again); }},
    {[](const Until& u) { return u.quiet_s.has_value(); },
     [](UntilCheck* c, Time* again) { return c->LookQuiet(again); }},
};

absl::StatusOr<UntilCheck> UntilCheck::Compile(Until until) {
  if (until.text && until.regex) {
    return InvalidArgument("until: give 'text' or 'regex', not both");
  }
  if (until.listening && (*until.listening < 0 || *until.listening > 65535)) {
    return InvalidArgument(
        "until: 'listening' is a port from 1 to 65535 or true, not %d",
        *until.listening);
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

void UntilCheck::Begin(Session* session, ReadMark baseline,
                       const std::vector<std::string>& typed) {
  session_ = session;
  if (wanted_ || stop_ || title_ || until_.gone)
    close_look_ = session->LookClosely();
  scanned_line_ = baseline.line;
  scanned_revision_ = baseline.lines_revision;
  baseline_ = std::move(baseline);
  for (const std::string& line : typed) echo_.Add(line);
  bells_ = session->bell_count();
  titles_ = session->title_count();
  tree_asked_ = session->listeners()->asked();
  began_ = session->loop()->Now();
}

std::optional<Reason> UntilCheck::Look(Time* again) {
  if (Verdict frame = session_->IsFrameWhole(); !frame.met) {
    *again = std::min(*again, frame.again);
    return std::nullopt;
  }
  for (const Condition& condition : kConditions) {
    if (!condition.wanted(until_)) continue;
    if (auto reason = condition.look(this, again)) return reason;
  }
  // Nothing more will come that could make it true.
  if (session_->finished()) return Reason{"exited", ""};
  return std::nullopt;
}

void UntilCheck::Observe() {
  bool text_wanted = wanted_ || stop_;
  if (!text_wanted || observed_ || !session_->IsFrameWhole().met) return;
  observed_ = LookTexts();
}

void UntilCheck::EndTyping() { began_ = session_->loop()->Now(); }

// Failure first: both may stand in the same piece.
std::optional<Reason> UntilCheck::LookTexts() {
  if (observed_) return observed_;
  RefreshText();
  std::optional<Reason> reason;
  if (stop_) reason = LookText(stop_, "stopped");
  if (!reason && wanted_) reason = LookText(wanted_, "matched");
  return reason;
}

void UntilCheck::RefreshText() {
  const Terminal& terminal = session_->terminal();
  // Both only rise, so their sum changes with either.
  uint64_t revision = terminal.lines_revision() + terminal.revision();
  const Terminal* errors = session_->errors();
  if (errors != nullptr) revision += errors->lines_revision();
  if (revision == text_revision_) return;
  text_revision_ = revision;
  fresh_text_.clear();
  bool alternate = terminal.modes().alternate_screen;
  if (until_.on != MatchOn::kScreen) AppendOutput();
  // On the primary screen the rows are the lines.
  bool screen = until_.on == MatchOn::kScreen ||
                (until_.on == MatchOn::kAny && alternate);
  if (screen) AppendScreen();
  trimmed_text_ = TrimLineEnds(fresh_text_);
}

void UntilCheck::AppendOutput() {
  const Terminal& terminal = session_->terminal();
  ReadMark scan = baseline_;
  // The first scan, and those near the baseline, start at the baseline, which
  // knows how much of its line was shown.
  // An echo that wraps is looked for from its beginning.
  int64_t context =
      scanned_line_ - 1 - (echo_.pending() ? kEchoLines : kContextLines);
  if (context > baseline_.line) {
    scan.line = context;
    // What was shown of the baseline's line says nothing about this one.
    scan.shown.clear();
    scan.lines_revision = scanned_revision_;
  }
  std::vector<Line> lines = UnreadLines(terminal, scan);
  echo_.Strip(&lines, terminal.cursor_line(), terminal.size().cols);
  for (const Line& line : lines) {
    fresh_text_ += line.text;
    fresh_text_ += '\n';
  }
  if (const Terminal* errors = session_->errors(); errors != nullptr) {
    int64_t from =
        std::max(baseline_.error_lines, scanned_error_line_ - kContextLines);
    for (const Line& line : errors->Lines(from, errors->end_line())) {
      fresh_text_ += line.text + '\n';
    }
    scanned_error_line_ = errors->cursor_line();
  }
  // The last line may still grow, so it is scanned again.
  scanned_line_ = std::max<int64_t>(terminal.end_line() - 1, baseline_.line);
  scanned_revision_ = terminal.lines_revision();
}

void UntilCheck::AppendScreen() {
  Snapshot snapshot =
      session_->terminal().TakeSnapshot(baseline_.screen_revision);
  // Since the baseline and not since the last look: a row that has been there
  // all the time may match together with one that is new.
  std::vector<Line> rows, at_cursor;
  for (size_t i = 0; i < snapshot.rows.size(); ++i) {
    SnapshotRow& row = snapshot.rows[i];
    if (!row.changed) continue;
    rows.push_back(
        {.number = static_cast<int64_t>(i), .text = std::move(row.text)});
    if (rows.back().number == snapshot.cursor.row) at_cursor = {rows.back()};
  }
  // A copy, for rows have no place by which an echo could be remembered. A
  // program that reads keys shows them at its cursor, so that row comes first.
  EchoFilter echo = echo_;
  echo.Strip(&at_cursor, snapshot.cursor.row, snapshot.size.cols);
  echo.Strip(&rows, snapshot.cursor.row, snapshot.size.cols);
  for (const Line& row : rows) {
    fresh_text_ += row.text;
    fresh_text_ += '\n';
  }
}

std::optional<Reason> UntilCheck::LookText(
    const std::optional<Pattern>& pattern, std::string_view word) {
  for (const std::string* text : {&fresh_text_, &trimmed_text_}) {
    if (text == &trimmed_text_ && text->empty()) break;
    auto match = pattern->Find(*text);
    if (match) return Reason{word, LineAround(*text, *match)};
  }
  return std::nullopt;
}

bool UntilCheck::ScreenHas(std::string_view text) const {
  Snapshot snapshot = session_->terminal().TakeSnapshot();
  return std::any_of(snapshot.rows.begin(), snapshot.rows.end(),
                     [&](const auto& row) {
                       return row.text.find(text) != std::string::npos;
                     });
}

std::optional<Reason> UntilCheck::LookGone() {
  if (ScreenHas(*until_.gone)) return std::nullopt;
  return Reason{"gone", ""};
}

std::optional<Reason> UntilCheck::LookState(Time* again) {
  auto state = session_->FreshState();
  if (!state) {
    // A flood never settles; look again when the next answer may be there.
    *again = std::min(*again, session_->loop()->Now() + Prober::kAgain);
    return std::nullopt;
  }
  bool wanted = std::find(until_.state.begin(), until_.state.end(),
                          state->activity) != until_.state.end();
  if (!wanted) return std::nullopt;
  return Reason{ActivityName(state->activity), ""};
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
  const Terminal& terminal = session_->terminal();
  return terminal.revision() != baseline_.screen_revision ||
         terminal.lines_revision() != baseline_.lines_revision;
}

std::optional<Reason> UntilCheck::LookChange() {
  if (!Changed()) return std::nullopt;
  return Reason{"change", ""};
}

std::optional<Reason> UntilCheck::LookBell() {
  if (session_->bell_count() == bells_) return std::nullopt;
  return Reason{"bell", ""};
}

std::optional<Reason> UntilCheck::LookTitle() {
  if (session_->title_count() == titles_) return std::nullopt;
  const std::string& title = session_->terminal().title();
  if (!title_->Find(title)) return std::nullopt;
  return Reason{"title", title};
}

std::optional<Reason> UntilCheck::LookListening(Time* again) {
  Listeners* listeners = session_->listeners();
  listeners->Want();
  *again = std::min(*again, listeners->next());
  const std::vector<ProcessInfo>* processes = listeners->After(tree_asked_);
  if (processes == nullptr) return std::nullopt;
  for (const ProcessInfo& process : *processes) {
    for (int port : process.ports) {
      if (*until_.listening != 0 && port != *until_.listening) continue;
      return Reason{"listening", absl::StrFormat("port %d: pid %d %s", port,
                                                 process.pid, process.command)};
    }
  }
  return std::nullopt;
}

}  // namespace glasstty
