#include "waits/movement.h"

#include <algorithm>
#include <utility>

#include "motion/progress.h"
#include "motion/shape.h"
#include "motion/weight.h"
#include "session/streams.h"
#include "support/text.h"

namespace glasstty::waits {
namespace {

constexpr size_t kMostStanding = 1'000;

bool IsBlank(const std::string& text) { return TrimLineEnd(text).empty(); }

bool IsShown(const record::LineMark& seen, const terminal::Line& line) {
  return line.number == seen.line && line.text == seen.shown;
}

void NoteOpen(int64_t line, const std::string& text, motion::OpenLine* open) {
  bool is_other = open->line != line;
  open->is_written_over =
      !is_other && (open->is_written_over || !text.starts_with(open->text));
  open->line = line;
  open->text = text;
}

}  // namespace

void Movement::Begin(const session::Session* session,
                     const record::ReadMark& baseline,
                     std::vector<std::string> shown,
                     std::shared_ptr<motion::Memory> memory) {
  session_ = session;
  memory_ = memory ? std::move(memory) : std::make_shared<motion::Memory>();
  baseline_ = baseline;
  const terminal::Terminal& terminal = session->output().terminal();
  Time now = session->loop()->Now();
  if (memory_->moved_at == Time()) memory_->moved_at = now;
  for (const session::Output* output : session::StreamsOf(*session)) {
    BeginStream(output);
  }
  alternate_ = terminal.modes().alternate_screen;
  draws_screens_ = session->verdict().DrawsScreens();
  if (!draws_screens_) return;
  memory_->screen.Begin(std::move(shown), now);
  memory_->screen.Take(terminal.TakeSnapshot(), now);
}

void Movement::BeginStream(const session::Output* output) {
  bool is_errors = output == session_->errors();
  streams_.push_back({.output = output,
                      .seen = session::MarkOf(*session_, *output, baseline_),
                      .open = is_errors ? &memory_->open_error : &memory_->open,
                      .is_errors = is_errors});
  Stream& stream = streams_.back();
  const record::LineMark& seen = stream.seen;
  stream.lines_revision = seen.lines_revision;
  stream.scan.Begin(stream.terminal(), seen);
  if (seen.lines_revision == 0) return;
  int64_t from = std::max<int64_t>(seen.line - kMostLines, 0);
  for (const terminal::Line& line : stream.terminal().Lines(from, seen.line)) {
    bool is_known = line.revision <= seen.lines_revision;
    if (!is_known || IsBlank(line.text)) continue;
    Learn(line.text);
    LearnHead(stream, line.number, line.text);
  }
  if (IsBlank(seen.shown)) return;
  Learn(seen.shown);
  LearnHead(stream, seen.line, seen.shown);
}

void Movement::Learn(const std::string& text) {
  memory_->kinds.Add(TrimLineEnd(text));
}

// Only a line that is still on the screen can be written over.
void Movement::LearnHead(const Stream& stream, int64_t line,
                         const std::string& text) {
  const terminal::Terminal& terminal = stream.terminal();
  bool is_in_window = line >= terminal.end_line() - terminal.size().rows;
  if (is_in_window) memory_->AddHead(motion::HeadOf(text));
}

bool Movement::IsNew() const {
  if (session_->output().terminal().revision() != screen_revision_) return true;
  return std::ranges::any_of(streams_, [](const Stream& stream) {
    return stream.terminal().lines_revision() != stream.lines_revision;
  });
}

Time Movement::Refresh() {
  Time now = session_->loop()->Now();
  bool is_new = IsNew();
  if (is_new && looked_at_ != Time::min() && now < looked_at_ + kPace) {
    return looked_at_ + kPace;
  }
  bool alternate = session_->output().terminal().modes().alternate_screen;
  if (std::exchange(alternate_, alternate) != alternate) {
    memory_->moved_at = now;
    SetMatter("");
  }
  bool draws = session_->verdict().DrawsScreens();
  if (std::exchange(draws_screens_, draws) != draws && draws) {
    memory_->screen.Restart();
  }
  if (is_new) looked_at_ = now;
  Time again = draws ? RefreshScreen(now) : Time::max();
  for (Stream& stream : streams_) {
    if (draws && !stream.is_errors) continue;
    again = std::min(again, RefreshLines(&stream, now));
  }
  return again;
}

Time Movement::RefreshScreen(Time now) {
  const terminal::Terminal& terminal = session_->output().terminal();
  if (terminal.revision() != screen_revision_) {
    screen_revision_ = terminal.revision();
    memory_->screen.Take(terminal.TakeSnapshot(), now);
    memory_->moved_at = std::max(memory_->moved_at, memory_->screen.moved_at());
  }
  // When the program stops drawing screens, lines up to this point are not new.
  streams_[0].lines_revision = terminal.lines_revision();
  streams_[0].scan.Begin(terminal, record::MarkNow(terminal));
  if (auto change = memory_->screen.Matters(now)) {
    SetMatter(std::move(change->text));
  }
  return memory_->screen.NextDue();
}

Time Movement::RefreshLines(Stream* stream, Time now) {
  const terminal::Terminal& terminal = stream->terminal();
  if (stream->scan.HasNews(terminal, terminal.cursor_line())) {
    TakeLines(stream, now);
    stream->lines_revision = terminal.lines_revision();
    if (!stream->is_errors) screen_revision_ = terminal.revision();
    stream->is_open_taken = false;
  }
  return std::min(TakeStanding(stream, now), TakeOpenAtRest(stream, now));
}

void Movement::TakeLines(Stream* stream, Time now) {
  const terminal::Terminal& terminal = stream->terminal();
  int64_t cursor = terminal.cursor_line();
  LineScan* scan = &stream->scan;
  for (const terminal::Line& line : scan->TakeRewritten(terminal, cursor)) {
    TakeRewritten(stream, line, now);
  }
  scan->SkipTo(cursor - kMostLines);
  for (const terminal::Line& line : scan->TakeNew(terminal, cursor)) {
    if (IsShown(stream->seen, line) || IsBlank(line.text)) continue;
    std::string text(TrimLineEnd(line.text));
    TakeWhole(stream, line.number, text);
    if (memory_->advance.TakeLine(text)) memory_->moved_at = now;
  }
  for (const terminal::Line& line :
       terminal.Lines(cursor, cursor + 1, stream->lines_revision)) {
    if (IsShown(stream->seen, line) || IsBlank(line.text)) continue;
    std::string text(TrimLineEnd(line.text));
    TakeOpen(*stream, cursor, text, now);
    NoteOpen(cursor, text, stream->open);
    if (stream->open->is_written_over) {
      Stand(stream, cursor, text, /*is_half=*/true, now);
    }
  }
}

// A line without weight, of the same shape as the one that stood in its place,
// is the end of a meter, and does not matter.
void Movement::TakeWhole(Stream* stream, int64_t line,
                         const std::string& text) {
  auto standing = stream->standing.find(line);
  bool stands = standing != stream->standing.end();
  bool is_meter_end = stands &&
                      standing->second.shape == motion::ShapeOf(text) &&
                      motion::WeightOf(text) == motion::Weight::kNone;
  is_meter_end ? Learn(text) : FindMatter(*stream, text, line);
  if (stands) stream->standing.erase(standing);
  LearnHead(*stream, line, text);
}

void Movement::TakeRewritten(Stream* stream, const terminal::Line& line,
                             Time now) {
  if (IsBlank(line.text)) {
    stream->standing.erase(line.number);
    return;
  }
  std::string text(TrimLineEnd(line.text));
  TakeOpen(*stream, line.number, text, now);
  if (motion::IsHeavy(motion::WeightOf(text))) {
    return FindMatter(*stream, text, line.number);
  }
  if (motion::IsPointer(text)) return;
  Stand(stream, line.number, text, /*is_half=*/false, now);
}

// A text with the same head continues the line that stands there. Half a line
// does not replace a longer text.
void Movement::Stand(Stream* stream, int64_t line, const std::string& text,
                     bool is_half, Time now) {
  if (stream->standing.size() >= kMostStanding) stream->standing.clear();
  std::string head = motion::HeadOf(text);
  std::string shape = motion::ShapeOf(text);
  if (IsBeginning(now)) memory_->AddHead(head);
  Standing& standing = stream->standing[line];
  if (standing.shape.empty() || standing.head != head) {
    standing = {text, std::move(shape),     now, std::move(head),
                now,  motion::IsMeter(text)};
    return;
  }
  standing.is_meter = standing.is_meter || motion::IsMeter(text);
  bool is_same = standing.shape == shape;
  bool is_more = !is_half || text.size() >= standing.text.size();
  if (is_more) standing.text = text;
  if (!is_same) standing.since = now;
  standing.shape = std::move(shape);
}

// Typing starts or continues a job, so the beginning counts from the typing.
bool Movement::IsBeginning(Time now) {
  if (memory_->begins_at == Time()) memory_->begins_at = now;
  Time begin = std::max(memory_->begins_at, session_->input().typing().at);
  return now < begin + kBeginning;
}

// TakeOpenAtRest judges the cursor's line as a whole, so only its head is
// judged here. A meter, too, is judged only by its head, because its other
// words tell just the progress.
Time Movement::DueOf(const Stream& stream, int64_t number,
                     const Standing& line) const {
  bool is_open = number == stream.open->line;
  bool is_by_head = is_open || line.is_meter;
  Time due = is_by_head ? Time::max() : line.since + kLongRest;
  bool is_head_new = !line.head.empty() && !memory_->heads.contains(line.head);
  return is_head_new ? std::min(due, line.head_since + kHeadRest) : due;
}

Time Movement::TakeStanding(Stream* stream, Time now) {
  Time next = Time::max();
  std::erase_if(stream->standing, [&](const auto& numbered) {
    const auto& [number, line] = numbered;
    Time due = DueOf(*stream, number, line);
    if (now < due) {
      next = std::min(next, due);
      return false;
    }
    FindMatter(*stream, line.text, number);
    memory_->AddHead(line.head);
    return true;
  });
  return next;
}

Time Movement::TakeOpenAtRest(Stream* stream, Time now) {
  if (stream->is_open_taken) return Time::max();
  const session::Output& output = *stream->output;
  Time due = session_->output().last_output() +
             (stream->open->is_written_over ? kLongRest : kRest);
  if (now < due || output.HasUnfed()) return std::max(due, now + kPace);
  stream->is_open_taken = true;
  int64_t cursor = output.terminal().cursor_line();
  for (const terminal::Line& line :
       output.terminal().Lines(cursor, cursor + 1)) {
    if (!IsShown(stream->seen, line) && !IsBlank(line.text)) {
      FindMatter(*stream, line.text, line.number);
    }
  }
  return Time::max();
}

void Movement::TakeOpen(const Stream& stream, int64_t line,
                        const std::string& text, Time now) {
  auto sight = memory_->advance.TakeRow(stream.PlaceOf(line), text);
  if (sight != motion::Advance::Sight::kSame) memory_->moved_at = now;
}

bool Movement::IsTyped(const std::string& text) const {
  return std::any_of(typed_.begin(), typed_.end(),
                     [&text](const std::string& typed) {
                       return !typed.empty() && text.ends_with(typed);
                     });
}

bool Movement::IsNews(const std::string& text) {
  return memory_->kinds.Recognize(text)
             ? memory_->states.IsEnd(text)
             : !IsTyped(text) && !motion::SaysItGoesOn(text);
}

void Movement::FindMatter(const Stream& stream, const std::string& text,
                          int64_t line) {
  // The next wait finds the changes that follow.
  if (matter_) return;
  std::string trimmed(TrimLineEnd(text));
  if (!IsNews(trimmed)) return;
  SetMatter(std::move(trimmed));
  source_ = stream.output;
  stream.scan.SetBehind(stream.terminal(), line,
                        stream.is_errors ? &behind_.errors : &behind_);
}

void Movement::SetMatter(std::string text) {
  if (matter_) return;
  matter_ = std::move(text);
  behind_ = baseline_;
  behind_.screen_revision = session_->output().terminal().revision();
}

}  // namespace glasstty::waits
