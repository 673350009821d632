// Creates the text that must be typed so that a shell, of any kind, runs a
// command as a whole.
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
  // For this command only; empty: the shell's directory. The shell expands "~".
  std::string cwd;
  // The values are never typed.
  std::map<std::string, std::string> environment;
};

// The shell that waits for the command.
struct ShellPlace {
  const Shell* shell;
  // The shell has asked for bracketed paste, so no newline runs a part of a
  // text.
  bool takes_pastes;
  // Enter runs a pasted text of several lines.
  bool runs_lines;
  // The shell cannot be examined: it is on another machine, in a container, or
  // another user's.
  bool is_far;
  // Writes a file into the session's directory, whose absolute path, as the
  // shell sees it, is `path`.
  std::function<absl::Status(const std::string& name,
                             const std::string& content)>
      put_file;
  std::string path;
  // The shell can read such a file although it has no integration.
  bool reads_files = false;
  // A program may have left settings of the terminal's driver behind that the
  // shell keeps for the programs that follow.
  bool needs_mending = false;
};

// Error: such a shell cannot run the command unchanged; the message says what
// can be done instead.
absl::Status CheckCommand(const ShellCommand& command, const ShellPlace& place);

// Returns the text for a shell with integration, which itself marks commands.
// Error: a file could not be written.
absl::StatusOr<std::string> FormAtPrompt(const ShellCommand& command,
                                         const ShellPlace& place);

// Returns the text for a shell without integration. The text prints marks with
// the number `run` at its beginning and end. Unless the shell takes pastes, no
// line is longer than line editors and the kernel accept. Error: a file could
// not be written, or the command is too long.
absl::StatusOr<std::string> MarkedForm(const ShellCommand& command,
                                       const ShellPlace& place, uint64_t run);

}  // namespace glasstty::typing
