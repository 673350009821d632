#include "page/trace.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "lookout/event_log.h"
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

// There are texts only if typed input was recorded. Each is attributed to the
// last beginning of typing before it; older holders did not record who typed. A
// beginning that no text follows is listed without a text.
Json TypedJson(int directory, const Timeline& timeline) {
  Json typed = Json::array();
  const auto& begins = timeline.typed();
  std::vector<bool> has_text(begins.size());
  std::vector<wire::TypedInput> texts = wire::ReadTyped(directory);
  for (auto text = Newest(texts); text != texts.end(); ++text) {
    Time when{Duration(static_cast<int64_t>(text->monotonic_ns))};
    double at = timeline.SecondsAt(when);
    Json one = {{"at", at},
                {"text", CleanText(text->bytes.substr(0, kMostTyped))}};
    auto after = std::upper_bound(
        begins.begin(), begins.end(), at,
        [](double value, const auto& each) { return value < each.seconds; });
    if (after != begins.begin()) {
      auto by = std::prev(after);
      one["person"] = by->by_person;
      has_text[static_cast<size_t>(by - begins.begin())] = true;
    }
    typed.push_back(std::move(one));
  }
  for (auto each = Newest(begins); each != begins.end(); ++each) {
    if (has_text[static_cast<size_t>(each - begins.begin())]) continue;
    typed.push_back({{"at", each->seconds}, {"person", each->by_person}});
  }
  return typed;
}

Json PersonsJson(const Timeline& timeline) {
  Json persons = Json::array();
  const auto& all = timeline.turns();
  for (auto each = Newest(all); each != all.end(); ++each) {
    Json person = {{"begin", each->begin}};
    if (each->end >= 0) person["end"] = each->end;
    persons.push_back(std::move(person));
  }
  return persons;
}

// Leaves out the ends of commands and of the program, which the blocks and the
// end of the time line show.
Json EventsJson(const watch::Watched& session) {
  Json events = Json::array();
  for (const lookout::Event& event : lookout::ReadEvents(session.directory())) {
    if (event.watch == lookout::kEnded) continue;
    double at =
        static_cast<double>(event.at_ms - session.origin().started_ms) / 1000;
    events.push_back({{"at", std::max(at, 0.0)},
                      {"watch", CleanText(event.watch)},
                      {"text", lookout::TextOf(event)}});
  }
  return events;
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

Trace::Trace(watch::Watched* session)
    : session_(session), commands_(session->origin().nonce) {
  record::LogStart start = record::FindLogStart(session->directory());
  if (start.state) (void)commands_.RestoreState(start.state->commands);
  session_->OnEvents([this](const terminal::TerminalEvent& event) {
    commands_.Take(event, session_->terminal(), std::nullopt);
  });
}

Trace::~Trace() { session_->OnEvents(nullptr); }

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
  return {{"commands", std::move(commands)},
          {"calls", CallsJson(directory, timeline)},
          {"typed", TypedJson(directory, timeline)},
          {"persons", PersonsJson(timeline)},
          {"events", EventsJson(*session_)},
          {"sizes", SizesJson(timeline)},
          {"lost", LostJson(directory, timeline)},
          {"breaks", timeline.breaks()},
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
