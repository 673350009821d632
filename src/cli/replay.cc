// `glasstty replay FILE`: the bytes a program printed, as the screen they make.
//
// The same emulator as in a session, without the session: a screen that is
// wrong there can be looked at, cut with --to and turned into a test here. A
// file carries no resizes: output that was drawn for several sizes comes out
// right for one of them only.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/strings/str_format.h"
#include "cli/command.h"
#include "cli/options.h"
#include "support/log.h"
#include "support/status.h"
#include "terminal/terminal.h"

namespace glasstty {
namespace {

constexpr char kUsage[] =
    "usage: glasstty replay [--size ROWSxCOLS] [--to OFFSET] FILE|-\n";

// A '|' before each row keeps leading blanks visible and, with them trimmed at
// the end, shows empty rows. The last line tells what a picture cannot: sizes
// are rows x columns and the cursor counts from 1.
void PrintScreen(const Terminal& terminal) {
  Snapshot snapshot = terminal.TakeSnapshot();
  for (const SnapshotRow& row : snapshot.rows) {
    std::printf("|%s\n", row.text.c_str());
  }
  std::printf("-- %dx%d cursor=%d:%d%s%s%s%s\n", snapshot.size.rows,
              snapshot.size.cols, snapshot.cursor.row + 1,
              snapshot.cursor.col + 1, snapshot.cursor.visible ? "" : " hidden",
              snapshot.alternate ? " alternate" : "",
              snapshot.title.empty() ? "" : " title=", snapshot.title.c_str());
}

absl::Status Replay(const CommandArguments& arguments) {
  ASSIGN_OR_RETURN(Options options, ParseOptions(arguments, {"size", "to"}));
  if (options.operands.size() != 1) return InvalidArgument("one FILE, please");
  // The size of a VT100; sessions begin with 40x120.
  Terminal::Options terminal_options{.size = {24, 80}};
  if (options.flags.count("size") > 0) {
    ASSIGN_OR_RETURN(terminal_options.size, ParseSize(options.flags["size"]));
  }
  ASSIGN_OR_RETURN(std::string bytes, ReadInput(options.operands[0]));
  if (options.flags.count("to") > 0) {
    // Bytes of the file; beyond its end means all of it.
    const std::string& text = options.flags["to"];
    char* rest = nullptr;
    size_t end = std::strtoull(text.c_str(), &rest, 10);
    if (text.empty() || *rest != '\0') {
      return InvalidArgument("--to '%s': a number of bytes, please", text);
    }
    bytes.resize(std::min(end, bytes.size()));
  }
  ASSIGN_OR_RETURN(auto terminal, Terminal::Create(terminal_options));
  terminal->Feed(bytes);
  PrintScreen(*terminal);
  return absl::OkStatus();
}

}  // namespace

int RunReplay(const CommandArguments& arguments) {
  absl::Status status = Replay(arguments);
  if (status.ok()) return 0;
  std::fprintf(stderr, "glasstty replay: %s\n%s", Message(status).c_str(),
               kUsage);
  // Wrongly called, or could not be done (command.h).
  return absl::IsInvalidArgument(status) ? 2 : 1;
}

}  // namespace glasstty
