// `glasstty replay FILE|NAME`: the screen that a program's output makes, or
// made at an earlier moment.
//
// The same guard and emulator as in the server, without a session: a screen
// that is wrong there can be looked at, cut with --to and turned into a test
// here. Sessions and asciicasts carry their sizes and times; a plain file of
// bytes carries neither: output that was drawn for several sizes comes out
// right for one of them only.
#include <cstdio>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/play.h"
#include "support/status.h"
#include "terminal/terminal.h"

namespace glasstty {
namespace {

// A '|' before each row keeps leading blanks visible and, with them trimmed at
// the end, shows empty rows. The last line tells what a picture cannot: sizes
// are rows x columns and the cursor counts from 1.
void PrintScreen(const terminal::Terminal& terminal) {
  terminal::Snapshot snapshot = terminal.TakeSnapshot();
  for (const terminal::SnapshotRow& row : snapshot.rows) {
    std::printf("|%s\n", row.text.c_str());
  }
  std::printf("-- %dx%d cursor=%d:%d%s%s%s%s\n", snapshot.size.rows,
              snapshot.size.cols, snapshot.cursor.row + 1,
              snapshot.cursor.col + 1, snapshot.cursor.visible ? "" : " hidden",
              snapshot.alternate ? " alternate" : "",
              snapshot.title.empty() ? "" : " title=", snapshot.title.c_str());
}

absl::Status Replay(const Options& options) {
  ASSIGN_OR_RETURN(std::unique_ptr<terminal::Terminal> terminal,
                   PlayOperand(options));
  PrintScreen(*terminal);
  return absl::OkStatus();
}

}  // namespace

int RunReplay(const Options& options) {
  return Report(*FindCommand("replay"), Replay(options));
}

}  // namespace glasstty
