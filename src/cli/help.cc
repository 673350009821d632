#include "cli/help.h"

#include <cctype>
#include <string_view>

#include "absl/strings/str_format.h"
#include "cli/commit.h"
#include "cli/settings.h"
#include "cli/tool_commands.h"
#include "support/text.h"

namespace glasstty {
namespace {

constexpr size_t kWidth = 80;

// Breaks `text` into lines of at most kWidth columns, and indents all but the
// first.
std::string Wrapped(std::string_view text, size_t column, size_t indent) {
  std::string out;
  while (!text.empty()) {
    size_t end = text.find(' ');
    std::string_view word = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (column + word.size() > kWidth) {
      while (!out.empty() && out.back() == ' ') out.pop_back();
      out += "\n" + std::string(indent, ' ');
      column = indent;
    }
    out += word;
    column += word.size() + 1;
    if (!text.empty()) out += ' ';
  }
  return out + "\n";
}

// Returns "  LEFT    text", wrapped; each line of the text begins at column
// `indent`.
std::string HelpRow(const std::string& left, std::string_view text,
                    size_t indent) {
  std::string row = "  " + left;
  if (row.size() + 2 > indent) {
    row += "\n" + std::string(indent, ' ');
  } else {
    row.resize(indent, ' ');
  }
  return row + Wrapped(text, indent, indent);
}

std::string Sentence(std::string_view text) {
  std::string sentence(text);
  if (!sentence.empty()) {
    sentence[0] = static_cast<char>(std::toupper(sentence[0]));
  }
  return sentence + ".";
}

}  // namespace

std::string FlagText(const FlagRow& flag) {
  std::string_view name = flag.name;
  std::string text = std::string(name.size() == 1 ? "-" : "--") + flag.name;
  if (flag.takes != Takes::kNothing) text += std::string(" ") + flag.value;
  return text;
}

std::string Synopsis(const CommandRow& command) {
  std::string text = command.name;
  for (const FlagRow& flag : command.flags) text += " [" + FlagText(flag) + "]";
  if (command.takes_settings) text += " [--SETTING=VALUE]";
  if (*command.operands != '\0') text += std::string(" ") + command.operands;
  return text;
}

// Breaks lines between flags, never inside one.
std::string Usage(const CommandRow& command) {
  constexpr size_t kWidth = 80;
  std::string usage = "usage: glasstty ";
  size_t begin = 0;  // the beginning of the current line
  std::string rest = Synopsis(command);
  while (!rest.empty()) {
    size_t end = rest.find(" [", 1);
    if (end == std::string::npos && rest.find("] ") != std::string::npos) {
      end = rest.find("] ") + 1;
    }
    std::string part = rest.substr(0, end);
    rest.erase(0, part.size());
    if (usage.size() + part.size() - begin > kWidth) {
      usage += "\n       ";
      begin = usage.rfind('\n') + 1;
    }
    usage += part;
  }
  return usage + "\n";
}

std::string CommandHelp(const CommandRow& command) {
  std::string help =
      Usage(command) + "\n" + Wrapped(Sentence(command.summary), 0, 0);
  if (*command.details != '\0') help += Wrapped(command.details, 0, 0);
  help += "\n";
  for (const FlagRow& flag : command.flags) {
    help += HelpRow(FlagText(flag), flag.help, 22);
  }
  help += HelpRow("-h, --help", "show this text", 22);
  std::vector<ToolFlag> tool_flags = ToolFlags(command);
  if (!tool_flags.empty()) help += "\nArguments:\n" + ToolFlagsHelp(tool_flags);
  if (command.takes_settings) {
    help += "\nSettings:\n";
    for (const SettingDoc& doc : SettingDocs()) {
      help += HelpRow("--" + doc.name + "=VALUE", doc.meaning, 27);
    }
  }
  return help + "\nExample:\n  " + command.example + "\n";
}

std::string ToolFlagsHelp(const std::vector<ToolFlag>& flags) {
  std::string help;
  for (const ToolFlag& flag : flags) {
    std::string left = "--" + flag.name;
    std::string about = flag.help;
    if (left.size() + flag.value.size() > kWidth) {
      left += " CHOICE";
      about = Join(Split(flag.value, '|'), ", ") + ": " + about;
    } else if (!flag.value.empty()) {
      left += " " + flag.value;
    }
    help += HelpRow(left, about, 22);
  }
  return help;
}

std::string ProgramHelp() {
  std::string help = VersionText() +
                     ": real terminals for AI agents, over MCP\n\n"
                     "usage: glasstty COMMAND [ARGUMENTS]\n";
  std::string_view section;
  for (const CommandRow& command : Commands()) {
    if (section != command.section) {
      section = command.section;
      help += "\n" + std::string(section) + ":\n";
    }
    help += HelpRow(std::string(command.name) + " " + command.operands,
                    command.summary, 25);
  }
  help +=
      "\nglasstty COMMAND --help shows the flags of a command and an example.\n"
      "Without a command glasstty serves MCP, unless stdin is a terminal.\n\n"
      "Settings: give --NAME=VALUE, set a variable, or write NAME = VALUE "
      "in\n" +
      SettingsPath() + "\n\n";
  for (const SettingDoc& doc : SettingDocs()) {
    help += HelpRow(doc.name, doc.meaning + "; " + doc.variable, 18);
  }
  return help +
         "\n  -h, --help     show this text\n"
         "  -V, --version  show the version\n";
}

std::string VersionText() {
  std::string commit = GLASSTTY_COMMIT;
  std::string text = std::string("glasstty ") + GLASSTTY_VERSION;
  return commit.empty() ? text : text + " (" + commit + ")";
}

}  // namespace glasstty
