// `glasstty generate`: prints the man page and the completions of bash, zsh and
// fish. They are generated from the tables of commands, flags and settings, so
// they cannot become outdated. It also prints the names of sessions, for the
// completions.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"
#include "base/visible.h"
#include "cli/clients.h"
#include "cli/exit_status.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/settings.h"
#include "cli/tool_commands.h"
#include "record/recording.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty {
namespace {

// ---- shared by all generators

std::string Dashed(const ToolFlag& flag) {
  return (flag.name.size() == 1 ? "-" : "--") + flag.name;
}

// Returns the command's own flags, and those that it passes on to a tool.
std::vector<ToolFlag> AllFlags(const CommandRow& command) {
  std::vector<ToolFlag> flags;
  for (const FlagRow& flag : command.flags) {
    flags.push_back({flag.name, flag.takes, flag.value, flag.help});
  }
  for (ToolFlag& flag : ToolFlags(command)) flags.push_back(std::move(flag));
  return flags;
}

// Like AllFlags, for completions: for `call`, which may name any tool, also
// returns the flags of all tools, each once.
std::vector<ToolFlag> FlagsToComplete(const CommandRow& command) {
  std::vector<ToolFlag> flags = AllFlags(command);
  if (command.run != RunCall) return flags;
  ToolTables tables;
  for (const std::string& name : tables.Names()) {
    for (ToolFlag& flag : FlagsOf(*tables.Find(name), {})) {
      bool is_new = std::none_of(
          flags.begin(), flags.end(),
          [&flag](const ToolFlag& known) { return known.name == flag.name; });
      if (is_new) flags.push_back(std::move(flag));
    }
  }
  return flags;
}

std::vector<std::string> CommandNames() {
  std::vector<std::string> names;
  for (const CommandRow& row : Commands()) names.emplace_back(row.name);
  return names;
}

// Returns the possible words of an operand; none if it is a session, a file or
// free text.
std::vector<std::string> OperandWords(const CommandRow& command) {
  if (command.run == RunCall) return ToolTables().Names();
  if (command.run == RunGenerate) return Split(command.operands, '|');
  if (command.run == RunSetup) return ClientNames();
  return {};
}

bool TakesSession(Takes takes) {
  return takes == Takes::kSession || takes == Takes::kSessionOrFile;
}
bool TakesFile(Takes takes) {
  return takes == Takes::kFile || takes == Takes::kSessionOrFile;
}

// Returns `text` with a backslash before each of `special`.
std::string Escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// ---- man(7)

// Escapes text of a man page: a leading '.' or '\'' would be a request, and '-'
// would be a hyphen.
std::string Roff(std::string_view text) {
  std::string out = Escaped(text, "\\-");
  if (!out.empty() && (out[0] == '.' || out[0] == '\'')) out = "\\&" + out;
  return out;
}

std::string ManOfCommand(const CommandRow& command) {
  std::string page = ".SS " +
                     Roff(std::string("glasstty ") + Synopsis(command)) + "\n" +
                     Roff(command.summary) + ".\n";
  page[page.find('\n') + 1] = static_cast<char>(
      std::toupper(static_cast<unsigned char>(command.summary[0])));
  if (*command.details != '\0') page += Roff(command.details) + "\n";
  for (const ToolFlag& flag : AllFlags(command)) {
    page += ".TP\n.B " +
            Roff(Dashed(flag) + (flag.value.empty() ? "" : " ") + flag.value) +
            "\n" + Roff(flag.help) + "\n";
  }
  return page + ".PP\nExample:\n.PP\n.EX\n" + Roff(command.example) + "\n.EE\n";
}

std::string ManPage(const Options& options) {
  std::string page = absl::StrFormat(
      ".TH GLASSTTY 1 \"%s\" \"glasstty %s\" \"User Commands\"\n"
      ".SH NAME\nglasstty \\- real terminals for AI agents, over MCP\n"
      ".SH SYNOPSIS\n.B glasstty\n.I COMMAND\n.RI [ ARGUMENTS ]\n"
      ".SH DESCRIPTION\n"
      "glasstty is an MCP server that gives an AI agent real terminals.\n"
      "Without a command it serves MCP on stdin and stdout, unless stdin is a "
      "terminal.\n.SH COMMANDS\n",
      options.Get("date"), GLASSTTY_VERSION);
  for (const CommandRow& command : Commands()) page += ManOfCommand(command);
  page +=
      ".SH OPTIONS\n.TP\n.B \\-h, \\-\\-help\nShow help; after a command, that "
      "of the command.\n.TP\n.B \\-V, \\-\\-version\nShow the version.\n"
      ".SH SETTINGS\nA flag overrides a variable, and a variable the "
      "file.\n";
  for (const SettingDoc& doc : SettingDocs()) {
    page += ".TP\n.BR " + Roff("--" + doc.name) + "=\\fIVALUE\\fR, " +
            Roff(doc.variable) + "\n" + Roff(doc.meaning) + "\n";
  }
  std::string statuses;
  for (const ExitStatusRow& row : ExitStatuses()) {
    statuses += absl::StrFormat(".TP\n%d\n%s\n", static_cast<int>(row.status),
                                Roff(row.meaning));
  }
  return page +
         ".SH FILES\n.TP\n.I ~/.config/glasstty/config\nSettings, a line "
         "\"name = value\" each.\n.TP\n.I ~/.local/state/glasstty\nThe logs of "
         "sessions.\n"
         ".SH EXIT STATUS\n0 if the command succeeded, 1 if it failed, 2 "
         "if it was called wrongly. Commands that call a tool exit with:\n" +
         statuses;
}

// ---- bash

std::string BashOfCommand(const CommandRow& command) {
  std::string flags = "--help";
  std::string values;
  for (const ToolFlag& flag : FlagsToComplete(command)) {
    flags += " " + Dashed(flag);
    if (flag.takes == Takes::kNothing) continue;
    std::string words =
        flag.takes == Takes::kChoice ? Join(Split(flag.value, '|'), " ") : "";
    values += absl::StrFormat("        %s) ", Dashed(flag));
    values += TakesSession(flag.takes) ? "_glasstty_sessions"
              : TakesFile(flag.takes)
                  ? "_glasstty_files"
                  : absl::StrFormat("_glasstty_words '%s'", words);
    values += "; return ;;\n";
  }
  if (command.takes_settings) {
    for (const SettingDoc& doc : SettingDocs()) flags += " --" + doc.name + "=";
  }
  std::string text = absl::StrFormat("    %s)\n", command.name);
  if (!values.empty()) {
    text += "      case $previous in\n" + values + "      esac\n";
  }
  text += absl::StrFormat(
      "      [[ $current == -* ]] && { _glasstty_words '%s'; return; }\n",
      flags);
  std::vector<std::string> words = OperandWords(command);
  if (!words.empty()) {
    text += absl::StrFormat("      _glasstty_words '%s'\n", Join(words, " "));
  }
  if (TakesSession(command.operand)) text += "      _glasstty_sessions\n";
  if (TakesFile(command.operand)) text += "      _glasstty_files\n";
  return text + "      ;;\n";
}

std::string BashCompletion(const Options&) {
  std::string text =
      "# bash completion for glasstty\n\n"
      "_glasstty_words() {\n"
      "  mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < "
      "<(compgen -W \"$1\" -- \"$current\")\n"
      "  [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace\n"
      "}\n"
      "_glasstty_sessions() {\n"
      "  _glasstty_words \"$(glasstty generate sessions 2>/dev/null)\"\n"
      "}\n"
      "_glasstty_files() {\n"
      "  compopt -o filenames\n"
      "  mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < "
      "<(compgen -f -- \"$current\")\n"
      "}\n\n"
      "_glasstty() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} "
      "previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    _glasstty_words '" +
      Join(CommandNames(), " ") +
      " --help --version'\n"
      "    return\n"
      "  fi\n"
      "  case ${COMP_WORDS[1]} in\n";
  for (const CommandRow& command : Commands()) text += BashOfCommand(command);
  return text + "  esac\n}\ncomplete -F _glasstty glasstty\n";
}

// ---- zsh

// Escapes ':' and brackets, which delimit descriptions of _arguments.
std::string ZshText(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      if (c == ':' || c == '[' || c == ']') out += '\\';
      out += c;
    }
  }
  return out;
}

std::string ZshAction(Takes takes, std::string_view value) {
  if (takes == Takes::kChoice) {
    return "(" + Join(Split(std::string(value), '|'), " ") + ")";
  }
  if (takes == Takes::kSessionOrFile) return "_glasstty_sessions_or_files";
  if (TakesSession(takes)) return "_glasstty_sessions";
  return TakesFile(takes) ? "_files" : "";
}

std::string ZshOfCommand(const CommandRow& command) {
  std::string text = absl::StrFormat(
      "    %s)\n      _arguments '(-h --help)'{-h,--help}'[show help]'",
      command.name);
  for (const ToolFlag& flag : FlagsToComplete(command)) {
    text += absl::StrFormat(" \\\n        '%s[%s]", Dashed(flag),
                            ZshText(flag.help));
    if (flag.takes != Takes::kNothing) {
      text += absl::StrFormat(":%s:%s", ZshText(flag.value),
                              ZshAction(flag.takes, flag.value));
    }
    text += "'";
  }
  if (command.takes_settings) {
    for (const SettingDoc& doc : SettingDocs()) {
      text += absl::StrFormat(" \\\n        '--%s=[%s]:value:'", doc.name,
                              ZshText(doc.meaning));
    }
  }
  std::vector<std::string> words = OperandWords(command);
  std::string action = words.empty() ? ZshAction(command.operand, "")
                                     : "(" + Join(words, " ") + ")";
  if (!action.empty()) {
    text += absl::StrFormat(" \\\n        '1:%s:%s'", ZshText(command.operands),
                            action);
  }
  return text + "\n      ;;\n";
}

std::string ZshCompletion(const Options&) {
  std::string text =
      "#compdef glasstty\n\n"
      "_glasstty_sessions() {\n"
      "  local -a names=(${(f)\"$(glasstty generate sessions "
      "2>/dev/null)\"})\n"
      "  compadd -a names\n"
      "}\n"
      "_glasstty_sessions_or_files() {\n"
      "  _glasstty_sessions\n"
      "  _files\n"
      "}\n\n"
      "_glasstty() {\n"
      "  if ((CURRENT == 2)); then\n"
      "    local -a commands=(\n";
  for (const CommandRow& command : Commands()) {
    text += absl::StrFormat("      '%s:%s'\n", command.name,
                            ZshText(command.summary));
  }
  text +=
      "    )\n"
      "    _describe command commands\n"
      "    compadd -- --help --version\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  ((CURRENT--))\n"
      "  case $command in\n";
  for (const CommandRow& command : Commands()) text += ZshOfCommand(command);
  return text + "  esac\n}\n\n_glasstty \"$@\"\n";
}

// ---- fish

std::string FishText(std::string_view text) {
  return "'" + Escaped(text, "'\\") + "'";
}

std::string FishOfCommand(const CommandRow& command) {
  std::string condition = absl::StrFormat(
      "complete -c glasstty -n '__fish_seen_subcommand_from %s'", command.name);
  std::string text = absl::StrFormat(
      "complete -c glasstty -n __fish_use_subcommand -f -a %s -d %s\n",
      command.name, FishText(command.summary));
  if (!TakesFile(command.operand)) text += condition + " -f\n";
  for (const ToolFlag& flag : FlagsToComplete(command)) {
    bool letter = flag.name.size() == 1;
    text += absl::StrFormat("%s %s %s -d %s", condition, letter ? "-s" : "-l",
                            flag.name, FishText(flag.help));
    if (flag.takes == Takes::kChoice) {
      text += " -x -a " + FishText(Join(Split(flag.value, '|'), " "));
    } else if (TakesSession(flag.takes)) {
      text += " -x -a '(glasstty generate sessions 2>/dev/null)'";
    } else if (flag.takes != Takes::kNothing) {
      text += TakesFile(flag.takes) ? " -r -F" : " -x";
    }
    text += "\n";
  }
  if (command.takes_settings) {
    for (const SettingDoc& doc : SettingDocs()) {
      text += absl::StrFormat("%s -l %s -x -d %s\n", condition, doc.name,
                              FishText(doc.meaning));
    }
  }
  std::vector<std::string> words = OperandWords(command);
  if (!words.empty()) {
    text += condition + " -a " + FishText(Join(words, " ")) + "\n";
  }
  if (TakesSession(command.operand)) {
    text += condition + " -a '(glasstty generate sessions 2>/dev/null)'\n";
  }
  return text;
}

std::string FishCompletion(const Options&) {
  std::string text =
      "# fish completion for glasstty\n\n"
      "complete -c glasstty -s h -l help -d 'show help'\n"
      "complete -c glasstty -n __fish_use_subcommand -s V -l version -d 'show "
      "the version'\n";
  for (const CommandRow& command : Commands()) text += FishOfCommand(command);
  return text;
}

// Returns one name per line, and nothing if there are none or they cannot be
// read: an error on stderr would spoil the user's command line.
std::string SessionNames(const Options&) {
  auto names = record::RecordedNames();
  std::string text;
  if (!names.ok()) return text;
  for (const std::string& name : *names) {
    // A damaged file may hold any name.
    if (ShowOnOneLine(name) == name) text += name + "\n";
  }
  return text;
}

struct Generator {
  const char* name;
  std::string (*make)(const Options&);
};
constexpr Generator kGenerators[] = {
    {"man", ManPage},           {"bash", BashCompletion},
    {"zsh", ZshCompletion},     {"fish", FishCompletion},
    {"sessions", SessionNames},
};

}  // namespace

int RunGenerate(const Options& options) {
  std::string wanted = options.operands.size() == 1 ? options.operands[0] : "";
  for (const Generator& generator : kGenerators) {
    if (wanted != generator.name) continue;
    std::fputs(generator.make(options).c_str(), stdout);
    return 0;
  }
  const CommandRow* command = FindCommand("generate");
  return Report(*command,
                InvalidArgument("give one of: %s", command->operands));
}

}  // namespace glasstty
