#include "gate/sql.h"

#include <algorithm>

#include "gate/rules.h"
#include "support/text.h"

namespace glasstty::gate {
namespace {

// These pass a line to the shell in psql, sqlite3 and mysql. At the start of a
// line, "system" is taken for this command, not for the name of a column.
constexpr std::string_view kShellCommands[] = {"\\!", ".shell ", ".system ",
                                               "system "};
// These send the statement (psql(1), mysql(1)). The first match is used.
constexpr std::string_view kEnds[] = {";",      "\\;",  "\\gdesc", "\\gexec",
                                      "\\gset", "\\gx", "\\g",     "\\G"};

// Splits a text statement by statement. Removes whatever could hide a semicolon
// or a keyword (comments, literals, quoted names). Used once.
class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  SqlScript Run() {
    while (at_ < text_.size()) {
      if (!AtLineStart() || !TakeClientLine()) Step();
    }
    script_.unfinished = open_ || !statement_.empty();
    End();
    return std::move(script_);
  }

 private:
  bool AtLineStart() const { return at_ == 0 || text_[at_ - 1] == '\n'; }
  bool Take(std::string_view token) {
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  // Handles a line that begins with a command of the client, which ends with
  // the line and is no part of the statement around it.
  bool TakeClientLine() {
    size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = TrimBlanks(text_.substr(at_, end - at_));
    for (std::string_view command : kShellCommands) {
      if (!line.starts_with(command)) continue;
      script_.shell_lines.emplace_back(line.substr(command.size()));
      at_ = end;
      return true;
    }
    // "\g", "\G" and "\;" belong to the statement (kEnds).
    bool slashed = line.starts_with("\\") && line.find_first_of("gG;", 1) != 1;
    // "use shop; select 1" consists of statements.
    bool named =
        line.starts_with(".") ||
        (IsIn("client-line", AsciiLower(line.substr(0, line.find(' ')))) &&
         line.find(';') == std::string_view::npos);
    if (!slashed && !(named && statement_.empty())) return false;
    // In psql, two backslashes end a command before its line ends.
    size_t rest = text_.substr(0, end).find("\\\\", at_);
    at_ = slashed && rest < end ? rest + 2 : end;
    return true;
  }

  void Step() {
    char c = text_[at_];
    // '#' begins a comment in MySQL; in PostgreSQL it is an operator, which
    // hardly ever begins a line.
    if (Take("--") || (c == '#' && AtLineStart())) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (Take("/*!")) {
      // MySQL 5.0.1 and later run the content of "/*!50001 ... */".
      at_ = std::min(text_.find_first_not_of("0123456789", at_), text_.size());
      Add(" ");
    } else if (Take("/*")) {
      SkipTo("*/");
      Add(" ");
    } else if (Take("*/")) {
      Add(" ");
    } else if (c == '\'' || c == '"' || c == '`') {
      // A doubled quote ends one literal and begins the next.
      ++at_;
      SkipTo({&c, 1});
      Add(c == '\'' ? "''" : "x");
    } else if (std::ranges::any_of(kEnds, [this](std::string_view token) {
                 return Take(token);
               })) {
      End();
    } else {
      Add(text_.substr(at_++, 1));
    }
  }

  // Turns each sequence of blanks into one ' ', for the patterns.
  void Add(std::string_view more) {
    bool blank = more.find_first_of(" \n\t\r") == 0;
    if (!blank) statement_ += more;
    if (blank && !statement_.empty() && statement_.back() != ' ') {
      statement_ += ' ';
    }
  }

  // Skips the rest of the text if there is no such end, because the client
  // would then wait for more.
  void SkipTo(std::string_view end) {
    size_t found = text_.find(end, at_);
    open_ = found == std::string_view::npos;
    at_ = open_ ? text_.size() : found + end.size();
  }

  void End() {
    std::string whole(TrimTrailingBlanks(statement_));
    if (!whole.empty()) script_.statements.push_back(std::move(whole));
    statement_.clear();
  }

  const std::string_view text_;
  size_t at_ = 0;
  // The statement never begins with a blank, and never has two in a row.
  std::string statement_;
  // The last comment or literal has no end.
  bool open_ = false;
  SqlScript script_;
};

}  // namespace

SqlScript SplitSql(std::string_view text) { return Splitter(text).Run(); }

}  // namespace glasstty::gate
