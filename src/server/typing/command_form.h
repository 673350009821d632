// Creates the text that makes a shell, of any kind, run a command as a whole.
//
// May put files for the shell into the session's directory. Owns nothing.
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
  // The directory for this command; empty: the shell's. The shell expands "~".
  std::string cwd;
  // The values are never typed.
  std::map<std::string, std::string> environment;
};

// The shell that waits for the command.
struct ShellPlace {
  const Shell* shell;
  // The shell has asked for bracketed paste, so newlines in a text run nothing.
  bool takes_pastes;
  // Enter runs a pasted text of several lines.
  bool runs_lines;
  // The shell cannot be examined, for example because it is behind ssh, in a
  // container, or another user's.
  bool is_far;
  // Writes a file into the session's directory.
  std::function<absl::Status(const std::string& name,
                             const std::string& content)>
      put_file;
  // The absolute path of the session's directory, as the shell sees it.
  std::string path;
  // The shell can read files there. Used only for shells without integration.
  bool reads_files = false;
  // A program may have left changed terminal settings (termios(3)) behind,
  // which this shell would keep for the programs that follow.
  bool needs_mending = false;
};

// Error: this shell cannot run the command unchanged, or an argument is
// invalid. The message says why, and what can be done instead, if anything.
absl::Status CheckCommand(const ShellCommand& command, const ShellPlace& place);

// Returns the text for a shell with integration, which marks its commands
// itself. Error: a file could not be written.
absl::StatusOr<std::string> FormAtPrompt(const ShellCommand& command,
                                         const ShellPlace& place);

// Returns the text for a shell without integration. The text prints marks with
// the number `run` at its beginning and end. For a shell that takes no pastes,
// a long command becomes several lines if possible, because line editors and
// the kernel limit the length of a line. Error: a file could not be written, or
// the command is too long.
absl::StatusOr<std::string> MarkedForm(const ShellCommand& command,
                                       const ShellPlace& place, uint64_t run);

}  // namespace glasstty::typing
