// Commands that want a terminal.
#include "tools/shell_hint.h"

#include <gtest/gtest.h>

namespace glasstty {
namespace {

TEST(ShellHint, NamesTheProgramThatWantsATerminal) {
  struct Row {
    const char* line;
    const char* program;
  };
  for (const Row& row : {
           Row{"ssh host", "ssh"},
           {"ssh -p 22 me@host", "ssh"},
           {"ssh host uptime", ""},
           {"ssh -f -N -L 80:a:80 host", ""},
           {"ssh", ""},
           {"sudo apt update", "sudo"},
           {"sudo -u postgres psql", "sudo"},
           {"sudo -n true", ""},
           {"sudo -nu root true", ""},
           {"vim a.txt", "vim"},
           {"cd /tmp && /usr/bin/nano x", "nano"},
           {"vim -es -c wq a.txt", ""},
           {"emacs --batch -l x.el", ""},
           {"git commit -m 'vim a'", ""},
           {"top", "top"},
           {"top -bn1", ""},
           {"top -b -n 1 | head", ""},
           {"psql shop", "psql"},
           {"psql shop -c 'select 1'", ""},
           {"psql --command='select 1' shop", ""},
           {"psql < dump.sql", ""},
           {"mysql -u root", "mysql"},
           {"mysql -e 'select 1'", ""},
           {"sqlite3 a.db", "sqlite3"},
           {"sqlite3 a.db .tables", ""},
           {"python3", "python3"},
           {"python3 x.py", ""},
           {"python3 -c 'print(1)'", ""},
           {"python3 -m http.server", ""},
           {"echo 1 | python3", ""},
           {"python3 <<'EOF'\nprint(1)\nEOF", ""},
           {"node", "node"},
           {"FOO=1 node", "node"},
           {"x=$(python3)", ""},
           {"make test", ""},
           {"", ""},
       }) {
    EXPECT_EQ(WantsTerminal(row.line), row.program) << row.line;
  }
}

}  // namespace
}  // namespace glasstty
