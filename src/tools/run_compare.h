// Compares the outputs of two commands: the argument `compare_with` of
// term_run.
#pragma once

#include "tools/run_once.h"

namespace glasstty {

struct Comparison {
  RunSpec first, second;
  int context = 3;        // lines around a difference
  view::Limits limits;    // of the diff that is shown
  double timeout_s = 30;  // for each command
  ReplyFormat format = ReplyFormat::kText;
};

// Runs one after the other and shows a unified diff, made by diff(1). In one
// shell, so the first may change what the second finds. Stops at the first that
// does not end in time, and shows that one.
Task<mcp::ToolResult> RunAndCompare(Workbench* bench, mcp::ToolCall* call,
                                    Comparison comparison);

}  // namespace glasstty
