// What has to be typed so that a shell, of any kind, runs a command as a whole.
//
// May leave files in the session's directory for the shell to read. Owns
// nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/fd.h"
#include "base/shells.h"

namespace glasstty::typing {

struct ShellCommand {
  std::string text;
  // For this command only; empty: the shell's. "~" is what the shell makes of
  // it.
  std::string cwd;
  // Values are never typed.
  std::map<std::string, std::string> environment;
};

// The shell that waits for the command.
struct ShellPlace {
  const Shell* shell;
  // It takes a paste as it is, with newlines and control characters.
  bool takes_pastes;
  // It cannot be looked into: another machine, a container, another user.
  bool is_far;
  // Writes a file into the session's directory, and that directory's absolute
  // path, as the shell sees it.
  std::function<absl::Status(const std::string& name,
                             const std::string& content)>
      put_file;
  std::string path;
};

// Error: the command cannot be run as it is in such a shell, and what can be
// done instead.
absl::Status CheckCommand(const ShellCommand& command, const ShellPlace& place);

// For a shell with integration, which marks commands by itself. Error: a file
// could not be written.
absl::StatusOr<std::string> FormAtPrompt(const ShellCommand& command,
                                         const ShellPlace& place);

// For another shell: one line that marks its own beginning and end, in the name
// of `run`. Error: as above.
absl::StatusOr<std::string> MarkedForm(const ShellCommand& command,
                                       const ShellPlace& place, uint64_t run);

}  // namespace glasstty::typing
