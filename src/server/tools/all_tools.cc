#include "tools/all_tools.h"

#include <algorithm>

#include "support/status.h"
#include "support/text.h"

namespace glasstty {

std::vector<mcp::Tool> AllTools(Workbench* bench) {
  std::vector<mcp::Tool> tools;
  // Ordered like the life of a session: clients show this order, and models
  // read from the top.
  tools.push_back(RunTool(bench));
  tools.push_back(OpenTool(bench));
  tools.push_back(SendTool(bench));
  tools.push_back(ReadTool(bench));
  tools.push_back(SearchTool(bench));
  tools.push_back(WaitTool(bench));
  tools.push_back(ListTool(bench));
  tools.push_back(CloseTool(bench));
  tools.push_back(WriteFileTool(bench));
  return tools;
}

namespace {

constexpr std::string_view kPrefix = "term_";

std::vector<std::string> NamesIn(const std::string& choice) {
  std::vector<std::string> names;
  for (std::string name : Split(choice, ',')) {
    std::erase(name, ' ');
    if (!name.starts_with(kPrefix)) name.insert(0, kPrefix);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace

bool IsChosen(const mcp::Tool& tool, const std::string& choice) {
  if (choice == "all") return true;
  if (choice == "read") return tool.annotations.read_only;
  std::vector<std::string> names = NamesIn(choice);
  return std::find(names.begin(), names.end(), tool.name) != names.end();
}

absl::Status CheckToolChoice(const std::string& choice) {
  if (choice == "all" || choice == "read") return absl::OkStatus();
  // Tools use the workbench only when they are called, so it may be null here.
  std::vector<std::string> known;
  for (const mcp::Tool& tool : AllTools(nullptr)) known.push_back(tool.name);
  for (const std::string& name : NamesIn(choice)) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    return InvalidArgument("tools=%s: no tool '%s'%s; there are: %s", choice,
                           name, DidYouMean(name, known), Join(known, ", "));
  }
  return absl::OkStatus();
}

std::string Instructions() {
  // Written for a model that has seen nothing else: it says what the tools are
  // for, which single call usually suffices, and the few rules that cannot be
  // guessed.
  return R"text(Real terminals (PTYs) that you drive: shells, REPLs, editors, full-screen programs, servers, anything that asks questions or runs long.

term_run runs a shell command and returns its output and exit status. term_open starts any other program and returns its first screen. term_send types, waits until the program is ready for more, and returns what changed. term_wait blocks until a condition holds: never poll with term_read. Sessions keep running between calls; term_close ends them.

One call can carry a plan: {"command": "vim a.txt; cat a.txt", "input": ["ihello<Esc>", {"show": true}, ":wq<Enter>"]}. With answers, questions are answered as they come. To only wait and answer, give term_send the input [].

Input: a plain string is typed literally (newline = Enter). In a list, <Enter> <Esc> <Tab> <C-c> <Up> <F5> <Down*3> are keys.

The first line of a reply is the state: [name] prompt (a shell waits), input (a program waits), secret (password prompt), busy, or exited=CODE. It comes from the kernel; "(guess)" means that the kernel cannot tell.

until: {"text": "..."}, {"regex": "..."}, {"state": "prompt"}, {"quiet_s": 1}, {"gone": "..."}, {"change": true}; the first that holds ends the wait. A time-out is not an error: the program keeps running and you can wait again.

Passwords: in state secret send [{"secret_env": "VAR"}] or [{"secret_file": "path"}], so that the secret never passes through you.

Reading: full-screen programs are shown as screens, others by the lines you have not seen; nothing printed is ever lost (term_search, mode=history). Every tool that shows output also takes term_read's mode, max_lines and truncate.)text";
}

}  // namespace glasstty
