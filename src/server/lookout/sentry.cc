// A look has these parts, in this order: the ends of commands; new lines, or
// the rows of a screen; then the end of the program or, while it lives, its
// state, its stillness and the watches. A part that must look again even
// without a change returns the time for that.
//
// After a crash, the next server examines the last lines again. A line causes
// an event only if it comes after the line of the watch's last event and, for a
// built-in watch, if the earlier server's reader had not read it.
#include "lookout/sentry.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "base/fd.h"
#include "base/visible.h"
#include "motion/shape.h"
#include "motion/weight.h"
#include "session/streams.h"
#include "support/status.h"
#include "support/text.h"
#include "terminal/screen_lines.h"

namespace glasstty::lookout {

using session::Activity;

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr char kWatchesFile[] = "watches";
constexpr size_t kMostWatchesFile = 256 << 10;
constexpr size_t kMostText = 200;  // code points
constexpr size_t kMostName = 40;
// Lines are examined in slices of Loop::kBudget. With this pause between
// slices, that takes about 1 % of the processor at most. Lines that a flood
// pushes out of the scrollback meanwhile are missed.
constexpr Duration kLinesPause = milliseconds(50);
constexpr int64_t kLinesAtOnce = 64;
// The number of lines that are examined again after a crash.
constexpr int64_t kLinesAgain = 2'000;
// If a program's state does not settle in this time, its last known state is
// used.
constexpr Duration kStatePatience = seconds(2);
// A program that stops asking for less than this, although nothing was typed,
// asks the same question again. It covers two looks at a busy program.
constexpr Duration kSameQuestion = seconds(15);
// During a flood, each UntilCheck is called only this often.
constexpr Duration kFloodPace = seconds(5);
// The keys of failures in rows of a screen, in rewritten lines and on stderr
// begin here. Other failures have the numbers of their lines as keys.
constexpr uint64_t kBeyondLines = uint64_t{1} << 40;
// IsCommandLine examines only this many of the last commands.
constexpr ptrdiff_t kMostPrompts = 100;

}  // namespace

absl::Status CheckWatchName(const std::string& name) {
  bool is_fit = !name.empty() && name.size() <= kMostName && !IsBuiltIn(name);
  if (is_fit) return absl::OkStatus();
  return InvalidArgument(
      "watch: the name %s cannot be used; choose 1 to %d bytes, but not ended, "
      "asks, still or error, which every session has",
      Quoted(name), kMostName);
}

Sentry::Sentry(session::SessionRef session, const Surroundings* surroundings)
    : session_(std::move(session)),
      surroundings_(surroundings),
      timer_(session_->loop(), [this] {
        due_ = Time::max();
        Look();
      }) {
  session_->SetSentry([this] { Changed(); });
  LookAt(session_->loop()->Now() + kPace);
}

Sentry::~Sentry() { session_->SetSentry(nullptr); }

EventLog* Sentry::log() {
  if (!log_) log_.emplace(session_.get());
  return &*log_;
}

// Runs for each piece of output, so it does as little as possible. An answer
// about the state is looked at immediately, because it is soon out of date.
void Sentry::Changed() {
  if (has_ended_) return;
  bool is_answered =
      interest_ != nullptr && session_->verdict().settled_state().has_value();
  Time now = session_->loop()->Now();
  LookAt(is_answered ? now : now + kPace);
}

void Sentry::LookAt(Time due) {
  if (due >= due_) return;
  due_ = due;
  timer_.Set(due);
}

void Sentry::Begin() {
  begun_ = true;
  Time now = session_->loop()->Now();
  const terminal::Terminal& terminal = session_->output().terminal();
  moved_ = judged_ = now;
  int64_t from =
      std::max(terminal.first_line(), terminal.cursor_line() - kLinesAgain);
  scan_.Begin(terminal,
              {.lines_revision = terminal.lines_revision(), .line = from});
  if (const session::Output* errors = session_->errors()) {
    // An earlier server has examined the lines that were there.
    bool is_adopted = errors->inherited_mark().offset > 0;
    errors_scan_.Begin(
        errors->terminal(),
        {.lines_revision = errors->terminal().lines_revision(),
         .line = is_adopted ? errors->terminal().cursor_line() : 0});
  }
  for (const Event& event : log()->events()) {
    still_told_ = event.watch == kStill;
    if (event.watch == kEnded) {
      commands_ = std::max(commands_, static_cast<int64_t>(event.key));
    }
    if (event.watch != kError) continue;
    failures_.Add(event.text);
    told_line_ = std::max(told_line_, event.line);
  }
  TakeStillness(now);
  rows_revision_ = terminal.revision();
  ReadWatches();
}

void Sentry::Look() {
  if (session_->output().replaying()) return;
  if (!begun_) Begin();
  Time now = session_->loop()->Now();
  LookAtEnds();
  Time next = LookAtLines(now);
  next = std::min(next, LookAtRows(now));
  NoteHits(now);
  if (session_->finished()) {
    interest_.reset();
    if (next != Time::max()) return LookAt(next);
    NoteExit();
    has_ended_ = true;
    surroundings_->tell(*session_, nullptr);
    return;
  }
  next = std::min(next, LookAtState(now));
  next = std::min(next, LookForStillness(now));
  next = std::min(next, LookAtWatches(now));
  if (next != Time::max()) LookAt(std::max(next, now + milliseconds(1)));
}

// ---- ends

void Sentry::LookAtEnds() {
  const record::CommandLog& commands = session_->events().commands();
  while (commands_ < commands.started()) {
    const record::CommandBlock* command = commands.Find(commands_ + 1);
    if (command != nullptr && !command->finished) return;
    ++commands_;
    if (command != nullptr && command->trusted) NoteEndOf(*command);
  }
}

void Sentry::NoteEndOf(const record::CommandBlock& command) {
  // A command without times was replayed. It counts as a long one if the
  // earlier server's reader had not reached its end.
  bool is_long =
      command.end_offset > session_->output().inherited_mark().offset;
  std::string text = "the command " + Quoted(command.text) + " has ended";
  if (command.exit_status) {
    text += absl::StrFormat(", exit=%d", *command.exit_status);
  }
  if (command.started && command.ended) {
    is_long = *command.ended - *command.started >= kLong;
    text += absl::StrFormat(", %.1fs", std::chrono::duration<double>(
                                           *command.ended - *command.started)
                                           .count());
  }
  NoteBuiltIn({.watch = kEnded,
               .text = std::move(text),
               .key = static_cast<uint64_t>(command.number)},
              is_long);
}

// The end of a session that was closed on request is not an event.
void Sentry::NoteExit() {
  if (session_->life().close_asked()) return;
  std::string how = "its status is lost";
  if (session_->verdict().exited()) {
    how = "exit=" + session::ExitText(session_->life().exit_status());
  }
  bool is_long = WallMilliseconds() - session_->origin().started_ms >=
                 std::chrono::duration_cast<milliseconds>(kLong).count();
  NoteBuiltIn({.watch = kEnded, .text = "the program has ended, " + how},
              is_long);
}

// ---- lines and rows

Time Sentry::LookAtLines(Time now) {
  LookAtRewritten();
  Time next = LookAtNew(session_->output(), &scan_, now);
  const session::Output* errors = session_->errors();
  if (errors == nullptr) return next;
  return std::min(next, LookAtNew(*errors, &errors_scan_, now));
}

Time Sentry::LookAtNew(const session::Output& stream, waits::LineScan* scan,
                       Time now) {
  const terminal::Terminal& terminal = stream.terminal();
  // The cursor's line may be incomplete.
  int64_t end =
      session_->finished() ? terminal.end_line() : terminal.cursor_line();
  scan->SkipTo(terminal.first_line());
  while (scan->next() < end) {
    int64_t to = std::min(scan->next() + kLinesAtOnce, end);
    for (terminal::Line& line : scan->TakeNew(terminal, to)) {
      scan == &scan_ ? TakeLine(line) : TakeErrorLine(std::move(line));
    }
    Time time = session_->loop()->Now();
    if (time - now > Loop::kBudget && to < end) return time + kLinesPause;
  }
  return Time::max();
}

// While the program draws screens, LookAtRows examines its rows instead.
void Sentry::LookAtRewritten() {
  const terminal::Terminal& terminal = session_->output().terminal();
  int64_t open = session_->finished() ? -1 : terminal.cursor_line();
  std::vector<terminal::Line> rewritten = scan_.TakeRewritten(terminal, open);
  if (rewritten.empty() || session_->verdict().DrawsScreens()) return;
  std::vector<std::string> rows;
  for (const terminal::Line& line :
       terminal.Lines(scan_.next() - terminal.size().rows, scan_.next())) {
    if (line.number != open && !IsCommandLine(line.number)) {
      rows.push_back(line.text);
    }
  }
  for (auto& [name, named] : watches_) named.watch.TakeRows(rows);
  for (const terminal::Line& line : rewritten) {
    bool is_found = std::any_of(watches_.begin(), watches_.end(),
                                [&line](const auto& named) {
                                  return named.second.watch.Matches(line.text);
                                });
    is_found ? (void)IsNewFailure(line) : TakeFailure(line, true);
  }
}

// Returns whether a command was typed in this line, behind a prompt.
bool Sentry::IsCommandLine(int64_t line) const {
  if (line < 0) return false;  // a line of stderr
  const auto& blocks = session_->events().commands().blocks();
  auto from = blocks.end() - std::min(std::ssize(blocks), kMostPrompts);
  return std::any_of(from, blocks.end(), [line](const auto& block) {
    return block.output.line == line + 1 ||
           (block.output.line == line && block.output.bytes > 0);
  });
}

// A failure that a watch has found is not recorded again as a built-in event.
void Sentry::TakeLine(const terminal::Line& line) {
  bool is_found = false;
  for (auto& [name, named] : watches_) {
    is_found |= line.number >= named.from && !IsCommandLine(line.number) &&
                named.watch.TakeLine(line);
  }
  is_found ? (void)IsNewFailure(line) : TakeFailure(line, false);
}

// Events have line numbers of stdout only.
void Sentry::TakeErrorLine(terminal::Line line) {
  line.number = -1;
  bool is_found = false;
  for (auto& [name, named] : watches_) is_found |= named.watch.TakeLine(line);
  is_found ? (void)IsNewFailure(line) : TakeFailure(line, true);
}

bool Sentry::IsNewFailure(const terminal::Line& line) {
  bool is_failure = motion::MayWeigh(line.text) &&
                    motion::WeightOf(line.text) == motion::Weight::kFailure;
  return is_failure && !IsCommandLine(line.number) &&
         failures_.Add(line.text).is_new;
}

void Sentry::TakeFailure(const terminal::Line& line, bool may_repeat) {
  bool is_new = IsNewFailure(line) && (may_repeat || line.number > told_line_);
  if (!is_new) return;
  Event event{.watch = kError,
              .text = line.text,
              .key = static_cast<uint64_t>(line.number),
              .line = line.number};
  if (may_repeat) {
    // The line may be rewritten again to report another failure.
    event.key = kBeyondLines + line.revision;
    event.line_revision = line.revision;
  }
  NoteBuiltIn(std::move(event), /*even_if_known=*/false);
}

Time Sentry::LookAtRows(Time now) {
  const terminal::Terminal& terminal = session_->output().terminal();
  uint64_t before = std::exchange(rows_revision_, terminal.revision());
  if (session_->finished() || !session_->verdict().DrawsScreens()) {
    failing_rows_.clear();
    return Time::max();
  }
  if (before == rows_revision_ && failing_rows_.empty()) return Time::max();
  std::vector<std::string> rows;
  for (terminal::ScreenLine& line :
       terminal::ScreenLines(terminal.TakeSnapshot())) {
    rows.push_back(std::move(line.text));
  }
  if (before != rows_revision_) {
    for (auto& [name, named] : watches_) named.watch.TakeRows(rows);
  }
  return TakeFailingRows(rows, now);
}

Time Sentry::TakeFailingRows(const std::vector<std::string>& rows, Time now) {
  std::unordered_map<size_t, Time> failing;
  Time next = Time::max();
  for (const std::string& row : rows) {
    if (motion::WeightOf(row) != motion::Weight::kFailure) continue;
    size_t shape = std::hash<std::string>()(motion::ShapeOf(row));
    auto stands = failing_rows_.find(shape);
    Time since = stands == failing_rows_.end() ? now : stands->second;
    failing[shape] = since;
    Time due = since + kRowStands;
    if (now < due || !state_)
      next = std::min(next, std::max(due, now + kQuiet));
    // Editors and pagers, which wait for input, may show any text.
    bool counts = now >= due && state_ == Activity::kBusy;
    bool is_found = std::any_of(
        watches_.begin(), watches_.end(),
        [&row](const auto& named) { return named.second.watch.Matches(row); });
    if (!counts || !failures_.Add(row).is_new || is_found) continue;
    NoteBuiltIn({.watch = kError,
                 .text = row,
                 .key = kBeyondLines + shape % kBeyondLines},
                /*even_if_known=*/false);
  }
  failing_rows_ = std::move(failing);
  return next;
}

// ---- what the program does

Time Sentry::LookAtState(Time now) {
  const session::Output& output = session_->output();
  uint64_t at = output.feed().consumed();
  Time due = Time::max();
  if (at != judged_at_) {
    due = std::min(output.last_output() + kQuiet, judged_ + kStillPace);
  } else if (state_ == Activity::kBusy && !still_told_) {
    due = judged_ + kBusyPace;
  }
  if (now < due) {
    interest_.reset();
    return due;
  }
  if (interest_ == nullptr) {
    // During a flood, an answer would be out of date when it arrives.
    if (output.IsFlooding()) return now + kStillPace;
    interest_ = session_->questions().Keep(session::Interest::kState);
    asked_ = now;
  }
  auto state = session_->verdict().settled_state();
  if (!state && now < asked_ + kStatePatience) return asked_ + kStatePatience;
  interest_.reset();
  Activity activity =
      state ? state->activity : session_->verdict().LastState().activity;
  bool is_new = at != std::exchange(judged_at_, at) || activity != state_;
  judged_ = now;
  if (is_new) TakeState(activity, now);
  return activity == Activity::kBusy ? now + kBusyPace : Time::max();
}

void Sentry::TakeState(Activity state, Time now) {
  std::optional<Activity> before = std::exchange(state_, state);
  if (state == Activity::kBusy && before != state) moved_ = now;
  std::string text(session::ActivityName(state));
  bool is_waiting = state == Activity::kInput || state == Activity::kSecret;
  std::optional<Surroundings::Question> question;
  if (is_waiting) question = surroundings_->question(*session_);
  if (question) text = question->text;
  TakeQuestion(question, /*is_first_look=*/!before, now);
  uint64_t at = session_->output().feed().consumed();
  // A shell without integration does not report the end of a command.
  bool is_back = state == Activity::kPrompt && before == Activity::kBusy &&
                 session_->events().commands().started() == 0;
  if (is_back) {
    NoteBuiltIn({.watch = kEnded, .text = "is back at its prompt", .key = at},
                /*even_if_known=*/false);
  }
  for (auto& [name, named] : watches_) named.watch.TakeState(state, text);
}

// The key of a question on a screen is the same whenever it is asked, so a
// recorded key proves only to a new server that the open question is no news. A
// program that works for a moment, and into which nothing was typed, still asks
// the same.
void Sentry::TakeQuestion(const std::optional<Surroundings::Question>& question,
                          bool is_first_look, Time now) {
  std::optional<OpenQuestion>& open = open_question_;
  if (!question) {
    if (open && !open->left_at) open->left_at = now;
    return;
  }
  bool is_same = open && open->key == question->key &&
                 (!open->left_at || (now < *open->left_at + kSameQuestion &&
                                     open->at > session_->input().typing().at));
  if (is_same) return open->left_at.reset();
  open = {.key = question->key, .at = now};
  const session::Output& output = session_->output();
  if (output.feed().consumed() <= output.inherited_mark().offset) return;
  if (is_first_look && log()->Has(kAsks, question->key)) return;
  Event event{.watch = kAsks, .text = question->text, .key = question->key};
  if (!surroundings_->is_known(*session_, event)) Note(std::move(event));
}

bool Sentry::TakeStillness(Time now) {
  still_revision_ = session::ScreensRevision(*session_);
  bool has_moved = stillness_.Take(session_->output().terminal(),
                                   session_->verdict().DrawsScreens(), now);
  const session::Output* errors = session_->errors();
  if (errors != nullptr) has_moved |= stillness_.TakeErrors(errors->terminal());
  return has_moved;
}

// Returns the last row that was printed; if both streams have one, stdout's.
std::string Sentry::LastRow() const {
  for (const session::Output* stream : session::StreamsOf(*session_)) {
    std::string row = terminal::LastRow(stream->terminal().TakeSnapshot());
    if (!row.empty()) return row;
  }
  return "";
}

Time Sentry::LookForStillness(Time now) {
  if (state_ != Activity::kBusy) return Time::max();
  Time again = Time::max();
  if (session::ScreensRevision(*session_) != still_revision_) {
    again = still_looked_ + kStillPace;
    // The program may have moved since the last sample.
    bool is_due = !still_told_ && now >= moved_ + kStillAfter;
    if (now >= again || is_due) {
      again = Time::max();
      still_looked_ = now;
      if (TakeStillness(now)) {
        moved_ = now;
        still_told_ = false;
      }
    }
  }
  if (still_told_) return again;
  Time due = moved_ + kStillAfter;
  if (now < due) return std::min(again, due);
  still_told_ = true;
  NoteBuiltIn(
      {.watch = kStill,
       .text = "nothing but clocks and the like has moved for 5 minutes: " +
               Quoted(LastRow()),
       .key = session_->output().feed().consumed()},
      /*even_if_known=*/true);
  return again;
}

// ---- watches

Time Sentry::LookAtWatches(Time now) {
  if (session_->output().IsFlooding() && now < watches_looked_ + kFloodPace) {
    return watches_looked_ + kFloodPace;
  }
  watches_looked_ = now;
  Time again = Time::max();
  for (auto& [name, named] : watches_) {
    named.watch.Look(now);
    if (named.watch.again() == Time::max()) continue;
    again = std::min(again, std::max(named.watch.again(), now + kPace));
  }
  NoteHits(now);
  return again;
}

absl::Status Sentry::SetWatch(const std::string& name, const Json& condition) {
  RETURN_IF_ERROR(CheckWatchName(name));
  if (session_->finished()) {
    return FailedPrecondition("watch: session '%s' has ended",
                              session_->name());
  }
  if (watches_.size() >= kMostWatches && !watches_.contains(name)) {
    return ResourceExhausted("watch: session '%s' has %d watches already: %s",
                             session_->name(), kMostWatches, WatchNames());
  }
  if (!begun_) Begin();
  RETURN_IF_ERROR(
      AddWatch(name, condition, session_->output().terminal().cursor_line()));
  KeepWatches();
  LookAt(session_->loop()->Now() + kPace);
  return absl::OkStatus();
}

absl::Status Sentry::AddWatch(const std::string& name, const Json& condition,
                              int64_t from) {
  ASSIGN_OR_RETURN(waits::Until until, surroundings_->parse(condition));
  ASSIGN_OR_RETURN(Watch watch, Watch::Compile(std::move(until)));
  watches_.erase(name);
  Named& named =
      watches_.emplace(name, Named{condition, std::move(watch), from})
          .first->second;
  named.watch.Begin(session_.get());
  return absl::OkStatus();
}

bool Sentry::RemoveWatch(const std::string& name) {
  if (watches_.erase(name) == 0) return false;
  KeepWatches();
  return true;
}

std::string Sentry::WatchNames() const {
  std::vector<std::string> names;
  for (const auto& [name, named] : watches_) names.push_back(Quoted(name));
  return Join(names, ", ");
}

// For each watch, only lines after the line of its last event count.
void Sentry::ReadWatches() {
  std::string content;
  if (!ReadFileAt(session_->OpenDirectory()->get(), kWatchesFile,
                  kMostWatchesFile, &content)) {
    return;
  }
  absl::StatusOr<Json> json = ParseJson(content);
  if (!json.ok() || !json->is_object()) return;
  for (const auto& [name, stored] : json->items()) {
    const Json* condition = FindMember(stored, "until");
    const Json* from = FindMember(stored, "line");
    if (condition == nullptr || from == nullptr) continue;
    int64_t line = AsInteger(*from).value_or(0);
    for (const Event& event : log()->events()) {
      if (event.watch == name) line = std::max(line, event.line + 1);
    }
    // Ignore errors, because a later version may support conditions that this
    // one does not.
    (void)AddWatch(name, *condition, line);
  }
}

void Sentry::KeepWatches() {
  Json json = Json::object();
  for (const auto& [name, named] : watches_) {
    json[name] = {{"until", named.condition}, {"line", named.from}};
  }
  ReplaceFileAt(session_->OpenDirectory()->get(), kWatchesFile, DumpJson(json));
}

// ---- events

void Sentry::Note(Event event) {
  event.at_ms = WallMilliseconds();
  event.text = CleanText(TrimLineEnd(event.text), kMostText);
  event.revision = session_->output().terminal().revision();
  surroundings_->tell(*session_, &log()->Add(std::move(event)));
}

void Sentry::NoteHits(Time now) {
  for (auto& [name, named] : watches_) {
    auto hit = named.watch.TakeHit(now, session_->finished());
    if (!hit) continue;
    Note({.watch = name,
          .text = std::move(hit->text),
          .line = hit->line,
          .more = hit->more});
  }
}

void Sentry::NoteBuiltIn(Event event, bool even_if_known) {
  if (log()->Has(event.watch, event.key)) return;
  bool was_read = event.line >= 0 && event.line_revision == 0 &&
                  event.line < session_->output().inherited_mark().line;
  if (!even_if_known &&
      (was_read || surroundings_->is_known(*session_, event))) {
    return;
  }
  Note(std::move(event));
}

}  // namespace glasstty::lookout
