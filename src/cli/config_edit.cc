#include "cli/config_edit.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "support/status.h"
#include "support/text.h"

namespace glasstty {
namespace {

// ---- JSON with comments

// A member of an object, as offsets into the text.
struct Member {
  std::string key;
  size_t begin = 0;  // of the key
  size_t value = 0;
  size_t value_end = 0;
};

struct Object {
  size_t open = 0;   // '{'
  size_t close = 0;  // '}'
  std::vector<Member> members;
  bool ends_in_comma = false;
};

// Reads as much of the text as is needed to know where the members of one
// object are. Values are skipped by their brackets, so nesting costs no stack.
class Scanner {
 public:
  Scanner(std::string_view text, size_t at) : text_(text), at_(at) {}

  // Error: what is wrong, and in which line.
  absl::StatusOr<Object> ReadObject() {
    Object object;
    RETURN_IF_ERROR(Skip());
    object.open = at_;
    RETURN_IF_ERROR(Expect('{'));
    while (true) {
      RETURN_IF_ERROR(Skip());
      if (Peek() == '}') break;
      if (!object.members.empty() && !object.ends_in_comma) return Wrong();
      Member member;
      member.begin = at_;
      ASSIGN_OR_RETURN(member.key, ReadKey());
      RETURN_IF_ERROR(Skip());
      RETURN_IF_ERROR(Expect(':'));
      RETURN_IF_ERROR(Skip());
      member.value = at_;
      RETURN_IF_ERROR(SkipValue());
      member.value_end = at_;
      object.members.push_back(std::move(member));
      RETURN_IF_ERROR(Skip());
      object.ends_in_comma = Peek() == ',';
      if (object.ends_in_comma) ++at_;
    }
    object.close = at_++;
    return object;
  }

  // Only blanks and comments are left.
  absl::Status ExpectEnd() {
    RETURN_IF_ERROR(Skip());
    return at_ == text_.size() ? absl::OkStatus() : Wrong();
  }

 private:
  // '\0' at the end, which no valid text has in these places.
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  absl::Status Wrong() const {
    auto line = std::count(text_.begin(), text_.begin() + at_, '\n') + 1;
    return InvalidArgument("line %d is not valid JSON", line);
  }

  absl::Status Expect(char c) {
    if (Peek() != c) return Wrong();
    ++at_;
    return absl::OkStatus();
  }

  // Blanks and comments.
  absl::Status Skip() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        ++at_;
      } else if (text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_, 2) == "/*") {
        size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) return Wrong();
        at_ = end + 2;
      } else {
        break;
      }
    }
    return absl::OkStatus();
  }

  absl::Status SkipString() {
    RETURN_IF_ERROR(Expect('"'));
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    return Expect('"');
  }

  absl::StatusOr<std::string> ReadKey() {
    size_t begin = at_;
    RETURN_IF_ERROR(SkipString());
    auto key = ParseJson(text_.substr(begin, at_ - begin));
    if (!key.ok()) return Wrong();
    return AsString(*key).value_or("");
  }

  absl::Status SkipValue() {
    size_t depth = 0;
    do {
      RETURN_IF_ERROR(Skip());
      char c = Peek();
      if (c == '"') {
        RETURN_IF_ERROR(SkipString());
      } else if (c == '{' || c == '[') {
        ++depth;
        ++at_;
      } else if ((c == '}' || c == ']') && depth > 0) {
        --depth;
        ++at_;
      } else if ((c == ',' || c == ':') && depth > 0) {
        ++at_;
      } else {
        size_t begin = at_;
        constexpr std::string_view kScalar =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.";
        while (kScalar.find(Peek()) != std::string_view::npos && Peek() != 0) {
          ++at_;
        }
        if (at_ == begin) return Wrong();
      }
    } while (depth > 0);
    return absl::OkStatus();
  }

  const std::string_view text_;
  size_t at_;
};

const Member* FindMember(const Object& object, const std::string& key) {
  for (const Member& member : object.members) {
    if (member.key == key) return &member;
  }
  return nullptr;
}

// Blanks between the start of the line and `at`; nullopt when something else
// stands there.
std::optional<std::string> IndentAt(std::string_view text, size_t at) {
  size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  if (at > 0 && text.rfind('\n', at - 1) == std::string_view::npos) line = 0;
  std::string_view indent = text.substr(line, at - line);
  if (indent.find_first_not_of(" \t") != std::string_view::npos) {
    return std::nullopt;
  }
  return std::string(indent);
}

// How the file is written.
struct Style {
  std::string unit = "  ";
  std::string newline = "\n";
};

Style StyleOf(std::string_view text, const Object& root) {
  Style style;
  if (text.find("\r\n") != std::string_view::npos) style.newline = "\r\n";
  if (root.members.empty()) return style;
  auto indent = IndentAt(text, root.members[0].begin);
  if (indent && !indent->empty()) style.unit = *indent;
  return style;
}

// `value` over several lines, those after the first indented by `indent`.
std::string Written(const Json& value, const Style& style,
                    const std::string& indent) {
  bool simple = !value.is_object() || value.empty();
  if (simple) return DumpJson(value);
  std::string text = "{";
  std::string inner = indent + style.unit;
  for (auto item = value.begin(); item != value.end(); ++item) {
    if (item != value.begin()) text += ",";
    text += style.newline + inner + DumpJson(Json(item.key())) + ": " +
            Written(item.value(), style, inner);
  }
  return text + style.newline + indent + "}";
}

// The end of what stands before the closing brace, comments included.
size_t EndOfContent(std::string_view text, const Object& object) {
  size_t end = object.close;
  while (end > object.open + 1 &&
         std::isspace(static_cast<unsigned char>(text[end - 1])) != 0) {
    --end;
  }
  return end;
}

std::string Insert(std::string text, const Object& object,
                   const std::string& key, const Json& value,
                   const Style& style) {
  std::string name = DumpJson(Json(key)) + ": ";
  std::optional<std::string> indent;
  if (!object.members.empty()) {
    indent = IndentAt(text, object.members[0].begin);
    if (!indent) {
      // All on one line, and so it stays.
      size_t at = object.members.back().value_end;
      return text.insert(at, ", " + name + DumpJson(value));
    }
  }
  size_t end = EndOfContent(text, object);
  std::string outer = IndentAt(text, object.open).value_or("");
  if (!indent) {
    // The brace may stand behind its key: the line's own indentation counts.
    size_t line = text.rfind('\n', object.open);
    size_t begin = line == std::string::npos ? 0 : line + 1;
    size_t first = text.find_first_not_of(" \t", begin);
    outer = text.substr(begin, first - begin);
    indent = outer + style.unit;
  }
  std::string added =
      style.newline + *indent + name + Written(value, style, *indent);
  if (object.ends_in_comma) added += ",";
  bool closes_on_own_line = text.find('\n', end) < object.close;
  if (!closes_on_own_line) added += style.newline + outer;
  text.insert(end, added);
  bool needs_comma = !object.members.empty() && !object.ends_in_comma;
  if (needs_comma) text.insert(object.members.back().value_end, ",");
  return text;
}

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// The value that a span of the text stands for; nullopt for one with comments,
// which is never equal to ours.
bool SameValue(std::string_view text, const Json& value) {
  auto parsed = ParseJson(text);
  return parsed.ok() && *parsed == value;
}

// How far a path leads: to the member path[depth] of `object`, if it is there.
struct Place {
  Object object;
  size_t depth = 0;
  std::optional<Member> member;
  Style style;
};

absl::StatusOr<Place> Locate(std::string_view text,
                             const std::vector<std::string>& path) {
  Place place;
  Scanner whole(text, 0);
  ASSIGN_OR_RETURN(place.object, whole.ReadObject());
  RETURN_IF_ERROR(whole.ExpectEnd());
  place.style = StyleOf(text, place.object);
  while (true) {
    const Member* member = FindMember(place.object, path[place.depth]);
    if (member == nullptr) return place;
    if (place.depth + 1 == path.size()) {
      place.member = *member;
      return place;
    }
    if (text[member->value] != '{') {
      return InvalidArgument("\"%s\" is not an object", path[place.depth]);
    }
    ASSIGN_OR_RETURN(Object inner, Scanner(text, member->value).ReadObject());
    place.object = std::move(inner);
    ++place.depth;
  }
}

std::string OrEmptyObject(std::string text) {
  return IsBlank(text) ? "{\n}\n" : std::move(text);
}

}  // namespace

absl::StatusOr<std::string> SetJsonMember(std::string text,
                                          const std::vector<std::string>& path,
                                          const Json& value) {
  text = OrEmptyObject(std::move(text));
  ASSIGN_OR_RETURN(Place place, Locate(text, path));
  if (!place.member) {
    Json missing = value;
    for (size_t i = path.size() - 1; i > place.depth; --i) {
      missing = Json{{path[i], std::move(missing)}};
    }
    return Insert(std::move(text), place.object, path[place.depth], missing,
                  place.style);
  }
  const Member& member = *place.member;
  size_t size = member.value_end - member.value;
  if (SameValue(std::string_view(text).substr(member.value, size), value)) {
    return text;
  }
  std::string indent = IndentAt(text, member.begin).value_or("");
  text.replace(member.value, size, Written(value, place.style, indent));
  return text;
}

// ---- TOML

namespace {

struct TomlLine {
  size_t begin = 0, end = 0;  // without the line end
};

// Lines of tables and keys; those inside strings of several lines are left out,
// as is what continues an array.
std::vector<TomlLine> TomlLines(std::string_view text) {
  std::vector<TomlLine> lines;
  std::string_view open_string;
  int brackets = 0;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    bool starts = open_string.empty() && brackets == 0;
    if (starts) lines.push_back({at, end});
    bool is_table = starts && line.substr(line.find_first_not_of(" \t") ==
                                                  std::string_view::npos
                                              ? line.size()
                                              : line.find_first_not_of(" \t"))
                                  .starts_with("[");
    for (size_t i = 0; i < line.size() && !is_table;) {
      if (!open_string.empty()) {
        size_t close = line.find(open_string, i);
        if (close == std::string_view::npos) break;
        i = close + open_string.size();
        open_string = {};
      } else if (line.substr(i, 3) == "\"\"\"" || line.substr(i, 3) == "'''") {
        open_string = line[i] == '"' ? "\"\"\"" : "'''";
        i += 3;
      } else if (line[i] == '"' || line[i] == '\'') {
        char quote = line[i++];
        while (i < line.size() && line[i] != quote) {
          i += quote == '"' && line[i] == '\\' ? 2 : 1;
        }
        ++i;
      } else if (line[i] == '#') {
        break;
      } else {
        brackets += line[i] == '[' || line[i] == '{';
        brackets -= line[i] == ']' || line[i] == '}';
        ++i;
      }
    }
    at = end + 1;
  }
  return lines;
}

// Bytes of a value at the start of `text`, which may hold a comment behind it.
size_t TomlValueSize(std::string_view text) {
  size_t end = 0;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote != 0) {
      if (quote == '"' && c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#' &&
               text.substr(0, i).find('\n') == std::string_view::npos) {
      break;
    }
    if (c != ' ' && c != '\t' && c != '\r') end = std::min(i + 1, text.size());
  }
  return end;
}

// Without blanks and quotes around the parts of a key: `[ a."b" ]` is `[a.b]`.
std::string PlainTable(std::string_view line) {
  std::string plain;
  for (char c : line.substr(0, line.find('#'))) {
    if (c != ' ' && c != '\t' && c != '\r' && c != '"' && c != '\'') plain += c;
  }
  return plain;
}

}  // namespace

absl::StatusOr<std::string> SetTomlKeys(std::string text,
                                        const std::string& table,
                                        const Json& values) {
  std::string newline = text.find("\r\n") != std::string::npos ? "\r\n" : "\n";
  std::vector<TomlLine> lines = TomlLines(text);
  auto line_text = [&text](const TomlLine& line) {
    return std::string_view(text).substr(line.begin, line.end - line.begin);
  };
  size_t header = 0;
  while (header < lines.size() &&
         PlainTable(line_text(lines[header])) != "[" + table + "]") {
    ++header;
  }
  if (header == lines.size()) {
    if (!text.empty() && text.back() != '\n') text += newline;
    if (!text.empty()) text += newline;
    text += "[" + table + "]" + newline;
    for (auto item = values.begin(); item != values.end(); ++item) {
      text += item.key() + " = " + DumpJson(item.value()) + newline;
    }
    return text;
  }
  size_t after = std::min(lines[header].end + 1, text.size());
  for (auto item = values.begin(); item != values.end(); ++item) {
    std::string wanted = item.key() + " = " + DumpJson(item.value());
    // Looked for anew each time: the text has changed.
    lines = TomlLines(text);
    bool found = false;
    for (size_t i = header + 1; i < lines.size() && !found; ++i) {
      std::string plain = PlainTable(line_text(lines[i]));
      if (plain.starts_with("[")) break;
      found = plain.starts_with(item.key() + "=");
      if (!found) continue;
      size_t end = i + 1 < lines.size() ? lines[i + 1].begin : text.size();
      while (end > lines[i].begin &&
             std::isspace(static_cast<unsigned char>(text[end - 1])) != 0) {
        --end;
      }
      size_t value = text.find('=', lines[i].begin) + 1;
      while (value < end && text[value] == ' ') ++value;
      size_t value_end = value + TomlValueSize(std::string_view(text).substr(
                                     value, end - value));
      std::string_view now =
          std::string_view(text).substr(value, value_end - value);
      if (!SameValue(now, item.value())) {
        text.replace(value, value_end - value, DumpJson(item.value()));
      }
    }
    if (!found) {
      bool at_line = after > 0 && text[after - 1] == '\n';
      std::string added = (at_line ? "" : newline) + wanted + newline;
      text.insert(after, added);
      after += added.size();
    }
  }
  return text;
}

absl::StatusOr<std::string> AddServer(std::string_view text,
                                      const ClientRow& client,
                                      const std::string& program) {
  Json entry = client.entry(program);
  if (client.format == ClientRow::Format::kToml) {
    return SetTomlKeys(std::string(text),
                       std::string(client.servers) + "." + kServerName, entry);
  }
  std::vector<std::string> path = Split(client.servers, '.');
  path.emplace_back(kServerName);
  std::string result = OrEmptyObject(std::string(text));
  ASSIGN_OR_RETURN(Place place, Locate(result, path));
  // Whole where there is none; else member by member, beside what the user has
  // added.
  if (!place.member) return SetJsonMember(std::move(result), path, entry);
  for (auto item = entry.begin(); item != entry.end(); ++item) {
    std::vector<std::string> member = path;
    member.push_back(item.key());
    ASSIGN_OR_RETURN(result,
                     SetJsonMember(std::move(result), member, item.value()));
  }
  return result;
}

}  // namespace glasstty
