// Splits SQL into statements, in a form that rules can match.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glasstty::gate {

struct SqlScript {
  // The statements without comments. Each literal is replaced by '', each
  // quoted name by x, and each sequence of blanks by one blank.
  std::vector<std::string> statements;
  // Lines for the system's shell (psql's \!, sqlite3's .shell, mysql's system).
  std::vector<std::string> shell_lines;
  // The last statement has no end yet, so a client would ask for more.
  bool unfinished = false;
};

// Never fails: a text that no client would accept is read as far as possible.
SqlScript SplitSql(std::string_view text);

}  // namespace glasstty::gate
