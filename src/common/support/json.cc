#include "support/json.h"

#include <array>
#include <cmath>

#include "base/utf8.h"
#include "base/visible.h"
#include "support/status.h"

namespace glasstty {
namespace {

// The parser compares each new member with all earlier ones of its object. A
// text may cause as many comparisons as one object of kMaxJsonMembers does.
constexpr size_t kMostComparisons = kMaxJsonMembers * (kMaxJsonMembers - 1) / 2;

// Refuses a text that would overflow the stack, or take long to parse, without
// building anything. Outside strings, each colon belongs to a member.
absl::Status CheckShape(std::string_view text) {
  constexpr size_t kMaxDepth = kMaxJsonDepth;
  std::array<size_t, kMaxDepth + 1> members{};  // so far, by depth
  size_t depth = 0, comparisons = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxDepth) {
        return InvalidArgument("JSON nested deeper than %d", kMaxJsonDepth);
      }
      members[depth] = 0;
    } else if (c == ']' || c == '}') {
      if (depth > 0) --depth;
    } else if (c == ':') {
      comparisons += members[depth]++;
      if (comparisons > kMostComparisons) {
        return InvalidArgument(
            "JSON with too many members in its objects (one object may have "
            "%d)",
            kMaxJsonMembers);
      }
    }
  }
  return absl::OkStatus();
}

// Reads the four hex digits of a \u escape at the start of `text`.
std::optional<uint32_t> HexQuad(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  uint32_t value = 0;
  for (char c : text.substr(0, 4)) {
    uint32_t digit;
    if (c >= '0' && c <= '9') {
      digit = static_cast<uint32_t>(c - '0');
    } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
      digit = static_cast<uint32_t>((c | 0x20) - 'a' + 10);
    } else {
      return std::nullopt;
    }
    value = value << 4 | digit;
  }
  return value;
}

// Returns the length of a surrogate escape at the start of `text`: 12 for a
// pair, 6 for a lone one, 0 for none.
size_t SurrogateEscape(std::string_view text) {
  if (text.substr(0, 2) != "\\u") return 0;
  auto high = HexQuad(text.substr(2));
  if (!high || *high < 0xD800 || *high >= 0xE000) return 0;
  if (*high >= 0xDC00 || text.substr(6, 2) != "\\u") return 6;
  auto low = HexQuad(text.substr(8));
  return low && *low >= 0xDC00 && *low < 0xE000 ? 12 : 6;
}

// Replaces invalid UTF-8 and lone surrogate escapes by U+FFFD. Some clients cut
// text in the middle of a surrogate pair. If such a line were refused, the id
// of the request would be lost, and the client would wait for ever.
std::string Mended(std::string_view text) {
  std::string valid = ToValidUtf8(text);
  std::string out;
  out.reserve(valid.size());
  std::string_view rest = valid;
  while (!rest.empty()) {
    size_t surrogate = SurrogateEscape(rest);
    size_t take = rest[0] == '\\' ? std::min<size_t>(2, rest.size()) : 1;
    if (surrogate == 6) {
      out += "\\ufffd";
      take = 6;
    } else {
      take = std::max(take, surrogate);
      out += rest.substr(0, take);
    }
    rest.remove_prefix(take);
  }
  return out;
}

}  // namespace

absl::StatusOr<Json> ParseJson(std::string_view text) {
  RETURN_IF_ERROR(CheckShape(text));
  Json value = Json::parse(text, nullptr, false);
  // Repair the text only if necessary, because repairing copies it.
  if (value.is_discarded()) value = Json::parse(Mended(text), nullptr, false);
  if (value.is_discarded()) return InvalidArgument("not valid JSON");
  return value;
}

namespace {

// JSON allows DEL and the C1 controls in a string, but a terminal on which the
// JSON is printed may obey them.
std::string EscapeRawControls(std::string json) {
  if (!HasControls(json)) return json;
  std::string out;
  size_t done = 0;
  for (size_t at = 0;
       (at = json.find_first_of("\x7F\xC2", at)) != std::string::npos; ++at) {
    bool is_delete = json[at] == '\x7F';
    auto next = static_cast<unsigned char>(is_delete ? 0 : json[at + 1]);
    if (!is_delete && next >= 0xA0) continue;
    out.append(json, done, at - done);
    out += absl::StrFormat("\\u%04x", is_delete ? 0x7F : next);
    done = at + (is_delete ? 1 : 2);
  }
  if (done == 0) return json;
  return out + json.substr(done);
}

}  // namespace

std::string DumpJson(const Json& value) {
  return EscapeRawControls(
      value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::optional<int64_t> AsInteger(const Json& value) {
  if (value.is_number_unsigned()) {
    auto v = value.get<uint64_t>();
    if (v > static_cast<uint64_t>(INT64_MAX)) return std::nullopt;
    return static_cast<int64_t>(v);
  }
  if (value.is_number_integer()) return value.get<int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  auto v = value.get<double>();
  // Above 2^53, a double no longer distinguishes neighbouring integers.
  if (std::trunc(v) != v || std::abs(v) > 9007199254740992.0) {
    return std::nullopt;
  }
  return static_cast<int64_t>(v);
}

std::optional<double> AsNumber(const Json& value) {
  if (!value.is_number()) return std::nullopt;
  auto v = value.get<double>();
  if (!std::isfinite(v)) return std::nullopt;
  return v;
}

std::optional<bool> AsBool(const Json& value) {
  if (!value.is_boolean()) return std::nullopt;
  return value.get<bool>();
}

std::optional<std::string> AsString(const Json& value) {
  if (!value.is_string()) return std::nullopt;
  return value.get_ref<const std::string&>();
}

const Json* FindMember(const Json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  auto it = object.find(std::string(key));
  return it == object.end() ? nullptr : &*it;
}

}  // namespace glasstty
