// Edits TOML, for config_edit.h.
//
// Only statements are parsed: where each begins, its key, and where its value
// ends. TOML forbids defining a table twice, so an entry that is not written as
// a table of its own is refused.
#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_format.h"
#include "cli/config_edit.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty {
namespace {

using Path = std::vector<std::string>;

struct Statement {
  enum class Kind { kNothing, kTable, kTables, kKey };

  Kind kind = Kind::kNothing;  // kNothing: a blank line or a comment
  size_t begin = 0;            // the beginning of its first line
  size_t next = 0;             // the beginning of the line after its last one
  int line = 1;                // counted from 1
  // The path from the root of the document, for keys as well.
  Path path;
  size_t value = 0;      // for a key: the beginning of its value
  size_t value_end = 0;  // the end of the value, before blanks and a comment
};

// Reads a text once, from statement to statement.
class TomlReader {
 public:
  explicit TomlReader(std::string_view text) : text_(text) {}

  std::vector<Statement> Read() {
    std::vector<Statement> statements;
    while (at_ < text_.size()) statements.push_back(ReadStatement());
    return statements;
  }

 private:
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool AtEnd() const { return at_ >= text_.size() || text_[at_] == '\n'; }
  void SkipBlanks() {
    while (Peek() == ' ' || Peek() == '\t' || Peek() == '\r') ++at_;
  }

  Statement ReadStatement() {
    Statement statement{.begin = at_, .line = line_};
    SkipBlanks();
    if (Peek() == '[') {
      bool is_list = text_.substr(at_, 2) == "[[";
      statement.kind =
          is_list ? Statement::Kind::kTables : Statement::Kind::kTable;
      at_ += is_list ? 2 : 1;
      statement.path = table_ = ReadKey();
    } else if (!AtEnd() && Peek() != '#') {
      statement.kind = Statement::Kind::kKey;
      statement.path = table_;
      for (std::string& part : ReadKey()) {
        statement.path.push_back(std::move(part));
      }
      SkipBlanks();
      if (Peek() == '=') ++at_;
      SkipBlanks();
      statement.value = statement.value_end = at_;
      statement.value_end = SkipValue();
    }
    at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1;
    ++line_;
    statement.next = at_;
    return statement;
  }

  // Reads `a."b.c" . 'd'`.
  Path ReadKey() {
    Path path;
    while (true) {
      SkipBlanks();
      path.push_back(ReadKeyPart());
      SkipBlanks();
      if (Peek() != '.') return path;
      ++at_;
    }
  }

  std::string ReadKeyPart() {
    size_t begin = at_;
    if (Peek() == '"' || Peek() == '\'') {
      SkipString();
      std::string_view quoted = text_.substr(begin, at_ - begin);
      if (quoted.size() < 2) return std::string(quoted);
      std::string plain(quoted.substr(1, quoted.size() - 2));
      auto decoded = quoted[0] == '"' ? ParseJson(quoted) : Json(plain);
      return decoded.ok() ? AsString(*decoded).value_or(plain) : plain;
    }
    constexpr std::string_view kEnds = " \t\r\n.=]#\"'";
    while (at_ < text_.size() &&
           kEnds.find(text_[at_]) == std::string_view::npos) {
      ++at_;
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  // Skips a string of one line or of several.
  void SkipString() {
    char quote = Peek();
    std::string_view mark = text_.substr(at_, 3);
    bool is_long = mark == "\"\"\"" || mark == "'''";
    at_ += is_long ? 3 : 1;
    while (at_ < text_.size() && (is_long || text_[at_] != '\n')) {
      if (quote == '"' && text_[at_] == '\\') {
        at_ += 2;
      } else if (is_long && text_.substr(at_, 3) == mark) {
        at_ += 3;
        break;
      } else if (!is_long && text_[at_] == quote) {
        ++at_;
        break;
      } else {
        ++at_;
      }
    }
    at_ = std::min(at_, text_.size());
  }

  // Returns the end of the value's last token. Brackets may contain line ends
  // and comments.
  size_t SkipValue() {
    size_t end = at_;
    for (int brackets = 0; at_ < text_.size();) {
      char c = text_[at_];
      if (c == '\n' && brackets <= 0) break;
      size_t begin = at_;
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        continue;
      }
      if (c == '"' || c == '\'') {
        SkipString();
      } else {
        brackets += c == '[' || c == '{';
        brackets -= c == ']' || c == '}';
        ++at_;
      }
      line_ += static_cast<int>(
          std::count(text_.begin() + static_cast<long>(begin),
                     text_.begin() + static_cast<long>(at_), '\n'));
      constexpr std::string_view kBlanks = " \t\r\n";
      if (kBlanks.find(c) == std::string_view::npos) end = at_;
    }
    return end;
  }

  const std::string_view text_;
  size_t at_ = 0;
  int line_ = 1;
  Path table_;
};

std::vector<Statement> StatementsOf(std::string_view text) {
  return TomlReader(text).Read();
}

bool IsBelow(const Path& path, const Path& table) {
  return path.size() >= table.size() &&
         std::equal(table.begin(), table.end(), path.begin());
}

bool IsHeader(const Statement& statement, const Path& table) {
  return statement.kind == Statement::Kind::kTable && statement.path == table;
}

// Returns whether the statement is a key of `table` below another table's
// header.
bool IsStray(const Statement& statement, const Path& table,
             const Path& header) {
  return statement.kind == Statement::Kind::kKey &&
         IsBelow(statement.path, table) && !IsBelow(header, table);
}

// Finds the statement that keeps [table] from being added: a value for one of
// the tables above it, or keys of it elsewhere.
std::optional<Statement> FindObstacle(std::string_view text,
                                      const Path& table) {
  Path header;
  for (const Statement& statement : StatementsOf(text)) {
    bool is_table = statement.kind == Statement::Kind::kTable ||
                    statement.kind == Statement::Kind::kTables;
    if (is_table) header = statement.path;
    bool is_value = statement.kind == Statement::Kind::kTables ||
                    statement.kind == Statement::Kind::kKey;
    bool is_above =
        is_value && !statement.path.empty() && IsBelow(table, statement.path);
    if (is_above || IsStray(statement, table, header)) return statement;
  }
  return std::nullopt;
}

// A value with comments is never equal to ours.
bool TomlValueIs(std::string_view text, const Json& value) {
  auto parsed = ParseJson(text);
  return parsed.ok() && *parsed == value;
}

std::string WrittenKey(const std::string& key, const Json& value) {
  return key + " = " + DumpJson(value);
}

std::string AddTomlTable(std::string text, const std::string& table,
                         const Json& values, const std::string& newline) {
  if (!text.empty() && text.back() != '\n') text += newline;
  if (!text.empty()) text += newline;
  text += "[" + table + "]" + newline;
  for (auto item = values.begin(); item != values.end(); ++item) {
    text += WrittenKey(item.key(), item.value()) + newline;
  }
  return text;
}

}  // namespace

absl::StatusOr<std::string> SetTomlKeys(std::string text,
                                        const std::string& table,
                                        const Json& values) {
  const Path path = Split(table, '.');
  if (auto obstacle = FindObstacle(text, path)) {
    return FailedPrecondition(
        "line %d defines %s without a table of its own, which cannot be edited "
        "here: write it as [%s], or remove it",
        obstacle->line, Join(obstacle->path, "."), table);
  }
  std::string newline = text.find("\r\n") != std::string::npos ? "\r\n" : "\n";
  std::vector<Statement> all = StatementsOf(text);
  auto header = std::find_if(all.begin(), all.end(), [&path](const auto& one) {
    return IsHeader(one, path);
  });
  if (header == all.end()) {
    return AddTomlTable(std::move(text), table, values, newline);
  }
  size_t after = header->next;
  for (auto item = values.begin(); item != values.end(); ++item) {
    Path key = path;
    key.push_back(item.key());
    // Search again each time, because the text has changed.
    all = StatementsOf(text);
    auto found = std::find_if(all.begin(), all.end(), [&key](const auto& one) {
      return one.kind == Statement::Kind::kKey && one.path == key;
    });
    if (found != all.end()) {
      size_t size = found->value_end - found->value;
      bool is_same = TomlValueIs(
          std::string_view(text).substr(found->value, size), item.value());
      if (!is_same) text.replace(found->value, size, DumpJson(item.value()));
      continue;
    }
    bool at_line = after > 0 && text[after - 1] == '\n';
    std::string added =
        (at_line ? "" : newline) + WrittenKey(item.key(), item.value());
    added += newline;
    text.insert(after, added);
    after += added.size();
  }
  return text;
}

// A table may be followed by tables below it, such as `[table.env]`. Comments
// and blank lines after its last key belong to what follows. Keys of the table
// that are written elsewhere, such as `mcp_servers.glasstty.command`, are
// removed, too.
absl::StatusOr<std::string> RemoveTomlTable(std::string text,
                                            const std::string& table) {
  using Kind = Statement::Kind;
  const Path path = Split(table, '.');
  while (true) {
    std::vector<Statement> all = StatementsOf(text);
    size_t from = 0;
    while (from < all.size() && (all[from].kind == Kind::kNothing ||
                                 !IsBelow(all[from].path, path))) {
      ++from;
    }
    if (from == all.size()) break;
    bool is_table = all[from].kind != Kind::kKey;
    size_t last = from;
    for (size_t i = from + 1; is_table && i < all.size(); ++i) {
      if (all[i].kind == Kind::kTable || all[i].kind == Kind::kTables) break;
      if (all[i].kind == Kind::kKey) last = i;
    }
    auto is_blank = [&](size_t i) {
      size_t first = text.find_first_not_of(" \t\r\n", all[i].begin);
      return first == std::string::npos || first >= all[i].next;
    };
    bool blank_before = is_table && from > 0 && is_blank(from - 1);
    bool blank_after = last + 1 == all.size() || is_blank(last + 1);
    size_t begin = all[blank_before && blank_after ? from - 1 : from].begin;
    text.erase(begin, all[last].next - begin);
  }
  auto obstacle = FindObstacle(text, path);
  bool may_have = obstacle && text.substr(obstacle->value,
                                          obstacle->value_end - obstacle->value)
                                      .find(path.back()) != std::string::npos;
  if (!may_have) return text;
  return FailedPrecondition(
      "line %d defines %s as one value, which cannot be edited here: remove %s "
      "from it",
      obstacle->line, Join(obstacle->path, "."), path.back());
}

std::optional<Json> TomlValue(std::string_view text, const std::string& table,
                              const std::string& key) {
  Path path = Split(table, '.');
  bool is_there = false;
  for (const Statement& one : StatementsOf(text)) {
    bool is_key = one.kind == Statement::Kind::kKey;
    std::string_view value =
        is_key ? text.substr(one.value, one.value_end - one.value) : "";
    Path wanted = path;
    wanted.push_back(key);
    if (is_key && one.path == wanted) {
      auto parsed = ParseJson(value);
      return parsed.ok() ? *parsed : Json();
    }
    // An inline table is an entry as well, and so is a table without this key.
    bool is_table = is_key || one.kind == Statement::Kind::kTable;
    is_there |= is_table && one.path == path;
  }
  if (is_there) return Json();
  return std::nullopt;
}

}  // namespace glasstty
