#include "page/trace.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "record/call_log.h"
#include "record/saved_states.h"
#include "record/timeline.h"
#include "support/text.h"
#include "wire/session_files.h"

namespace glasstty::page {
namespace {

using record::Timeline;

// The page shows the newest elements of each kind, up to this number.
constexpr size_t kMost = 2000;
// Shorter pauses do not interrupt activity.
constexpr double kPause = 1;
constexpr size_t kMostTyped = 200;  // the maximum number of bytes of one typed
                                    // text

// Returns an iterator to the first of the newest kMost elements of a list.
template <class List>
auto Newest(const List& list) {
  return list.begin() + static_cast<std::ptrdiff_t>(
                            list.size() - std::min(list.size(), kMost));
}

// Returns when the mark that ends at this offset was printed. The output after
// it may be much later.
double PrintedAt(const Timeline& timeline, uint64_t offset) {
  return timeline.SecondsAt(offset > 0 ? offset - 1 : 0);
}

Json TypedJson(int directory, const Timeline& timeline) {
  Json typed = Json::array();
  std::vector<wire::TypedInput> all = wire::ReadTyped(directory);
  for (auto each = Newest(all); each != all.end(); ++each) {
    Time when{Duration(static_cast<int64_t>(each->monotonic_ns))};
    typed.push_back({{"at", timeline.SecondsAt(when)},
                     {"text", CleanText(each->bytes.substr(0, kMostTyped))}});
  }
  return typed;
}

Json SizesJson(const Timeline& timeline) {
  Json sizes = Json::array();
  const auto& all = timeline.resizes();
  for (auto each = Newest(all); each != all.end(); ++each) {
    // The first one is the initial size.
    if (each == all.begin()) continue;
    sizes.push_back({{"at", each->seconds},
                     {"rows", each->size.rows},
                     {"cols", each->size.cols}});
  }
  return sizes;
}

Json LostJson(int directory, const Timeline& timeline) {
  Json lost = Json::array();
  for (const wire::HoleRecord& hole : wire::ReadHoles(directory, "out")) {
    lost.push_back(
        {{"at", timeline.SecondsAt(hole.offset)}, {"bytes", hole.bytes}});
  }
  return lost;
}

// Returns the calls of agents.
Json CallsJson(int directory, const Timeline& timeline) {
  Json calls = Json::array();
  std::vector<record::AgentCall> all = record::ReadCalls(directory);
  for (auto each = Newest(all); each != all.end(); ++each) {
    Json call = {{"at", timeline.SecondsAt(each->begin)},
                 {"end", timeline.SecondsAt(each->end)},
                 {"client", each->client},
                 {"tool", each->tool},
                 {"arguments", each->arguments},
                 {"reply", each->reply}};
    if (each->failed) call["failed"] = true;
    calls.push_back(std::move(call));
  }
  return calls;
}

Json ActiveJson(const Timeline& timeline) {
  std::vector<std::pair<double, double>> spans;
  for (const Timeline::Stretch& stretch : timeline.stretches()) {
    bool goes_on =
        !spans.empty() && stretch.seconds - spans.back().second <= kPause;
    if (!goes_on) spans.emplace_back(stretch.seconds, stretch.seconds);
    spans.back().second = stretch.seconds;
  }
  Json active = Json::array();
  for (auto each = Newest(spans); each != spans.end(); ++each) {
    active.push_back({each->first, each->second});
  }
  return active;
}

}  // namespace

Trace::Trace(Loop* loop, watch::Watched* session)
    : loop_(loop), session_(session), commands_(session->origin().nonce) {
  record::LogStart start = record::FindLogStart(session->directory());
  if (start.state) (void)commands_.RestoreState(start.state->commands);
  session_->OnEvents([this](const terminal::TerminalEvent& event) {
    commands_.Take(event, session_->terminal(), std::nullopt);
  });
}

Trace::~Trace() { session_->OnEvents(nullptr); }

void Trace::Look() {
  bool is_open = !turns_.empty() && turns_.back().end < 0;
  if (session_->held() == is_open) return;
  double now =
      record::ReadTimeline(session_->directory()).SecondsAt(loop_->Now());
  if (is_open) {
    turns_.back().end = now;
  } else {
    turns_.push_back({session_->lease().label, now});
  }
}

Json Trace::json() const {
  int directory = session_->directory();
  const terminal::Terminal& terminal = session_->terminal();
  Timeline timeline = record::ReadTimeline(directory);
  Json commands = Json::array();
  const auto& blocks = commands_.blocks();
  for (auto block = Newest(blocks); block != blocks.end(); ++block) {
    Json command = {{"number", block->number},
                    {"text", block->text},
                    {"row", terminal.RowOf(block->output.line)},
                    {"kept", block->output.line >= terminal.first_line()},
                    {"begin", PrintedAt(timeline, block->output_offset)}};
    if (block->finished)
      command["end"] = PrintedAt(timeline, block->end_offset);
    if (block->exit_status) command["exit"] = *block->exit_status;
    commands.push_back(std::move(command));
  }
  Json persons = Json::array();
  for (const Turn& turn : turns_) {
    Json person = {{"label", turn.label}, {"begin", turn.begin}};
    if (turn.end >= 0) person["end"] = turn.end;
    persons.push_back(std::move(person));
  }
  return {{"commands", std::move(commands)},
          {"calls", CallsJson(directory, timeline)},
          {"typed", TypedJson(directory, timeline)},
          {"sizes", SizesJson(timeline)},
          {"lost", LostJson(directory, timeline)},
          {"persons", std::move(persons)},
          {"active", ActiveJson(timeline)}};
}

std::string Trace::OutputOf(int64_t number) const {
  const record::CommandBlock* block = commands_.Find(number);
  if (block == nullptr) return "";
  const terminal::Terminal& terminal = session_->terminal();
  record::LinePlace end = block->end;
  if (!block->finished) end = {terminal.end_line(), 0};
  std::vector<terminal::Line> lines =
      terminal.Lines(block->output.line, end.line + 1);
  record::RestoreLastLines(*block, &lines);
  record::TrimToPlaces(block->output, end, &lines);
  std::string output;
  for (const terminal::Line& line : lines) {
    output += line.text;
    output += '\n';
  }
  while (output.ends_with("\n\n")) output.pop_back();
  return output;
}

}  // namespace glasstty::page
