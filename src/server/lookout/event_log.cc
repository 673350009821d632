#include "lookout/event_log.h"

#include <fcntl.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/own_file.h"
#include "support/json.h"
#include "support/text.h"

namespace glasstty::lookout {
namespace {

constexpr char kFile[] = "noticed";
constexpr size_t kMostBytes = 256 << 10;

Json ToJson(const Event& event) {
  return {{"n", event.number},  {"at", event.at_ms},     {"watch", event.watch},
          {"text", event.text}, {"rev", event.revision}, {"key", event.key},
          {"line", event.line}, {"more", event.more}};
}

std::string TextIn(const Json& object, std::string_view key) {
  const Json* member = FindMember(object, key);
  return member == nullptr ? "" : AsString(*member).value_or("");
}
int64_t NumberIn(const Json& object, std::string_view key) {
  const Json* member = FindMember(object, key);
  return member == nullptr ? 0 : AsInteger(*member).value_or(0);
}

Event EventIn(const Json& json) {
  return {.number = NumberIn(json, "n"),
          .at_ms = NumberIn(json, "at"),
          .watch = TextIn(json, "watch"),
          .text = CleanText(TextIn(json, "text")),
          .revision = static_cast<uint64_t>(NumberIn(json, "rev")),
          .key = static_cast<uint64_t>(NumberIn(json, "key")),
          .line = NumberIn(json, "line"),
          .more = NumberIn(json, "more")};
}

std::string ToldLine(const std::string& reader, int64_t number) {
  return DumpJson({{"told", number}, {"reader", reader}}) + "\n";
}

}  // namespace

std::string TextOf(const Event& event) {
  if (event.more == 0) return event.text;
  return absl::StrFormat("%s (and %d more)", event.text, event.more);
}

bool IsBuiltIn(std::string_view watch) {
  return watch == kEnded || watch == kAsks || watch == kStill ||
         watch == kError;
}

bool IsToldByOutput(const Event& event) {
  return event.watch == kEnded || event.watch == kError;
}

EventLog::EventLog(const session::Session* session) : session_(session) {
  std::string content;
  if (!ReadFileAt(session->OpenDirectory()->get(), kFile, 2 * kMostBytes,
                  &content)) {
    return;
  }
  size_ = content.size();
  for (const std::string& line : Split(content, '\n')) TakeLine(line);
  // Rewrite the file, because the next line would be appended to the torn one.
  if (!content.empty() && content.back() != '\n') WriteAnew();
}

std::vector<Event> ReadEvents(int directory) {
  std::string content;
  ReadFileAt(directory, kFile, 2 * kMostBytes, &content);
  std::vector<Event> events;
  for (const std::string& line : Split(content, '\n')) {
    absl::StatusOr<Json> json = ParseJson(line);
    if (json.ok() && NumberIn(*json, "n") > 0) events.push_back(EventIn(*json));
  }
  return events;
}

void EventLog::TakeLine(std::string_view line) {
  absl::StatusOr<Json> json = ParseJson(line);
  if (!json.ok()) return;
  int64_t number = NumberIn(*json, "n");
  if (number == 0) {
    std::string reader = TextIn(*json, "reader");
    int64_t told = NumberIn(*json, "told");
    if (reader.empty()) {
      forgotten_ = std::max(forgotten_, told);
    } else {
      told_[reader] = told;
    }
    return;
  }
  events_.push_back(EventIn(*json));
  if (events_.size() > kMostEvents) events_.pop_front();
  last_ = std::max(last_, number);
}

bool EventLog::Has(std::string_view watch, uint64_t key) const {
  return std::any_of(events_.begin(), events_.end(), [&](const Event& event) {
    return event.watch == watch && event.key == key;
  });
}

const Event& EventLog::Add(Event event) {
  event.number = ++last_;
  events_.push_back(std::move(event));
  if (events_.size() > kMostEvents) events_.pop_front();
  Append(DumpJson(ToJson(events_.back())) + "\n");
  return events_.back();
}

std::optional<int64_t> EventLog::ToldOf(const std::string& reader) const {
  auto found = told_.find(reader);
  if (found == told_.end()) return std::nullopt;
  return found->second;
}

void EventLog::SetTold(const std::string& reader, int64_t number) {
  bool is_new = !told_.contains(reader);
  if (!is_new && told_[reader] >= number) return;
  if (is_new && told_.size() >= kMostReaders) {
    // Forget the reader that is furthest behind, because it has probably gone.
    auto by_number = [](auto& a, auto& b) { return a.second < b.second; };
    auto last = std::min_element(told_.begin(), told_.end(), by_number);
    forgotten_ = std::max(forgotten_, last->second);
    told_.erase(last);
  }
  told_[reader] = number;
  if (!reader.starts_with(kPassing)) Append(ToldLine(reader, number));
}

// Ignores failures (the disk may be full): only later servers lack the line.
void EventLog::Append(const std::string& line) {
  size_ += line.size();
  if (size_ > kMostBytes) return WriteAnew();
  record::Folder::Hold directory = session_->OpenDirectory();
  UniqueFd file =
      OpenOwnFileAt(directory->get(), kFile, O_WRONLY | O_CREAT | O_APPEND);
  if (file.valid()) WriteAll(file.get(), line);
}

void EventLog::WriteAnew() {
  std::string content;
  for (const Event& event : events_) content += DumpJson(ToJson(event)) + "\n";
  // The line without a reader is about those whose own lines are gone.
  if (forgotten_ > 0) content += ToldLine("", forgotten_);
  for (const auto& [reader, number] : told_) {
    if (!reader.starts_with(kPassing)) content += ToldLine(reader, number);
  }
  size_ = content.size();
  ReplaceFileAt(session_->OpenDirectory()->get(), kFile, content);
}

}  // namespace glasstty::lookout
