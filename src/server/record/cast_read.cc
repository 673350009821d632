// Reads asciicasts of all versions. Reads truncated and damaged files of v2 and
// v3 as far as possible.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "record/cast.h"
#include "support/json.h"
#include "support/status.h"

namespace glasstty::record {
namespace {

struct KindRow {
  CastEvent::Type type;
  const char* code;
};
constexpr KindRow kKinds[] = {
    {CastEvent::Type::kOutput, "o"}, {CastEvent::Type::kInput, "i"},
    {CastEvent::Type::kResize, "r"}, {CastEvent::Type::kMarker, "m"},
    {CastEvent::Type::kExit, "x"},
};

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

// Moves the members of v3's `term` into `others`, except for the size and the
// type, which the header has.
void TakeTerm(Json term, Json* others) {
  for (const char* known : {"cols", "rows", "type"}) term.erase(known);
  if (const Json* theme = FindMember(term, "theme")) {
    (*others)["theme"] = *theme;
    term.erase("theme");
  }
  if (!term.empty()) (*others)["term"] = std::move(term);
}

Json OtherMembers(Json json) {
  Json term = json.value("term", Json::object());
  for (const char* known : {"version", "width", "height", "timestamp", "title",
                            "command", "stdout", "term"}) {
    json.erase(known);
  }
  if (term.is_object()) TakeTerm(std::move(term), &json);
  auto env = json.find("env");
  if (env == json.end()) return json;
  if (env->is_object()) env->erase("TERM");
  if (!env->is_object() || env->empty()) json.erase("env");
  return json;
}

// Error: the value is not a header of a known version.
absl::StatusOr<CastHeader> ParseHeader(const Json& json) {
  if (!json.is_object()) {
    return FailedPrecondition("line 1 is not an asciicast header");
  }
  CastHeader header;
  header.version = IntegerMember(json, "version");
  const Json* term = FindMember(json, "term");
  if (header.version == 1 || header.version == 2) {
    header.size = {IntegerMember(json, "height"), IntegerMember(json, "width")};
    if (const Json* env = FindMember(json, "env")) {
      header.terminal = StringMember(*env, "TERM");
    }
  } else if (header.version == 3 && term != nullptr) {
    header.size = {IntegerMember(*term, "rows"), IntegerMember(*term, "cols")};
    header.terminal = StringMember(*term, "type");
  } else {
    return FailedPrecondition("asciicast version %d: only 1 to 3 are supported",
                              header.version);
  }
  if (const Json* time = FindMember(json, "timestamp")) {
    header.timestamp = AsInteger(*time).value_or(0);
  }
  header.title = StringMember(json, "title");
  header.command = StringMember(json, "command");
  header.others = OtherMembers(json);
  return header;
}

// Parses "80x24", columns first, as the format has it. %c detects trailing
// text: "80x24x" gives three matches.
bool ParseSizeWord(const std::string& word, terminal::Size* size) {
  char rest;
  return std::sscanf(word.c_str(), "%dx%d%c", &size->cols, &size->rows,
                     &rest) == 2 &&
         size->cols > 0 && size->rows > 0;
}

// Returns the third member of an event: text, or a number, as some recorders
// write a status. A marker may have no label. nullopt: anything else.
std::optional<std::string> DataOf(const Json& event, CastEvent::Type type) {
  if (event.size() < 3) {
    if (type == CastEvent::Type::kMarker) return "";
    return std::nullopt;
  }
  auto number = AsInteger(event.at(2));
  if (type == CastEvent::Type::kExit && number) return std::to_string(*number);
  return AsString(event.at(2));
}

// Fills everything except `us` and `type`. Error: the data is malformed.
absl::Status FillEvent(std::string data, CastEvent* event) {
  if (event->type == CastEvent::Type::kResize) {
    if (ParseSizeWord(data, &event->size)) return absl::OkStatus();
    return InvalidArgument("size '%s': not COLSxROWS", data);
  }
  if (event->type == CastEvent::Type::kExit) {
    char rest;
    if (std::sscanf(data.c_str(), "%d%c", &event->status, &rest) == 1) {
      return absl::OkStatus();
    }
    return InvalidArgument("exit status '%s': not a number", data);
  }
  event->data = std::move(data);
  return absl::OkStatus();
}

// Returns nullopt for an unknown kind. Error: this is not an event. `last_us`
// is the time of the previous event, from which v1 and v3 count, and becomes
// the time of this one. The time of a skipped event counts, too, or later
// events would be early.
absl::StatusOr<std::optional<CastEvent>> ParseEvent(const Json& json,
                                                    int version,
                                                    int64_t* last_us) {
  constexpr char kForm[] = "not [time, code, data]";
  if (!json.is_array() || json.size() < 2) return InvalidArgument("%s", kForm);
  auto seconds = AsNumber(json.at(0));
  auto code = AsString(json.at(1));
  // No recording is longer than a month, and this bound keeps the product in
  // range.
  bool sane = seconds && *seconds >= 0 && *seconds < 2.7e6;
  if (!sane || !code) return InvalidArgument("%s", kForm);
  int64_t us = std::llround(*seconds * 1e6);
  *last_us = version == 2 ? us : *last_us + us;
  auto row = std::find_if(std::begin(kKinds), std::end(kKinds),
                          [&](const KindRow& r) { return *code == r.code; });
  if (row == std::end(kKinds)) return std::optional<CastEvent>();
  CastEvent event = {.us = *last_us, .type = row->type, .data = "", .size = {}};
  auto data = DataOf(json, row->type);
  if (!data) return InvalidArgument("%s", kForm);
  RETURN_IF_ERROR(FillEvent(*std::move(data), &event));
  return std::optional<CastEvent>(std::move(event));
}

// Removes the next line from `text`, and returns it without its line end.
std::string_view TakeLine(std::string_view* text) {
  size_t end = std::min(text->find('\n'), text->size());
  std::string_view line = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Editors on Windows begin a file with this mark.
std::string_view WithoutMark(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  return text;
}

// Passes events on, and reports what cannot be read. A damaged file may have
// thousands of such lines, so only the first is named.
class EventReader {
 public:
  EventReader(int version, const CastReading& reading, const CastSink& sink)
      : version_(version), reading_(reading), sink_(sink) {}
  ~EventReader() {
    if (skipped_ > 1 && reading_.warn) {
      reading_.warn(absl::StrFormat("%d more cannot be read and are skipped",
                                    skipped_ - 1));
    }
  }

  // Returns false to stop. `unit` and `number` say which event it is.
  bool Take(const absl::StatusOr<Json>& json, const char* unit, int number) {
    if (!json.ok()) return Skip(json.status(), unit, number);
    auto event = ParseEvent(*json, version_, &last_us_);
    if (!event.ok()) return Skip(event.status(), unit, number);
    return !*event || sink_(**event);
  }

 private:
  bool Skip(const absl::Status& why, const char* unit, int number) {
    if (++skipped_ == 1 && reading_.warn) {
      reading_.warn(
          absl::StrFormat("%s %d is skipped: %s", unit, number, Message(why)));
    }
    return true;
  }

  const int version_;
  const CastReading& reading_;
  const CastSink& sink_;
  int64_t last_us_ = 0;
  int skipped_ = 0;
};

// The events of v1 are [interval, text].
void ReadVersion1(const Json& all, EventReader* reader) {
  const Json* events = FindMember(all, "stdout");
  if (events == nullptr || !events->is_array()) return;
  int number = 0;
  for (Json event : *events) {
    if (event.is_array() && event.size() == 2) {
      event.insert(event.begin() + 1, "o");
    }
    if (!reader->Take(absl::StatusOr<Json>(std::move(event)), "event",
                      ++number)) {
      return;
    }
  }
}

void ReadLines(std::string_view text, EventReader* reader) {
  for (int number = 2; !text.empty(); ++number) {
    std::string_view line = TakeLine(&text);
    // v3 allows comments.
    if (line.empty() || line[0] == '#') continue;
    if (!reader->Take(ParseJson(line), "line", number)) return;
  }
}

// Returns the header, which is the first line, or in v1 the whole text, which
// may have many lines. `text` becomes the rest. Error: the first line is not
// JSON, and the text is not a recording of v1.
absl::StatusOr<Json> TakeHeader(std::string_view* text) {
  std::string_view all = *text;
  auto first = ParseJson(TakeLine(text));
  if (first.ok() || !all.starts_with('{')) return first;
  ASSIGN_OR_RETURN(Json whole, ParseJson(all));
  if (IntegerMember(whole, "version") != 1 || !whole.contains("stdout")) {
    return InvalidArgument("not an asciicast");
  }
  *text = "";
  return whole;
}

// Formats whose bytes would be shown as garbage, with the first bytes of their
// files.
struct FormatRow {
  std::string_view magic;
  const char* advice;
};
constexpr FormatRow kFormats[] = {
    {"\x1f\x8b", "compressed by gzip: unpack it first (gunzip)"},
    {"\xfd"
     "7zXZ",
     "compressed by xz: unpack it first (unxz)"},
    {"\x28\xb5\x2f\xfd", "compressed by zstd: unpack it first (unzstd)"},
    {"BZh91AY&SY", "compressed by bzip2: unpack it first (bunzip2)"},
    {"\xff\xfe", "in UTF-16: convert it first (iconv -f UTF-16 -t UTF-8)"},
    {"\xfe\xff", "in UTF-16: convert it first (iconv -f UTF-16 -t UTF-8)"},
};

}  // namespace

absl::StatusOr<bool> LooksLikeCast(std::string_view text) {
  for (const FormatRow& row : kFormats) {
    if (text.starts_with(row.magic)) {
      return FailedPrecondition("the file is %s", row.advice);
    }
  }
  text = WithoutMark(text);
  if (!text.starts_with('{')) return false;
  auto header = TakeHeader(&text);
  return header.ok() && FindMember(*header, "version") != nullptr;
}

absl::Status ReadCast(std::string_view text, const CastReading& reading,
                      const std::function<void(const CastHeader&)>& begin,
                      const CastSink& sink) {
  text = WithoutMark(text);
  auto json = TakeHeader(&text);
  if (!json.ok()) {
    return FailedPrecondition("line 1 is not an asciicast header");
  }
  ASSIGN_OR_RETURN(CastHeader header, ParseHeader(*json));
  if (header.size.rows == 0 || header.size.cols == 0) {
    if (reading.warn) {
      reading.warn(absl::StrFormat(
          "the recording has no size (%dx%d): %dx%d is taken", header.size.rows,
          header.size.cols, reading.fallback.rows, reading.fallback.cols));
    }
    header.size = reading.fallback;
  }
  begin(header);
  EventReader reader(header.version, reading, sink);
  if (header.version == 1) {
    ReadVersion1(*json, &reader);
  } else {
    ReadLines(text, &reader);
  }
  return absl::OkStatus();
}

}  // namespace glasstty::record
