// Edits YAML for config_edit.h: one entry of a mapping at the top level. Both
// must be in block style, in which programs write YAML.
#include <algorithm>
#include <utility>

#include "cli/config_edit.h"
#include "support/status.h"

namespace glasstty {
namespace {

struct YamlLine {
  size_t begin = 0;
  size_t end = 0;  // the offset after the newline
  size_t indent = 0;
  std::string key;    // without quotes; "" if the line has none
  size_t value = 0;   // the offset of what follows the colon
  bool blank = true;  // has nothing, or only a comment
};

// Fills in `key` and `value` if the line is like ` "name": value`.
void ReadKey(std::string_view text, YamlLine* line) {
  size_t begin = line->begin + line->indent;
  bool quoted = text[begin] == '"' || text[begin] == '\'';
  size_t from = quoted ? begin + 1 : begin;
  size_t to =
      quoted ? text.find(text[begin], from) : text.find_first_of(":# \n", from);
  size_t colon = quoted && to < line->end ? to + 1 : to;
  if (colon >= line->end || text[colon] != ':') return;
  line->key = std::string(text.substr(from, to - from));
  line->value = colon + 1;
}

std::vector<YamlLine> YamlLines(std::string_view text) {
  std::vector<YamlLine> lines;
  for (size_t at = 0; at < text.size();) {
    YamlLine line;
    line.begin = at;
    size_t newline = text.find('\n', at);
    line.end = newline == std::string_view::npos ? text.size() : newline + 1;
    size_t first = text.find_first_not_of(' ', at);
    bool has_text = first < line.end && text[first] != '\n' &&
                    text[first] != '\r' && text[first] != '#';
    line.indent = std::min(first, line.end) - at;
    line.blank = !has_text;
    if (has_text) ReadKey(text, &line);
    at = line.end;
    lines.push_back(std::move(line));
  }
  return lines;
}

// Returns the rest of the line after the colon, without blanks and a comment.
std::string_view ValueOf(std::string_view text, const YamlLine& line) {
  std::string_view value = text.substr(line.value, line.end - line.value);
  size_t comment = value.find(" #");
  value = value.substr(0, comment);
  size_t begin = value.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return value.substr(0, 0);
  size_t end = value.find_last_not_of(" \t\r\n");
  return value.substr(begin, end - begin + 1);
}

// A range of lines.
struct Block {
  size_t first = 0;  // the line with its key
  size_t last = 0;   // the last line of its content
};

// The mapping and our entry in it, as far as they exist.
struct YamlPlace {
  std::vector<YamlLine> lines;
  std::optional<Block> map;
  size_t indent = 2;  // the indentation of entries
  std::optional<Block> entry;
  bool has_others = false;
};

// Returns the block whose key is in line `first`.
Block BlockAt(const std::vector<YamlLine>& lines, size_t first) {
  Block block{first, first};
  for (size_t i = first + 1; i < lines.size(); ++i) {
    if (lines[i].blank) continue;
    if (lines[i].indent <= lines[first].indent) break;
    block.last = i;
  }
  return block;
}

// Returns an error if the document is no mapping in block style. A document may
// begin with directives and a line of dashes.
absl::Status CheckDocument(std::string_view text,
                           const std::vector<YamlLine>& lines) {
  for (size_t i = 0; i < lines.size(); ++i) {
    size_t size = lines[i].end - lines[i].begin;
    std::string_view line = text.substr(lines[i].begin, size);
    if (lines[i].blank || line.starts_with("%")) continue;
    bool is_start = line.starts_with("---");
    if (is_start) line.remove_prefix(3);
    size_t first = line.find_first_not_of(" \t\r\n");
    bool is_bare = first == std::string_view::npos || line[first] == '#';
    if (is_start && is_bare) continue;
    constexpr std::string_view kOtherStyles = "{[-";
    bool is_block = !is_start && !is_bare &&
                    kOtherStyles.find(line[first]) == std::string_view::npos;
    if (is_block) return absl::OkStatus();
    return InvalidArgument(
        "line %d: the file is not written as a block with one entry a line",
        i + 1);
  }
  return absl::OkStatus();
}

absl::StatusOr<YamlPlace> FindEntry(std::string_view text,
                                    const std::string& map,
                                    const std::string& name) {
  YamlPlace place;
  place.lines = YamlLines(text);
  const std::vector<YamlLine>& lines = place.lines;
  RETURN_IF_ERROR(CheckDocument(text, lines));
  for (size_t i = 0; i < lines.size() && !place.map; ++i) {
    if (lines[i].indent != 0 || lines[i].key != map) continue;
    std::string_view value = ValueOf(text, lines[i]);
    bool is_block =
        value.empty() || value == "{}" || value == "null" || value == "~";
    if (!is_block) {
      return InvalidArgument(
          "line %d: '%s' is not written as a block with one entry a line",
          i + 1, map);
    }
    place.map = BlockAt(lines, i);
    // A list may be indented like its key.
    size_t next = place.map->last + 1;
    while (next < lines.size() && lines[next].blank) ++next;
    if (next < lines.size() && text[lines[next].begin] == '-' &&
        !text.substr(lines[next].begin).starts_with("---")) {
      return InvalidArgument("line %d: '%s' is a list", i + 1, map);
    }
  }
  if (!place.map) return place;
  bool is_first = true;
  for (size_t i = place.map->first + 1; i <= place.map->last; ++i) {
    if (lines[i].blank) continue;
    if (std::exchange(is_first, false)) place.indent = lines[i].indent;
    if (lines[i].indent != place.indent) continue;
    bool is_ours = lines[i].key == name && !place.entry;
    if (is_ours) place.entry = BlockAt(lines, i);
    if (!is_ours) place.has_others = true;
  }
  return place;
}

// Returns the scalar as YAML: without quotes where none are needed.
std::string Scalar(const Json& value) {
  if (!value.is_string()) return DumpJson(value);
  const std::string& text = value.get_ref<const std::string&>();
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/.-";
  constexpr std::string_view kOperators = "-.0123456789";
  bool is_plain = !text.empty() &&
                  text.find_first_not_of(kPlain) == std::string::npos &&
                  kOperators.find(text[0]) == std::string_view::npos;
  return is_plain ? text : DumpJson(value);
}

std::string Written(const std::string& name, const Json& members, size_t indent,
                    const std::string& newline) {
  std::string outer(indent, ' ');
  std::string inner(indent + 2, ' ');
  std::string text = outer + name + ":" + newline;
  for (auto item = members.begin(); item != members.end(); ++item) {
    text += inner + item.key() + ":";
    if (!item.value().is_array()) {
      text += " " + Scalar(item.value()) + newline;
      continue;
    }
    text += newline;
    for (const Json& one : item.value()) {
      text += inner + "- " + Scalar(one) + newline;
    }
  }
  return text;
}

// Returns the indentation of the members of our entry.
size_t MemberIndent(const YamlPlace& place) {
  for (size_t i = place.entry->first + 1; i <= place.entry->last; ++i) {
    if (!place.lines[i].blank) return place.lines[i].indent;
  }
  return place.indent + 2;
}

// Returns the line with this key in our entry, or null.
const YamlLine* MemberLine(const YamlPlace& place, const std::string& key) {
  const YamlLine* found = nullptr;
  size_t indent = MemberIndent(place);
  for (size_t i = place.entry->first + 1; i <= place.entry->last; ++i) {
    const YamlLine& line = place.lines[i];
    if (line.blank) continue;
    if (line.indent == indent && line.key == key) found = &line;
  }
  return found;
}

std::string Unquoted(std::string_view value) {
  auto parsed = ParseJson(value);
  if (parsed.ok() && parsed->is_string()) return AsString(*parsed).value_or("");
  bool single = value.size() >= 2 && value[0] == '\'' && value.back() == '\'';
  return std::string(single ? value.substr(1, value.size() - 2) : value);
}

// Replaces the value after the colon of a line, but not the comment.
void Replace(std::string* text, const YamlLine& line, const std::string& by) {
  std::string_view now = ValueOf(*text, line);
  size_t at =
      now.empty() ? line.value : static_cast<size_t>(now.data() - text->data());
  size_t end = at + now.size();
  if (by.empty()) at = line.value;
  text->replace(at, end - at, now.empty() && !by.empty() ? " " + by : by);
}

}  // namespace

absl::StatusOr<std::string> SetYamlEntry(std::string text,
                                         const std::string& map,
                                         const std::string& name,
                                         const Json& members,
                                         const std::string& key) {
  std::string newline = text.find("\r\n") != std::string::npos ? "\r\n" : "\n";
  ASSIGN_OR_RETURN(YamlPlace place, FindEntry(text, map, name));
  if (place.entry) {
    const YamlLine& head = place.lines[place.entry->first];
    if (!ValueOf(text, head).empty()) {
      return InvalidArgument(
          "line %d: '%s' is not written as a block with one member a line",
          place.entry->first + 1, name);
    }
    const YamlLine* line = MemberLine(place, key);
    std::string wanted = Scalar(members[key]);
    if (line == nullptr) {
      std::string added(MemberIndent(place), ' ');
      added += key + ": " + wanted + newline;
      if (text[head.end - 1] != '\n') added.insert(0, newline);
      text.insert(head.end, added);
    } else if (Unquoted(ValueOf(text, *line)) != AsString(members[key])) {
      Replace(&text, *line, wanted);
    }
    return text;
  }
  std::string added = Written(name, members, place.indent, newline);
  if (!place.map) {
    if (!text.empty() && text.back() != '\n') text += newline;
    return text + map + ":" + newline + added;
  }
  const YamlLine& first = place.lines[place.map->first];
  size_t at = place.lines[place.map->last].end;
  if (text[at - 1] != '\n') added.insert(0, newline);
  text.insert(at, added);
  Replace(&text, first, "");
  return text;
}

absl::StatusOr<std::string> RemoveYamlEntry(std::string text,
                                            const std::string& map,
                                            const std::string& name) {
  ASSIGN_OR_RETURN(YamlPlace place, FindEntry(text, map, name));
  if (!place.entry) return text;
  size_t begin = place.lines[place.entry->first].begin;
  text.erase(begin, place.lines[place.entry->last].end - begin);
  // A key without a value means null, which no reader takes for a mapping.
  if (!place.has_others) Replace(&text, place.lines[place.map->first], "{}");
  return text;
}

std::optional<std::string> YamlMember(std::string_view text,
                                      const std::string& map,
                                      const std::string& name,
                                      const std::string& key) {
  auto place = FindEntry(text, map, name);
  if (!place.ok() || !place->entry) return std::nullopt;
  const YamlLine* line = MemberLine(*place, key);
  return line == nullptr ? "" : Unquoted(ValueOf(text, *line));
}

}  // namespace glasstty
