// Why a command is not simply typed.
//
// Text at a prompt goes through a line editor: a tab completes, "!" recalls
// history, a newline runs what is there so far. Bracketed paste stops the first
// and the last, so it is the rule where the shell has it. What it does not stop
// goes into a file that the shell sources, in the same shell, so `cd`, aliases
// and functions keep their effect.
//
// A line for a shell without integration quotes the command for `eval`, between
// two printfs that make the marks. Such a shell may be far away and cannot read
// our files: what its editor would not take is spelled out by a third printf.
//
// Values of variables are in a file of their own, which deletes itself before
// it sets them. Everything that is typed is shown, logged, recorded and kept in
// the shell's history.
#include "typing/command_form.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "absl/strings/str_format.h"
#include "support/status.h"
#include "support/text.h"
#include "wire/session_files.h"

namespace glasstty::typing {
namespace {

bool IsControl(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

// Whether the shell's line editor leaves the text as it is.
bool CanBeTyped(std::string_view text, const ShellPlace& place) {
  const Shell& shell = *place.shell;
  bool keeps_tabs = place.takes_pastes ? shell.pastes_tabs : !shell.edits_lines;
  bool is_changed = std::any_of(text.begin(), text.end(), [&](char c) {
    return IsControl(c) && c != '\n' && !(c == '\t' && keeps_tabs);
  });
  return !is_changed && !RecallsHistory(shell, text);
}

bool IsVariableName(std::string_view name) {
  return !name.empty() && !(name[0] >= '0' && name[0] <= '9') &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return c == '_' || (c >= 'a' && c <= 'z') ||
                  (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
         });
}

// A path as one word. "~" and "~user" in front are left to the shell. Another
// one begins so that `cd` neither takes it for an option nor looks in CDPATH.
std::string QuotePath(const std::string& path) {
  size_t slash = std::min(path.find('/'), path.size());
  std::string home = path.substr(0, slash);
  bool is_home = home.starts_with('~') &&
                 home.find_first_of(" \t\n'\"\\$`!&;|<>(){}[]*?~#=+", 1) ==
                     std::string::npos;
  if (!is_home) return ShellQuote(path[0] == '/' ? path : "./" + path);
  std::string rest = path.substr(std::min(slash + 1, path.size()));
  if (slash < path.size()) home += '/';
  return rest.empty() ? home : home + ShellQuote(rest);
}

// Sets the variables in the shell that sources it. Before that it deletes
// itself and stops what shows commands as they are read or run: `set -v`,
// `set -x` and a DEBUG trap.
std::string EnvironmentScript(const ShellCommand& command,
                              const ShellPlace& place) {
  // An unknown condition is an error of `trap` in some shells, and one of a
  // special builtin ends a shell that keeps to POSIX, unless by `command`.
  bool is_zsh = place.shell->name == "zsh";
  std::string script = absl::StrFormat(
      "{ command rm -f -- %s; __glasstty_flags=$-; set +vx; "
      "%strap - DEBUG || :; } 2>/dev/null\n",
      ShellQuote(place.path + "/" + wire::kEnvironmentName),
      is_zsh ? "" : "command ");
  std::string names, values;
  for (const auto& [name, value] : command.environment) {
    names += " " + name;
    values += absl::StrFormat(" %s=%s", name, ShellQuote(value));
  }
  // What a shell says about a value that it does not take may repeat it.
  script += absl::StrFormat(
      "export%s 2>/dev/null || {\n"
      "  echo 'term_run: the shell refuses to set at least one of:%s' >&2\n"
      "  return 1\n"
      "}\n",
      values, names);
  return script +
         "{ case $__glasstty_flags in *v*) set -v ;; esac\n"
         "case $__glasstty_flags in *x*) set -x ;; esac\n"
         "unset __glasstty_flags; } 2>/dev/null\n";
}

// In a subshell, so that directory and variables end with the command.
absl::StatusOr<std::string> WithSurroundings(const ShellCommand& command,
                                             const ShellPlace& place) {
  std::string setup;
  if (!command.cwd.empty()) setup = "cd -- " + QuotePath(command.cwd) + " && ";
  if (!command.environment.empty()) {
    RETURN_IF_ERROR(place.put_file(wire::kEnvironmentName,
                                   EnvironmentScript(command, place)));
    setup += absl::StrFormat(
        ". %s && ", ShellQuote(place.path + "/" + wire::kEnvironmentName));
  }
  if (setup.empty()) return command.text;
  return absl::StrFormat("(%s{\n%s\n})", setup, command.text);
}

// As the format of printf(1), in single quotes, without any byte that means
// something to a line editor.
std::string SpelledOut(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '%') {
      out += "%%";
    } else if (IsControl(c) || c == '\\' || c == '\'' || c == '!') {
      out += absl::StrFormat("\\%03o", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

// What runs `text` in the shell itself.
std::string Evaluation(std::string_view text, const ShellPlace& place) {
  const Shell& shell = *place.shell;
  bool as_it_is =
      shell.eval_printf.empty() || (shell.is_posix && CanBeTyped(text, place));
  if (as_it_is) return "eval " + ShellQuote(text);
  size_t gap = shell.eval_printf.find('%');
  return absl::StrFormat("%s'%s'%s", shell.eval_printf.substr(0, gap),
                         SpelledOut(text), shell.eval_printf.substr(gap + 1));
}

}  // namespace

absl::Status CheckCommand(const ShellCommand& command,
                          const ShellPlace& place) {
  bool surrounded = !command.cwd.empty() || !command.environment.empty();
  if (surrounded && !place.shell->is_posix) {
    return InvalidArgument(
        "term_run: 'cwd' and 'env' for one command need a shell like sh; put "
        "them into the command, or use fresh=true");
  }
  for (const auto& [name, value] : command.environment) {
    if (!IsVariableName(name)) {
      return InvalidArgument("term_run: env: '%s' is not a valid variable name",
                             name);
    }
    if (value.find('\0') != std::string::npos) {
      return InvalidArgument("term_run: env %s: a value cannot hold a NUL",
                             name);
    }
  }
  if (place.is_far && !command.environment.empty()) {
    return FailedPrecondition(
        "term_run: 'env' would have to be typed there in plain sight, because "
        "the shell is on another machine or another user's and cannot read our "
        "files. Run `read -rs NAME; export NAME` in it and answer with "
        "term_send [{\"secret_env\": ...}] or [{\"secret_file\": ...}]");
  }
  if (command.text.find('\0') != std::string::npos) {
    return InvalidArgument("term_run: 'command' holds a NUL byte");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> FormAtPrompt(const ShellCommand& command,
                                         const ShellPlace& place) {
  ASSIGN_OR_RETURN(std::string text, WithSurroundings(command, place));
  bool has_lines = text.find('\n') != std::string::npos;
  if (CanBeTyped(text, place) && (!has_lines || place.takes_pastes)) {
    // bash runs pasted lines one by one, each with marks of its own.
    if (has_lines && place.shell->name == "bash") return "{\n" + text + "\n}";
    return text;
  }
  RETURN_IF_ERROR(place.put_file(wire::kCommandName, text + "\n"));
  return absl::StrFormat("%s %s", place.shell->source,
                         ShellQuote(place.path + "/" + wire::kCommandName));
}

// The blank in front keeps the line out of the history of shells that are set
// so.
absl::StatusOr<std::string> MarkedForm(const ShellCommand& command,
                                       const ShellPlace& place, uint64_t run) {
  ASSIGN_OR_RETURN(std::string text, WithSurroundings(command, place));
  return absl::StrFormat(
      " printf '\\033]133;C;run=%%s\\007' %d; %s; "
      "printf '\\033]133;D;%%s;run=%%s\\007' %s %d",
      run, Evaluation(text, place), place.shell->status, run);
}

}  // namespace glasstty::typing
