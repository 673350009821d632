// Times are kept in whole microseconds, so the intervals of v3 add up exactly
// to the times of v2, even in long recordings.
#include "record/cast.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "support/json.h"

namespace glasstty::record {
namespace {

// The codes of events, in the order of CastEvent::Type.
constexpr const char* kCodes[] = {"o", "i", "r", "m", "x"};

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
  for (const auto& [key, value] : header.others.items()) {
    if (key == "theme" && header.version == 3) {
      json["term"][key] = value;
    } else if (value.is_object()) {
      // `env` and `term` may be there already.
      json[key].update(value);
    } else {
      json[key] = value;
    }
  }
  return json;
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
      WriteLine(event.us, kCodes[static_cast<size_t>(event.type)], event.data);
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

}  // namespace glasstty::record
