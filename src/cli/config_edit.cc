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
  size_t begin = 0;  // the beginning of the key
  size_t value = 0;
  size_t value_end = 0;
  size_t comma = std::string::npos;  // the comma after the value
};

struct Object {
  size_t open = 0;   // where its '{' is
  size_t close = 0;  // where its '}' is
  std::vector<Member> members;
  bool ends_in_comma = false;
};

// Parses as much of the text as needed to find the members of one object.
// Values are skipped by their brackets, so nesting uses no stack.
class Scanner {
 public:
  Scanner(std::string_view text, size_t at) : text_(text), at_(at) {}

  // The error says what is wrong, and in which line.
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
      if (object.ends_in_comma) object.members.back().comma = at_++;
    }
    object.close = at_++;
    return object;
  }

  // Checks that only blanks and comments are left.
  absl::Status ExpectEnd() {
    RETURN_IF_ERROR(Skip());
    return at_ == text_.size() ? absl::OkStatus() : Wrong();
  }

 private:
  // Returns '\0' at the end, which no valid text contains in these positions.
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

  // Skips blanks and comments.
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

  bool AtQuote() const { return Peek() == '"' || Peek() == '\''; }

  absl::Status SkipString() {
    if (!AtQuote()) return Wrong();
    char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    return Expect(quote);
  }

  absl::StatusOr<std::string> ReadKey() {
    size_t begin = at_;
    if (!AtQuote()) {
      while (std::isalnum(static_cast<unsigned char>(Peek())) != 0 ||
             Peek() == '_' || Peek() == '$') {
        ++at_;
      }
      if (at_ == begin) return Wrong();
      return std::string(text_.substr(begin, at_ - begin));
    }
    char quote = Peek();
    RETURN_IF_ERROR(SkipString());
    std::string written(text_.substr(begin, at_ - begin));
    if (quote == '\'') return written.substr(1, written.size() - 2);
    auto key = ParseJson(written);
    if (!key.ok()) return Wrong();
    return AsString(*key).value_or("");
  }

  absl::Status SkipValue() {
    size_t depth = 0;
    do {
      RETURN_IF_ERROR(Skip());
      char c = Peek();
      if (c == '"' || c == '\'') {
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
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$"
            "+-.";
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

// Returns the blanks between the start of the line and `at`; nullopt if there
// is anything else.
std::optional<std::string> IndentAt(std::string_view text, size_t at) {
  size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  if (at > 0 && text.rfind('\n', at - 1) == std::string_view::npos) line = 0;
  std::string_view indent = text.substr(line, at - line);
  if (indent.find_first_not_of(" \t") != std::string_view::npos) {
    return std::nullopt;
  }
  return std::string(indent);
}

// The formatting of the file.
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

// Formats an object on several lines, all but the first indented by `indent`,
// and any other value on one line.
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

// Returns the end of the content before the closing brace, including comments.
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
      // Everything is on one line, so it stays on one line.
      size_t at = object.members.back().value_end;
      return text.insert(at, ", " + name + DumpJson(value));
    }
  }
  size_t end = EndOfContent(text, object);
  std::string outer = IndentAt(text, object.open).value_or("");
  if (!indent) {
    // The brace may follow its key, so the line's own indentation counts.
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

// Compares a value in the text with `value`. A value with comments is never
// equal to ours.
bool SameValue(std::string_view text, const Json& value) {
  auto parsed = ParseJson(text);
  return parsed.ok() && *parsed == value;
}

// The existing part of a path: `object` is the innermost object on it, and
// `member` is the last member, path.back(), if it exists.
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

namespace {

// Returns the end of the line if only blanks follow `at` on it, or else
// nullopt.
std::optional<size_t> BlankToLineEnd(std::string_view text, size_t at) {
  size_t rest = text.find_first_not_of(" \t\r", at);
  if (rest == std::string_view::npos) return text.size();
  if (text[rest] != '\n') return std::nullopt;
  return rest + 1;
}

// Returns the path of our entry.
std::vector<std::string> EntryPath(const ClientRow& client) {
  std::vector<std::string> path = Split(client.servers, '.');
  path.emplace_back(kServerName);
  return path;
}

std::string TableOf(const ClientRow& client) {
  return std::string(client.servers) + "." + kServerName;
}

// Returns the program in a value, which is a string, or a list of the program
// and its arguments.
std::string ProgramIn(const Json& command) {
  const Json& first =
      command.is_array() && !command.empty() ? command[0] : command;
  return AsString(first).value_or("");
}

std::optional<std::string> JsonProgram(std::string_view text,
                                       const ClientRow& client) {
  std::vector<std::string> path = EntryPath(client);
  auto entry = Locate(text, path);
  if (!entry.ok() || !entry->member) return std::nullopt;
  path.emplace_back(client.program_key);
  auto command = Locate(text, path);
  if (!command.ok() || !command->member) return "";
  const Member& member = *command->member;
  auto value =
      ParseJson(text.substr(member.value, member.value_end - member.value));
  return value.ok() ? ProgramIn(*value) : "";
}

}  // namespace

absl::StatusOr<std::string> RemoveJsonMember(
    std::string text, const std::vector<std::string>& path) {
  if (IsBlank(text)) return text;
  ASSIGN_OR_RETURN(Place place, Locate(text, path));
  if (!place.member) return text;
  const std::vector<Member>& members = place.object.members;
  size_t index = 0;
  while (members[index].begin != place.member->begin) ++index;
  const Member& member = members[index];
  bool is_last = index + 1 == members.size();
  size_t begin = member.begin;
  size_t end =
      member.comma == std::string::npos ? member.value_end : member.comma + 1;
  std::optional<std::string> indent = IndentAt(text, begin);
  std::optional<size_t> line_end = BlankToLineEnd(text, end);
  if (indent && line_end) {
    begin -= indent->size();
    end = *line_end;
  } else if (!is_last) {
    end = members[index + 1].begin;
  } else if (index > 0) {
    // If a comma follows the removed member, the member before it keeps its
    // comma, too.
    begin = member.comma == std::string::npos ? members[index - 1].value_end
                                              : members[index - 1].comma + 1;
  }
  text.erase(begin, end - begin);
  size_t comma = index > 0 ? members[index - 1].comma : std::string::npos;
  bool has_comma_before = comma != std::string::npos && comma < begin;
  if (is_last && has_comma_before && !place.object.ends_in_comma) {
    text.erase(comma, 1);
  }
  size_t inner = place.object.open + 1;
  size_t rest = text.find_first_not_of(" \t\r\n", inner);
  if (rest != std::string::npos && text[rest] == '}') {
    text.erase(inner, rest - inner);
  }
  return text;
}

namespace {

// The members of an entry for a server at an address, in all clients. Codex
// loads no configuration that has one of them beside a program.
constexpr const char* kAddressMembers[] = {
    "url",           "serverUrl",        "httpUrl",      "headers",
    "http_headers",  "env_http_headers", "bearer_token", "bearer_token_env_var",
    "oauth_resource"};

// Removes the members of an address from an entry that starts a program. The
// type of such an entry is wrong, too, unless `entry` has replaced it.
absl::StatusOr<std::string> WithoutAddress(std::string text,
                                           const std::vector<std::string>& path,
                                           const Json& entry) {
  auto remove = [&path, &text](const char* name) {
    std::vector<std::string> member = path;
    member.emplace_back(name);
    return RemoveJsonMember(text, member);
  };
  bool had_address = false;
  for (const char* name : kAddressMembers) {
    ASSIGN_OR_RETURN(std::string rest, remove(name));
    had_address |= rest != text;
    text = std::move(rest);
  }
  if (!had_address || entry.contains("type")) return text;
  return remove("type");
}

absl::StatusOr<std::string> AddToToml(std::string_view text,
                                      const std::string& table,
                                      const Json& entry) {
  ASSIGN_OR_RETURN(std::string result,
                   SetTomlKeys(std::string(text), table, entry));
  for (const char* name : kAddressMembers) {
    std::string key = table + "." + name;
    ASSIGN_OR_RETURN(result, RemoveTomlTable(std::move(result), key));
  }
  return result;
}

absl::StatusOr<std::string> AddToBody(std::string_view text,
                                      const ClientRow& client,
                                      const std::string& program) {
  Json entry = client.entry(program);
  switch (client.format) {
    case ClientRow::Format::kToml:
      return AddToToml(text, TableOf(client), entry);
    case ClientRow::Format::kYaml:
      return SetYamlEntry(std::string(text), client.servers, kServerName, entry,
                          client.program_key);
    case ClientRow::Format::kJson:
      break;
  }
  std::vector<std::string> path = EntryPath(client);
  std::string result = OrEmptyObject(std::string(text));
  ASSIGN_OR_RETURN(Place place, Locate(result, path));
  // In an existing entry, only our members are set, so members that the user
  // has added are kept.
  if (!place.member) return SetJsonMember(std::move(result), path, entry);
  for (auto item = entry.begin(); item != entry.end(); ++item) {
    std::vector<std::string> member = path;
    member.push_back(item.key());
    ASSIGN_OR_RETURN(result,
                     SetJsonMember(std::move(result), member, item.value()));
  }
  return WithoutAddress(std::move(result), path, entry);
}

absl::StatusOr<std::string> RemoveFromBody(std::string_view text,
                                           const ClientRow& client) {
  switch (client.format) {
    case ClientRow::Format::kToml:
      return RemoveTomlTable(std::string(text), TableOf(client));
    case ClientRow::Format::kYaml:
      return RemoveYamlEntry(std::string(text), client.servers, kServerName);
    case ClientRow::Format::kJson:
      break;
  }
  return RemoveJsonMember(std::string(text), EntryPath(client));
}

// Some editors begin a file with a byte order mark, which is no part of the
// format.
std::string_view MarkOf(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.substr(0, text.starts_with(kMark) ? kMark.size() : 0);
}

}  // namespace

absl::StatusOr<std::string> AddServer(std::string_view text,
                                      const ClientRow& client,
                                      const std::string& program) {
  const std::string mark(MarkOf(text));
  ASSIGN_OR_RETURN(std::string body,
                   AddToBody(text.substr(mark.size()), client, program));
  return mark + body;
}

absl::StatusOr<std::string> RemoveServer(std::string_view text,
                                         const ClientRow& client) {
  const std::string mark(MarkOf(text));
  ASSIGN_OR_RETURN(std::string body,
                   RemoveFromBody(text.substr(mark.size()), client));
  return mark + body;
}

std::optional<std::string> ServerProgram(std::string_view text,
                                         const ClientRow& client) {
  text.remove_prefix(MarkOf(text).size());
  switch (client.format) {
    case ClientRow::Format::kToml: {
      auto value = TomlValue(text, TableOf(client), client.program_key);
      if (!value) return std::nullopt;
      return ProgramIn(*value);
    }
    case ClientRow::Format::kYaml:
      return YamlMember(text, client.servers, kServerName, client.program_key);
    case ClientRow::Format::kJson:
      break;
  }
  return JsonProgram(text, client);
}

}  // namespace glasstty
