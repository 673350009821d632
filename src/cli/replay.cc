// `glasstty replay FILE|NAME`: prints the screen that a program's output
// produces, or produced at an earlier moment.
//
// It uses the terminal of the server, without a session: a wrong screen can be
// examined here, cut with --to and turned into a test. Sessions and asciicasts
// contain their sizes and times. A plain file of bytes contains neither, so
// output that was drawn for several sizes is correct for only one of them.
#include <cstdio>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/recorded_screen.h"
#include "support/status.h"
#include "terminal/terminal.h"

namespace glasstty {
namespace {

// A '|' before each row makes leading blanks visible and, because trailing
// blanks are trimmed, shows empty rows. The last line has what a picture cannot
// show: sizes are rows x columns and the cursor counts from 1.
void PrintScreen(const terminal::Terminal& terminal) {
  terminal::Snapshot snapshot = terminal.TakeSnapshot();
  for (const terminal::SnapshotRow& row : snapshot.rows) {
    Print("|%s\n", row.text);
  }
  Print("-- %dx%d cursor=%d:%d%s%s%s%s\n", snapshot.size.rows,
        snapshot.size.cols, snapshot.cursor.row + 1, snapshot.cursor.col + 1,
        snapshot.cursor.visible ? "" : " hidden",
        snapshot.alternate ? " alternate" : "",
        snapshot.title.empty() ? "" : " title=", snapshot.title);
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
