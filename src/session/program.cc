#include "session/open_request.h"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/escape.h"
#include "base/shells.h"
#include "session/environment.h"
#include "session/shell_integration.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty {
namespace {

// Long enough for anything sensible; a name is repeated in every reply.
constexpr size_t kMaxName = 64;

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

// REQUIRES: not empty. No blanks or punctuation: names stand in brackets and
// lists in replies. No leading '-', which reads as a flag.
absl::Status CheckName(const std::string& name) {
  bool good = name.size() <= kMaxName && name[0] != '-' && name[0] != '.' &&
              std::all_of(name.begin(), name.end(), IsNameCharacter);
  if (good) return absl::OkStatus();
  return InvalidArgument(
      "session name '%s': use up to %d letters, digits, '.', '_', '-', "
      "beginning with a letter or digit",
      name.substr(0, kMaxName), kMaxName);
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

// Such a command line asks for the shell and not for a shell that runs it.
bool NamesOnlyAShell(std::string_view command) {
  bool is_word = command.find_first_of(" \t\n") == std::string_view::npos;
  return is_word && FindShell(command) != nullptr;
}

// "/" when it was removed under us.
std::string OwnDirectory() {
  char path[PATH_MAX];
  return getcwd(path, sizeof path) != nullptr ? path : "/";
}

}  // namespace

absl::Status CheckRequest(const OpenRequest& request) {
  if (!request.name.empty()) RETURN_IF_ERROR(CheckName(request.name));
  RETURN_IF_ERROR(CheckSize(request.size));
  return CheckVariables(request.environment);
}

std::string ProgramName(const OpenRequest& request) {
  std::string program = "shell";
  if (!request.command.empty()) {
    for (const std::string& word : Split(request.command, ' ')) {
      // A shell allows assignments before the command.
      if (word.empty() || word.find('=') != std::string::npos) continue;
      program = word;
      break;
    }
  } else if (!request.argv.empty()) {
    program = request.argv[0];
  }
  program = program.substr(program.rfind('/') + 1);
  std::erase_if(program, [](char c) { return !IsNameCharacter(c); });
  size_t start = program.find_first_not_of("-.");
  program = start == std::string::npos ? "session" : program.substr(start);
  // Room for "-999".
  return program.substr(0, kMaxName - 4);
}

// Neither a login nor an interactive shell for a command line, as system(3).
void ChooseProgram(OpenRequest* request) {
  if (NamesOnlyAShell(request->command)) {
    request->argv = {std::exchange(request->command, "")};
  }
  if (!request->argv.empty()) return;
  request->argv = {UserShell()};
  if (request->command.empty()) return;
  request->argv.insert(request->argv.end(), {"-c", request->command});
}

SessionOrigin OriginOf(const OpenRequest& request) {
  SessionOrigin origin;
  origin.argv = request.argv;
  origin.cwd = request.cwd.empty() ? OwnDirectory() : request.cwd;
  origin.size = request.size;
  origin.scrollback_rows = request.scrollback_rows;
  origin.started_ms = WallMilliseconds();
  origin.keep = request.keep;
  origin.pipe = request.pipe;
  return origin;
}

OpenRequest RequestFor(const SessionOrigin& origin) {
  OpenRequest request;
  request.name = origin.name;
  request.argv = origin.argv;
  request.cwd = origin.cwd;
  request.size = origin.size;
  request.scrollback_rows = origin.scrollback_rows;
  request.keep = origin.keep;
  request.pipe = origin.pipe;
  return request;
}

LaunchSpec SpecOf(const OpenRequest& request, const SessionOrigin& origin,
                  int directory, const std::string& path) {
  ShellLaunch launch{request.argv, request.environment};
  if (request.integrate && !request.pipe) {
    IntegrateShell(directory, path, origin.nonce, &launch);
  }
  LaunchSpec spec;
  spec.argv = std::move(launch.argv);
  spec.environment = ChildEnvironment(OwnEnvironment(),
                                      {.extra = std::move(launch.environment),
                                       .tame_pagers = request.tame_pagers,
                                       .session_id = origin.id});
  spec.cwd = origin.cwd;
  spec.rows = static_cast<uint16_t>(request.size.rows);
  spec.cols = static_cast<uint16_t>(request.size.cols);
  spec.pipe = request.pipe;
  spec.record_input = request.record_input;
  spec.log_cap = origin.log_cap;
  return spec;
}

}  // namespace glasstty
