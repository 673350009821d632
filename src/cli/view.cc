// `glasstty view`: serves the page on which a person watches sessions.
//
// A separate program (src/people/page/main.cc) serves the page; it replaces
// this process.
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options.h"
#include "support/status.h"
#include "wire/programs.h"

namespace glasstty {
namespace {

// Replaces this process with the viewer; returns only on failure.
absl::Status BecomeViewer(const Options& options) {
  if (!options.operands.empty()) {
    return InvalidArgument("give no operands; the page lists all sessions");
  }
  std::vector<std::string> words = {wire::kViewProgram.name};
  if (options.Has("port")) words.push_back("--port=" + options.Get("port"));
  if (options.Has("read-only")) words.push_back("--read-only");
  if (options.Has("new-link")) words.push_back("--new-link");
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::string path;
  UniqueFd program = wire::OpenProgram(wire::kViewProgram, &path);
  if (!program.valid()) {
    return NotFound("%s is not installed; the last place tried was %s",
                    wire::kViewProgram.name, path);
  }
  fexecve(program.get(), argv.data(), environ);
  return ErrnoStatus("start", path);
}

}  // namespace

int RunView(const Options& options) {
  return Report(*FindCommand("view"), BecomeViewer(options));
}

}  // namespace glasstty
