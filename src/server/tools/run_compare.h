// Compares the outputs of two commands: the argument `compare_with` of
// term_run.
#pragma once

#include "tools/run_once.h"

namespace glasstty {

struct Comparison {
  RunSpec first, second;
  int context = 3;        // lines around each difference
  view::Limits limits;    // of the diff that is shown
  double timeout_s = 30;  // for each command
  ReplyFormat format = ReplyFormat::kText;
};

// Runs one command after the other and shows a unified diff made by diff(1).
// Without `fresh`, both run in one shell, so the first may affect the second.
// If a command asks or does not end in time, stops and shows that command's
// output.
Task<mcp::ToolResult> RunAndCompare(Workbench* bench, mcp::ToolCall* call,
                                    Comparison comparison);

}  // namespace glasstty
