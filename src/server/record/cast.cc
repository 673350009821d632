// Times are kept in whole microseconds: the intervals of v3 then add up to the
// times of v2 exactly, however long the recording is.
#include "record/cast.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "support/json.h"
#include "support/status.h"

namespace glasstty::record {
namespace {

struct CodeRow {
  CastEvent::Type type;
  const char* code;
};
// In the order of Type. The writer uses the type as an index.
constexpr CodeRow kCodes[] = {
    {CastEvent::Type::kOutput, "o"}, {CastEvent::Type::kInput, "i"},
    {CastEvent::Type::kResize, "r"}, {CastEvent::Type::kMarker, "m"},
    {CastEvent::Type::kExit, "x"},
};

// Returns how many bytes at the end of `text` may be the beginning of a
// character. Returns 0 if the text ends with a complete character or with bytes
// that cannot begin one.
size_t UnfinishedBytes(std::string_view text) {
  // A character has four bytes at most.
  size_t look = std::min<size_t>(text.size(), 3);
  for (size_t n = look; n > 0; --n) {
    Utf8Decoder decoder;
    char32_t c;
    bool whole_way = true;
    for (char byte : text.substr(text.size() - n)) {
      auto step = decoder.Feed(static_cast<uint8_t>(byte), &c);
      whole_way = whole_way && step == Utf8Decoder::Step::kMore;
    }
    if (whole_way) return n;
  }
  return 0;
}

Json HeaderJson(const CastHeader& header) {
  Json json = {{"version", header.version}};
  if (header.version == 2) {
    json["width"] = header.size.cols;
    json["height"] = header.size.rows;
  } else {
    json["term"] = {{"cols", header.size.cols}, {"rows", header.size.rows}};
    if (!header.terminal.empty()) json["term"]["type"] = header.terminal;
  }
  if (header.timestamp != 0) json["timestamp"] = header.timestamp;
  if (!header.title.empty()) json["title"] = header.title;
  if (!header.command.empty()) json["command"] = header.command;
  if (header.version == 2 && !header.terminal.empty()) {
    json["env"] = {{"TERM", header.terminal}};
  }
  return json;
}

std::string StringMember(const Json& json, const char* key) {
  const Json* member = FindMember(json, key);
  return member == nullptr ? "" : AsString(*member).value_or("");
}

// Returns 0 if the member is missing or not an integer. The bound makes the
// conversion to int safe; no terminal is that large.
int IntegerMember(const Json& json, const char* key) {
  const Json* member = FindMember(json, key);
  int64_t value = member == nullptr ? 0 : AsInteger(*member).value_or(0);
  return static_cast<int>(std::clamp<int64_t>(value, 0, 1 << 20));
}

// Error: the line is not a header of a known version.
absl::StatusOr<CastHeader> ParseHeader(std::string_view line) {
  auto json = ParseJson(line);
  if (!json.ok() || !json->is_object()) {
    return FailedPrecondition("line 1 is not an asciicast header");
  }
  CastHeader header;
  header.version = IntegerMember(*json, "version");
  const Json* term = FindMember(*json, "term");
  if (header.version == 2) {
    header.size = {IntegerMember(*json, "height"),
                   IntegerMember(*json, "width")};
    if (const Json* env = FindMember(*json, "env")) {
      header.terminal = StringMember(*env, "TERM");
    }
  } else if (header.version == 3 && term != nullptr) {
    header.size = {IntegerMember(*term, "rows"), IntegerMember(*term, "cols")};
    header.terminal = StringMember(*term, "type");
  } else {
    return FailedPrecondition(
        "asciicast version %d: only 2 and 3 are supported", header.version);
  }
  if (const Json* time = FindMember(*json, "timestamp")) {
    header.timestamp = AsInteger(*time).value_or(0);
  }
  header.title = StringMember(*json, "title");
  header.command = StringMember(*json, "command");
  return header;
}

// Parses "80x24", columns first, as the format has it. %c detects trailing
// text: "80x24x" gives three matches.
bool ParseSizeWord(const std::string& word, terminal::Size* size) {
  char rest;
  return std::sscanf(word.c_str(), "%dx%d%c", &size->cols, &size->rows,
                     &rest) == 2;
}

// Fills everything except `us`. Returns false for an unknown kind. Error: the
// data is malformed.
absl::StatusOr<bool> FillEvent(const std::string& code, std::string data,
                               CastEvent* event) {
  auto row = std::find_if(std::begin(kCodes), std::end(kCodes),
                          [&](const CodeRow& r) { return code == r.code; });
  if (row == std::end(kCodes)) return false;
  event->type = row->type;
  if (event->type == CastEvent::Type::kResize) {
    if (!ParseSizeWord(data, &event->size)) {
      return InvalidArgument("size '%s': not COLSxROWS", data);
    }
    return true;
  }
  if (event->type == CastEvent::Type::kExit) {
    char rest;
    if (std::sscanf(data.c_str(), "%d%c", &event->status, &rest) != 1) {
      return InvalidArgument("exit status '%s': not a number", data);
    }
    return true;
  }
  event->data = std::move(data);
  return true;
}

// Returns nullopt for an unknown kind. Error: the line is not an event.
// `last_us` is the time of the previous event, from which v3 counts, and
// becomes the time of this one. Unknown kinds count too; otherwise, later
// events of v3 would be early.
absl::StatusOr<std::optional<CastEvent>> ParseEvent(std::string_view line,
                                                    int version,
                                                    int64_t* last_us) {
  ASSIGN_OR_RETURN(Json json, ParseJson(line));
  if (!json.is_array() || json.size() < 3) {
    return InvalidArgument("not [time, code, data]");
  }
  auto seconds = AsNumber(json.at(0));
  auto code = AsString(json.at(1));
  auto data = AsString(json.at(2));
  // No recording is longer than a month, and this bound keeps the product in
  // range.
  bool sane = seconds && *seconds >= 0 && *seconds < 2.7e6;
  if (!sane || !code || !data) return InvalidArgument("not [time, code, data]");
  int64_t us = std::llround(*seconds * 1e6);
  *last_us = version == 3 ? *last_us + us : us;
  CastEvent event;
  event.us = *last_us;
  ASSIGN_OR_RETURN(bool known, FillEvent(*code, *std::move(data), &event));
  if (!known) return std::optional<CastEvent>();
  return std::optional<CastEvent>(std::move(event));
}

// Removes the next line from `text`, and returns it without its newline.
std::string_view TakeLine(std::string_view* text) {
  size_t end = std::min(text->find('\n'), text->size());
  std::string_view line = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  return line;
}

}  // namespace

CastWriter::CastWriter(const CastHeader& header,
                       std::function<void(std::string_view)> write)
    : version_(header.version), write_(std::move(write)) {
  write_(DumpJson(HeaderJson(header)) + "\n");
}

void CastWriter::Write(const CastEvent& event) {
  switch (event.type) {
    case CastEvent::Type::kOutput: {
      // JSON is text, so an event must not end in the middle of a character.
      held_ += event.data;
      std::string whole(held_, 0, held_.size() - UnfinishedBytes(held_));
      held_.erase(0, whole.size());
      if (!whole.empty()) WriteLine(event.us, "o", whole);
      return;
    }
    case CastEvent::Type::kInput:
    case CastEvent::Type::kMarker:
      WriteLine(event.us, kCodes[static_cast<size_t>(event.type)].code,
                event.data);
      return;
    case CastEvent::Type::kResize:
      WriteLine(event.us, "r",
                absl::StrFormat("%dx%d", event.size.cols, event.size.rows));
      return;
    case CastEvent::Type::kExit:
      Finish();
      // v2 has no exit event.
      if (version_ == 3) {
        WriteLine(event.us, "x", absl::StrFormat("%d", event.status));
      }
      return;
  }
}

void CastWriter::Finish() {
  if (!held_.empty()) WriteLine(last_us_, "o", std::exchange(held_, ""));
}

// Times never decrease, because players rely on it.
void CastWriter::WriteLine(int64_t us, const char* code,
                           std::string_view data) {
  us = std::max(us, last_us_);
  // Differences of whole microseconds do not accumulate rounding errors.
  int64_t shown = version_ == 3 ? us - last_us_ : us;
  last_us_ = us;
  write_(absl::StrFormat("[%d.%06d, \"%s\", %s]\n", shown / 1'000'000,
                         shown % 1'000'000, code,
                         DumpJson(Json(ToValidUtf8(data)))));
}

bool LooksLikeCast(std::string_view text) {
  std::string_view line = TakeLine(&text);
  // A header is some hundred bytes; another file may be one long line.
  if (line.empty() || line[0] != '{' || line.size() > 65536) return false;
  auto json = ParseJson(line);
  return json.ok() && FindMember(*json, "version") != nullptr;
}

absl::Status ReadCast(std::string_view text,
                      const std::function<void(const CastHeader&)>& begin,
                      const CastSink& sink) {
  ASSIGN_OR_RETURN(CastHeader header, ParseHeader(TakeLine(&text)));
  begin(header);
  int64_t last_us = 0;
  for (int number = 2; !text.empty(); ++number) {
    std::string_view line = TakeLine(&text);
    // v3 allows comments.
    if (line.empty() || line[0] == '#') continue;
    auto event = ParseEvent(line, header.version, &last_us);
    if (!event.ok()) {
      return FailedPrecondition("line %d: %s", number, Message(event.status()));
    }
    if (*event && !sink(**event)) break;
  }
  return absl::OkStatus();
}

}  // namespace glasstty::record
