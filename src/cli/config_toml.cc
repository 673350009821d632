// Edits TOML, for config_edit.h.
#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "cli/config_edit.h"
#include "support/status.h"

namespace glasstty {
namespace {

// A value with comments is never equal to ours.
bool TomlValueIs(std::string_view text, const Json& value) {
  auto parsed = ParseJson(text);
  return parsed.ok() && *parsed == value;
}

struct TomlLine {
  size_t begin = 0, end = 0;  // without the line end
};

// Returns the lines of tables and keys, but neither lines inside multi-line
// strings nor continuations of arrays.
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

// Returns the size of the value at the start of `text`, which may contain a
// comment after it.
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

// Removes blanks and quotes around the parts of a key: `[ a."b" ]` is `[a.b]`.
std::string PlainTable(std::string_view line) {
  std::string plain;
  for (char c : line.substr(0, line.find('#'))) {
    if (c != ' ' && c != '\t' && c != '\r' && c != '"' && c != '\'') plain += c;
  }
  return plain;
}

std::string_view TextOf(std::string_view text, const TomlLine& line) {
  return text.substr(line.begin, line.end - line.begin);
}

bool IsBlankLine(std::string_view text, const TomlLine& line) {
  return TextOf(text, line).find_first_not_of(" \t\r") ==
         std::string_view::npos;
}

}  // namespace

absl::StatusOr<std::string> SetTomlKeys(std::string text,
                                        const std::string& table,
                                        const Json& values) {
  std::string newline = text.find("\r\n") != std::string::npos ? "\r\n" : "\n";
  std::vector<TomlLine> lines = TomlLines(text);
  auto line_text = [&text](const TomlLine& line) { return TextOf(text, line); };
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
    // Search again each time, because the text has changed.
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
      if (!TomlValueIs(now, item.value())) {
        text.replace(value, value_end - value, DumpJson(item.value()));
      }
    }
    if (!found) {
      bool at_line = after > 0 && text[after - 1] == '\n';
      std::string added = at_line ? wanted : newline + wanted;
      added += newline;
      text.insert(after, added);
      after += added.size();
    }
  }
  return text;
}

// A table may be followed by tables below it, such as `[table.env]`. Comments
// and blank lines behind its last key belong to what follows.
std::string RemoveTomlTable(std::string text, const std::string& table) {
  const std::string own = "[" + table + "]";
  const std::string below = "[" + table + ".";
  while (true) {
    std::vector<TomlLine> lines = TomlLines(text);
    size_t header = 0;
    for (; header < lines.size(); ++header) {
      std::string plain = PlainTable(TextOf(text, lines[header]));
      if (plain == own || plain.starts_with(below)) break;
    }
    if (header == lines.size()) return text;
    size_t last = header;
    for (size_t i = header + 1; i < lines.size(); ++i) {
      std::string plain = PlainTable(TextOf(text, lines[i]));
      if (plain.starts_with("[")) break;
      if (!plain.empty()) last = i;
    }
    size_t next = last + 1;
    bool blank_before = header > 0 && IsBlankLine(text, lines[header - 1]);
    bool blank_after = next == lines.size() || IsBlankLine(text, lines[next]);
    size_t first = blank_before && blank_after ? header - 1 : header;
    size_t end = next == lines.size() ? text.size() : lines[next].begin;
    text.erase(lines[first].begin, end - lines[first].begin);
  }
}

std::optional<Json> TomlValue(std::string_view text, const std::string& table,
                              const std::string& key) {
  bool inside = false;
  for (const TomlLine& line : TomlLines(text)) {
    std::string_view written = TextOf(text, line);
    std::string plain = PlainTable(written);
    if (plain.starts_with("[")) inside = plain == "[" + table + "]";
    if (!inside || !plain.starts_with(key + "=")) continue;
    std::string_view value = written.substr(written.find('=') + 1);
    value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
    auto parsed = ParseJson(value.substr(0, TomlValueSize(value)));
    return parsed.ok() ? *parsed : Json();
  }
  return std::nullopt;
}

}  // namespace glasstty
