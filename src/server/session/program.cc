#include "session/program.h"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/escape.h"
#include "base/shells.h"
#include "session/environment.h"
#include "session/shell_integration.h"
#include "support/status.h"
#include "support/text.h"
#include "terminal/terminal.h"
#include "wire/packets.h"

namespace glasstty::session {
namespace {

// Long enough for any sensible name. A name is repeated in every reply.
constexpr size_t kMaxName = 64;

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

// A program finds its variables as "NAME=VALUE", ended by a NUL (environ(7)).
absl::Status CheckVariables(
    const std::map<std::string, std::string>& variables) {
  constexpr std::string_view kEnders("=\0", 2);
  for (const auto& [name, value] : variables) {
    if (name.empty() || name.find_first_of(kEnders) != std::string::npos) {
      return InvalidArgument(
          "env '%s': a variable's name is not empty and has no '=' or NUL",
          EscapeBytes(name));
    }
    if (value.find('\0') != std::string::npos) {
      return InvalidArgument("env %s: a value cannot hold a NUL", name);
    }
  }
  return absl::OkStatus();
}

// A command line that is only the name of a shell asks for that shell, and not
// for another shell that starts it.
bool NamesOnlyAShell(std::string_view command) {
  bool is_word = command.find_first_of(" \t\n") == std::string_view::npos;
  return is_word && FindShell(command) != nullptr;
}

// Returns our working directory; "/" if it was removed.
std::string OwnDirectory() {
  char path[PATH_MAX];
  return getcwd(path, sizeof path) != nullptr ? path : "/";
}

}  // namespace

// Blanks and most punctuation are not allowed, because replies show names in
// brackets and lists. A leading '-' would be read as a flag.
absl::Status CheckSessionName(const std::string& name) {
  bool good = !name.empty() && name.size() <= kMaxName && name[0] != '-' &&
              name[0] != '.' &&
              std::all_of(name.begin(), name.end(), IsNameCharacter);
  if (good) return absl::OkStatus();
  return InvalidArgument(
      "session name '%s': use up to %d letters, digits, '.', '_', '-', "
      "beginning with a letter, a digit or '_'",
      name.substr(0, kMaxName), kMaxName);
}

absl::Status CheckProgram(const record::ProgramSpec& program) {
  RETURN_IF_ERROR(terminal::CheckSize(program.size));
  return CheckVariables(program.environment);
}

std::string ProgramName(const record::ProgramSpec& spec) {
  std::string program = "shell";
  if (!spec.command.empty()) {
    for (const std::string& word : Split(spec.command, ' ')) {
      // A shell allows assignments before the command.
      if (word.empty() || word.find('=') != std::string::npos) continue;
      program = word;
      break;
    }
  } else if (!spec.argv.empty()) {
    program = spec.argv[0];
  }
  program = program.substr(program.rfind('/') + 1);
  std::erase_if(program, [](char c) { return !IsNameCharacter(c); });
  size_t start = program.find_first_not_of("-.");
  program = start == std::string::npos ? "session" : program.substr(start);
  // Leaves room for a number such as "-999".
  return program.substr(0, kMaxName - 4);
}

Surroundings LocalSurroundings(const record::Inheritance* inherited,
                               std::string sessions) {
  Surroundings around{BaseEnvironment(inherited), UserShell(inherited),
                      OwnDirectory(), std::move(sessions)};
  if (inherited == nullptr) return around;
  WithholdSecrets(inherited->secrets, &around);
  around.umask = inherited->umask;
  around.limits = inherited->limits;
  return around;
}

// A command line is run by a shell that is neither a login shell nor
// interactive, as by system(3).
void ResolveProgram(const Surroundings& around, record::ProgramSpec* program) {
  std::string command = std::exchange(program->command, "");
  std::string* cwd = &program->cwd;
  if (cwd->empty()) *cwd = around.directory;
  // The tools have already expanded "~" if the path is on this machine.
  std::string home = VariableOf(around, "HOME");
  if (*cwd == "~" || cwd->starts_with("~/")) *cwd = home + cwd->substr(1);
  if (!program->argv.empty()) return;
  if (NamesOnlyAShell(command)) {
    program->argv = {std::move(command)};
  } else if (command.empty()) {
    program->argv = {around.shell};
  } else {
    program->argv = {around.shell, "-c", std::move(command)};
  }
}

wire::LaunchSpec LaunchSpecOf(const record::SessionOrigin& origin,
                              const Surroundings& around, int directory) {
  const record::ProgramSpec& program = origin.program;
  ShellLaunch launch{program.argv, program.environment, ""};
  std::string path = around.sessions + "/" + origin.id;
  if (!around.shares_history) KeepHistoryApart(path, &launch);
  if (program.integrate && !program.pipe) {
    IntegrateShell(around, directory, path, origin.nonce, &launch);
  }
  wire::LaunchSpec spec;
  spec.argv = std::move(launch.argv);
  spec.environment = ChildEnvironment(around.environment,
                                      {.extra = std::move(launch.environment),
                                       .tame_pagers = program.tame_pagers,
                                       .session_id = origin.id});
  spec.cwd = program.cwd;
  spec.rows = static_cast<uint16_t>(program.size.rows);
  spec.cols = static_cast<uint16_t>(program.size.cols);
  spec.pipe = program.pipe;
  spec.record_input = program.record_input;
  spec.log_cap = origin.log_cap;
  spec.umask = around.umask;
  spec.limits = around.limits;
  return spec;
}

absl::Status StartFailure(const wire::Started& started,
                          const record::SessionOrigin& origin) {
  const char* reason = std::strerror(started.error);
  switch (started.stage) {
    case wire::StartStage::kExec:
      return NotFound("cannot start '%s': %s%s", origin.program.argv[0], reason,
                      origin.program.argv[0].find('/') == std::string::npos
                          ? " (PATH searched)"
                          : "");
    case wire::StartStage::kDirectory:
      return NotFound("cannot start in directory '%s': %s", origin.program.cwd,
                      reason);
    case wire::StartStage::kPty:
      return ResourceExhausted(
          "no pseudoterminal available: %s; close sessions that are no longer "
          "needed",
          reason);
    case wire::StartStage::kFork:
      return ResourceExhausted("cannot start a process: %s", reason);
    case wire::StartStage::kTerminal:
      return Internal("cannot set up the terminal: %s", reason);
    case wire::StartStage::kLog:
      return Unavailable("cannot write the session's log: %s", reason);
    case wire::StartStage::kThere:
      return Unavailable("the session cannot be started there: %s", reason);
  }
  return Internal("cannot start '%s': %s", origin.program.argv[0], reason);
}

}  // namespace glasstty::session
