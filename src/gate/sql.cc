#include "gate/sql.h"

#include <algorithm>
#include <iterator>

#include "base/utf8.h"
#include "gate/rules.h"

namespace glasstty {
namespace {

// What a message shows of a statement.
constexpr size_t kMaxShown = 120;

// Patterns see a statement without its semicolon and the blanks in front of
// that; a quoted name is "x", a literal ''.
struct SqlRule {
  const char* name;
  // RE2 over one statement in which literals are empty and blanks single.
  const char* needs;
  // When found, the rule does not hold.
  const char* unless;
  const char* why;
};
// The first two hold whatever follows: DROP and TRUNCATE take no WHERE. A
// CREATE or an EXPLAIN with "drop" in it does not run it.
constexpr SqlRule kRules[] = {
    {"sql-drop",
     R"((?i)(^| )drop (table|database|schema|view|materialized view|index|user|role|tablespace|owned|sequence|function|procedure|type|extension|column|trigger|keyspace|collection)\b)",
     R"((?i)^(create|insert|select|explain|comment)\b)",
     "drops data or what it is kept in"},
    {"sql-truncate", R"((?i)^truncate\b)", nullptr, "empties a table"},
    {"sql-delete-all", R"((?i)(^|\) ?)delete (from|\w+ from)\b)",
     R"((?i)\b(where|limit|using)\b)", "deletes every row (no WHERE)"},
    {"sql-update-all", R"((?i)^update .*\bset\b)", R"((?i)\b(where|limit)\b)",
     "changes every row (no WHERE)"},
    {"sql-where-true",
     R"((?i)^(delete|update)\b.*\bwhere (1 ?= ?1|true|1|'' ?= ?'')$)", nullptr,
     "changes or deletes every row"},
};

// Commands of the clients that hand a line to the shell. psql's, sqlite3's and
// mysql's; the last is told from a column's name by standing at the beginning
// of a line.
constexpr const char* kShellCommands[] = {"\\!", ".shell ", ".system ",
                                          "system "};

// One statement after the other, literals emptied and comments gone.
class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  // REQUIRES: called once; the splitter is used up by it.
  void Run(SqlScript* script) {
    while (at_ < text_.size()) {
      if (AtLineStart() && TakeShellLine(script)) continue;
      Step(script);
    }
    script->unfinished = open_ || !statement_.empty();
    End(script);
  }

 private:
  bool AtLineStart() const { return at_ == 0 || text_[at_ - 1] == '\n'; }

  // What the rest of the line is to a client, where the line begins with one
  // of its own commands. False: it is part of a statement, and nothing was
  // taken.
  bool TakeShellLine(SqlScript* script) {
    size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    while (!line.empty() && line[0] == ' ') line.remove_prefix(1);
    for (std::string_view command : kShellCommands) {
      if (line.substr(0, command.size()) != command) continue;
      script->shell_lines.emplace_back(line.substr(command.size()));
      at_ = end;
      return true;
    }
    // Other commands of sqlite3 end with their line.
    if (!statement_.empty() || line.empty() || line[0] != '.') return false;
    at_ = end;
    return true;
  }

  // One token. Everything that could hide a semicolon or a keyword (comments,
  // literals, quoted names) is taken out here, so that rules are simple.
  void Step(SqlScript* script) {
    char c = text_[at_];
    std::string_view two = text_.substr(at_, 2);
    // '#' begins a comment of MySQL and is an operator of PostgreSQL, which
    // hardly ever begins a line.
    if (two == "--" || (c == '#' && AtLineStart())) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (two == "/*") {
      // MySQL runs what stands in /*! */.
      bool runs = text_.substr(at_, 3) == "/*!";
      if (runs) {
        at_ += 3;
        // "/*!50001 ... */": from this version of the server on.
        while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
          ++at_;
        }
        Add(' ');
      } else {
        at_ += 2;  // "/*/" is no whole comment
        SkipTo("*/");
        Add(' ');
      }
      // The end of such a comment, whose text was read as SQL.
    } else if (two == "*/") {
      at_ += 2;
      Add(' ');
    } else if (c == '\'') {
      SkipLiteral(c);
      statement_ += "''";
    } else if (c == '"' || c == '`') {
      SkipLiteral(c);
      statement_ += "x";
      // \g and \G send the statement as ';' does (psql(1), mysql(1)).
    } else if (c == ';' || two == "\\g" || two == "\\G") {
      at_ += c == ';' ? 1 : 2;
      End(script);
    } else {
      Add(c);
      ++at_;
    }
  }

  // An empty statement is none.
  void End(SqlScript* script) {
    while (!statement_.empty() && statement_.back() == ' ') {
      statement_.pop_back();
    }
    if (!statement_.empty()) script->statements.push_back(statement_);
    statement_.clear();
  }

  // Blanks of all kinds become one, for the patterns.
  void Add(char c) {
    bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) statement_ += c;
    if (blank && !statement_.empty() && statement_.back() != ' ') {
      statement_ += ' ';
    }
  }

  // What has no end reaches to the end of the text: the client waits for more.
  void SkipTo(std::string_view end) {
    size_t found = text_.find(end, at_);
    open_ = found == std::string_view::npos;
    at_ = open_ ? text_.size() : found + end.size();
  }

  // A doubled quote ends one literal and begins the next, which comes to the
  // same.
  void SkipLiteral(char quote) {
    ++at_;
    SkipTo({&quote, 1});
  }

  const std::string_view text_;
  size_t at_ = 0;
  // Never begins with a blank, nor has two in a row.
  std::string statement_;
  // A comment or a literal has no end.
  bool open_ = false;
};

}  // namespace

bool IsSqlClient(std::string_view program) {
  return HasName(kSqlClients, program);
}

SqlScript JudgeSql(std::string_view text, SqlEnd end) {
  SqlScript script;
  Splitter(text).Run(&script);
  for (const std::string& statement : script.statements) {
    for (const SqlRule& rule : kRules) {
      if (script.finding || !MatchesBuiltIn(rule.needs, statement)) continue;
      // A statement without its end may still get a WHERE.
      bool open = end == SqlEnd::kOpen && script.unfinished &&
                  &statement == &script.statements.back();
      // No more text makes a DROP harmless: what spares it stands at its
      // beginning.
      bool waits = open && rule.unless != nullptr &&
                   std::string_view(rule.name) != "sql-drop";
      bool spared =
          rule.unless != nullptr && MatchesBuiltIn(rule.unless, statement);
      if (waits || spared) continue;
      script.finding = {
          rule.name, std::string(Utf8Prefix(statement, kMaxShown)), rule.why};
    }
  }
  return script;
}

}  // namespace glasstty
