// A command cannot always be typed as it is, for these reasons.
//
// Text at a prompt goes through a line editor: a tab completes, "!" recalls
// history, a newline runs the text before it. Bracketed paste prevents
// completion and the effect of newlines, so it is used if possible. A text that
// would be changed nevertheless is written into a file that the same shell
// sources, so that `cd`, aliases and functions keep their effect.
//
// A line for a shell without integration quotes the command for `eval`, between
// two printfs that print the marks. Such a shell may be on another machine,
// where it cannot read our files. So a third printf spells out what its editor
// would not accept.
//
// The shell's editor also examines the typed text, key by key: fish and zsh
// with highlighting take seconds for a few kilobytes, and others (mksh, ksh93,
// busybox) cut off a line at the size of their buffer and run the part that
// fits. So a long command is written into the file, too. Without a file, it is
// typed in several short lines, none of which runs before the last. csh has
// neither comments nor commands of several lines except in a file.
//
// Values of variables are never typed, because everything that is typed is
// shown, logged, recorded and kept in the shell's history. A separate file,
// which first deletes itself, sets the variables.
#include "typing/command_form.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "support/status.h"
#include "support/text.h"
#include "wire/session_files.h"

namespace glasstty::typing {
namespace {

// The smallest known buffer of a line editor has 1,024 bytes (busybox as it is
// usually built). kLongLine is the limit, in bytes, for a command that can
// neither be split nor be put into a file (csh). Other long commands are split
// into pieces of about kPieceBytes.
constexpr size_t kLongLine = 900;
constexpr size_t kPieceBytes = 600;

bool IsControl(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

// Returns true if the shell's line editor leaves the text unchanged.
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

// Returns a path as one word of shell syntax. "~" or "~user" at the beginning
// is not quoted, so the shell expands it. Any other relative path gets a "./",
// so that `cd` neither gives "-" its special meaning nor searches CDPATH.
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

// Returns a script that sets the variables in the shell that sources it. Before
// it sets them, the script deletes itself and disables whatever shows commands
// as they are read or run: `set -v`, `set -x` and a DEBUG trap.
std::string EnvironmentScript(const ShellCommand& command,
                              const ShellPlace& place) {
  // In some shells, `trap` fails for an unknown condition. A failing special
  // builtin ends a POSIX shell, unless it is called through `command`.
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
  // A shell that refuses a value may repeat it in its message.
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

// Returns true for blank lines and comments. These are no command for a shell:
// bash rejects them between braces, and nothing would report their end.
bool IsComment(std::string_view text) {
  std::vector<std::string> lines = Split(text, '\n');
  return std::all_of(lines.begin(), lines.end(), [](const std::string& line) {
    std::string_view words = TrimBlanks(line);
    return words.empty() || words[0] == '#';
  });
}

// Returns the text of the command. If the command has its own directory or
// variables, a subshell runs it, so that they do not outlast it.
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
  std::string text = command.text;
  if (IsComment(text)) text = ": " + text;
  if (setup.empty()) return text;
  return absl::StrFormat("(%s{\n%s\n})", setup, text);
}

// Returns the first line of a file with a command; "" for most shells. The line
// calls a function of our integration that preserves $?, and puts the command's
// text into the shell's history instead of the typed line.
std::string_view HistoryEntry(const Shell& shell) {
  bool recalls = shell.name == "bash" || shell.name == "zsh";
  return recalls ? "{ __glasstty_recall; } 2>/dev/null\n" : "";
}

// Returns a character as a format of printf(1), for use in single quotes,
// without any byte that has a meaning to a line editor.
std::string SpelledOut(char c) {
  if (c == '%') return "%%";
  bool has_meaning = IsControl(c) || c == '\\' || c == '\'' || c == '!';
  if (!has_meaning) return std::string(1, c);
  return absl::StrFormat("\\%03o", static_cast<unsigned char>(c));
}

// Returns the text as formats of printf(1), each of about `longest` bytes at
// most. No piece begins with something that printf takes for an option.
std::vector<std::string> SpelledOut(std::string_view text, size_t longest) {
  std::vector<std::string> pieces(1);
  for (char c : text) {
    // No piece ends inside a character, because the editor needs whole ones.
    bool is_full = pieces.back().size() >= longest;
    if (is_full && !IsContinuation(c)) pieces.emplace_back();
    bool is_option = pieces.back().empty() && c == '-';
    pieces.back() += is_option ? "\\055" : SpelledOut(c);
  }
  return pieces;
}

// Returns a command that runs `text` in the shell itself. If the command has
// several lines, those after the first belong to a quoted string or a command
// substitution, which the shell reads to its end before it runs anything.
std::string Evaluation(std::string_view text, const ShellPlace& place) {
  const Shell& shell = *place.shell;
  std::string quoted = ShellQuote(text);
  // Each piece gets its own line only where a line may be too long.
  bool is_one_line = place.takes_pastes || !shell.is_posix;
  bool is_short = is_one_line || quoted.size() <= kPieceBytes;
  bool as_it_is = shell.eval_printf.empty() ||
                  (shell.is_posix && is_short && CanBeTyped(text, place));
  if (as_it_is) return "eval " + quoted;
  size_t gap = shell.eval_printf.find('%');
  std::string formats;
  for (const std::string& piece :
       SpelledOut(text, is_one_line ? SIZE_MAX : kPieceBytes)) {
    formats += (formats.empty() ? "'" : "\nprintf '") + piece + "'";
  }
  return absl::StrFormat("%s%s%s", shell.eval_printf.substr(0, gap), formats,
                         shell.eval_printf.substr(gap + 1));
}

bool IsCsh(const Shell& shell) { return shell.eval_printf.empty(); }

// Returns true if a `#` seems to begin a word; it may be inside quotes.
bool MayHaveComment(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    bool begins_word =
        i == 0 || std::string_view(" \t\n;&|()").find(text[i - 1]) !=
                      std::string_view::npos;
    if (text[i] == '#' && begins_word) return true;
  }
  return false;
}

// Returns true if the shell is csh and the text has several lines or comments:
// csh runs each line by itself, and a comment as a command.
bool IsBrokenByCsh(std::string_view text, const Shell& shell) {
  return IsCsh(shell) &&
         (text.find('\n') != std::string_view::npos || MayHaveComment(text));
}

// Returns true if a shell without integration gets the text from a file.
bool IsRead(std::string_view text, const ShellPlace& place) {
  const Shell& shell = *place.shell;
  if (!place.reads_files || shell.source.empty()) return false;
  bool is_changed = IsCsh(shell) && !CanBeTyped(text, place);
  // bash may not recognize comments at its prompt (interactive_comments).
  bool runs_comment = shell.name == "bash" && MayHaveComment(text);
  return place.needs_mending || is_changed || runs_comment ||
         IsBrokenByCsh(text, shell) || text.size() > shell.quick_bytes;
}

// Returns a line, for any shell, that gives some terminal settings their usual
// values, and prints a mark if this changed anything.
std::string MendingLine(uint64_t run) {
  return absl::StrFormat(
      "sh -c 'exec </dev/tty >/dev/tty 2>/dev/null; was=$(stty -g); stty iutf8 "
      "icrnl -inlcr -igncr -istrip -iuclc opost onlcr -ocrnl -onocr -onlret "
      "-olcuc -ofill tab0 nl0 cr0 isig icanon iexten echo echoe echok -noflsh "
      "-tostop intr ^C quit ^\\\\ susp ^Z eof ^D; "
      "[ \"$was\" = \"$(stty -g)\" ] || "
      "printf \"\\r\\033]133;P;left=tty;run=%d\\007\"'\n",
      run);
}

}  // namespace

absl::Status CheckCommand(const ShellCommand& command,
                          const ShellPlace& place) {
  bool surrounded = !command.cwd.empty() || !command.environment.empty();
  bool is_broken = IsBrokenByCsh(command.text, *place.shell);
  if (is_broken && !place.reads_files) {
    return FailedPrecondition(
        "term_run: %s has neither comments nor commands of several lines at "
        "its prompt, and this one cannot read our files: nothing was typed. "
        "Write the command to a file with term_write_file and `source` that, "
        "or use fresh=true",
        place.shell->name);
  }
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
        "term_send input=[{\"secret_env\": ...}] or, for a file, "
        "input=[{\"secret_file\": ...}]");
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
  bool takes_lines = place.takes_pastes && place.runs_lines;
  bool is_typed = text.size() <= place.shell->quick_bytes &&
                  CanBeTyped(text, place) && !place.needs_mending &&
                  (!has_lines || takes_lines);
  if (is_typed) {
    // bash runs pasted lines one by one, each with its own marks.
    if (has_lines && place.shell->name == "bash") return "{\n" + text + "\n}";
    return text;
  }
  std::string_view mend = place.needs_mending ? "__glasstty_mend\n" : "";
  RETURN_IF_ERROR(place.put_file(
      wire::kCommandName,
      absl::StrFormat("%s%s%s\n", mend, HistoryEntry(*place.shell), text)));
  // zsh's hook in our integration recognizes the whole line, with the leading
  // blank, which keeps the line out of fish's history.
  return absl::StrFormat(" %s %s", place.shell->source,
                         ShellQuote(place.path + "/" + wire::kCommandName));
}

// A leading blank keeps the line out of the history of shells that are set to
// ignore such lines.
absl::StatusOr<std::string> MarkedForm(const ShellCommand& command,
                                       const ShellPlace& place, uint64_t run) {
  ASSIGN_OR_RETURN(std::string text, WithSurroundings(command, place));
  bool is_read = IsRead(text, place);
  if (!is_read && IsCsh(*place.shell) && text.size() > kLongLine) {
    return FailedPrecondition(
        "term_run: the command has %d bytes, and %s might cut a line of more "
        "than %d and run a part of it: nothing was typed. Write it to a file "
        "with term_write_file and run that, or use fresh=true",
        text.size(), place.shell->name, kLongLine);
  }
  std::string evaluation;
  if (is_read) {
    std::string mend = place.needs_mending ? MendingLine(run) : "";
    RETURN_IF_ERROR(place.put_file(wire::kCommandName, mend + text + "\n"));
    evaluation =
        absl::StrFormat("%s %s", place.shell->source,
                        ShellQuote(place.path + "/" + wire::kCommandName));
  } else {
    evaluation = Evaluation(text, place);
  }
  if (!place.shell->is_posix) {
    return absl::StrFormat(
        " printf '\\033]133;C;run=%%s\\007' %d; %s; "
        "printf '\\033]133;D;%%s;run=%%s\\007' %s %d",
        run, evaluation, place.shell->status, run);
  }
  // The subshells leave $? to the command as it was, and to the next command as
  // this one leaves it.
  return absl::StrFormat(
      " (set -- $?; printf '\\033]133;C;run=%%s\\007' %d; exit $1); %s; "
      "(set -- $?; printf '\\033]133;D;%%s;run=%%s\\007' $1 %d; exit $1)",
      run, evaluation, run);
}

}  // namespace glasstty::typing
