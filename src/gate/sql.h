// SQL as far as harm goes: statements that drop, empty or change everything.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glasstty {

struct SqlFinding {
  // Its name, as in GateFinding.
  std::string rule;
  // The statement, cut.
  std::string what;
  // To follow "it ...".
  std::string why;
};

struct SqlScript {
  std::optional<SqlFinding> finding;
  // Lines for the system's shell (psql's \!, sqlite3's .shell, mysql's system).
  std::vector<std::string> shell_lines;
  // Each statement without comments, for patterns of the user.
  std::vector<std::string> statements;
  // The last statement has no end yet: a client would ask for more.
  bool unfinished = false;
};
// Whether more of the last statement may come.
enum class SqlEnd { kOpen, kComplete };
// The first finding only. Never fails: what no client would take is read as far
// as it makes sense.
SqlScript JudgeSql(std::string_view text, SqlEnd end);

// Names of programs, separated by blanks.
inline constexpr char kSqlClients[] =
    "psql sqlite3 sqlite mysql mariadb duckdb pgcli mycli litecli "
    "clickhouse-client cockroach sqlcmd";
bool IsSqlClient(std::string_view program);

}  // namespace glasstty
