// Programs that only start another one, and programs that run what they are
// told: shells, interpreters, clients of databases, find, ssh, containers. They
// are named in rules.txt; a list has a row in the table at the end.
#include <algorithm>
#include <iterator>

#include "absl/strings/str_format.h"
#include "gate/judge.h"
#include "gate/rules.h"
#include "gate/shell_call.h"
#include "support/text.h"

namespace glasstty::gate {
namespace {

// What lets code of an interpreter start programs.
constexpr std::string_view kStarters[] = {
    "system", "exec", "popen", "subprocess", "spawn", "`", "%x"};

// "A=b" and not "/bin/a=b". sudo and env take assignments in front of the
// command (sudo(8), env(1)).
bool IsAssignment(const std::string& text) {
  size_t equals = text.find('=');
  return equals != std::string::npos && text.find('/') > equals;
}

Words Behind(const Words& words, size_t i) {
  i = std::min(i, words.size());
  return {words.begin() + static_cast<long>(i), words.end()};
}

// Of env: the next word is a line. Elsewhere a blank means nothing to it:
// "env MSG='a b' make".
bool IsSplitOption(const std::string& text) {
  return text.starts_with("--s") ||
         (text.starts_with("-") && text.ends_with("S"));
}

// env(1) splits the value of -S into words: what eval does with a line. It may
// stand in the same word.
Words SplitString(const Words& words, size_t at) {
  const Word& word = words[at];
  size_t value = word.text.starts_with("--")  ? word.text.find('=') + 1
                 : word.text.starts_with("-") ? word.text.find('S') + 1
                                              : 0;
  Words line = {Word::Of("eval"), word.Part(value)};
  for (size_t i = at + 1; i < words.size(); ++i) line.push_back(words[i]);
  return line;
}

// What the wrapper at words[0] starts. Which of its options take a value is not
// known: behind an option, a word that names no program may be one.
Words Inner(const Words& words, const std::string& wrapper) {
  bool operand = IsIn("wrapper-operand", wrapper);
  bool after_option = false;
  size_t i = 1;
  for (; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    // Assignments and operands may follow; "-" is env's -i.
    if (text == "--" || text == "-") {
      after_option = false;
      continue;
    }
    bool line = text.find(' ') != std::string::npos &&
                (IsOption(words[i]) || IsSplitOption(words[i - 1].text));
    if (line && wrapper == "env") return SplitString(words, i);
    if (IsOption(words[i])) {
      after_option = true;
      continue;
    }
    if (IsKnownProgram(BaseName(text))) break;
    if (IsAssignment(text)) continue;
    if (!after_option && !operand) break;
    operand &= after_option;
    after_option = false;
  }
  return Behind(words, i);
}

// "-O2" has its level in the same word.
bool IsFindOption(const std::string& text) {
  return text.starts_with("-O") || IsIn("find-option", text);
}

// Strings in a program's text: they may be commands for system() and the like.
// Escapes are not undone and quotes do not nest: an approximation for a dozen
// languages at once.
std::vector<std::string> StringsIn(const std::string& code) {
  std::vector<std::string> strings;
  size_t at = code.find_first_of("\"'`");
  while (at != std::string::npos) {
    size_t end = code.find(code[at], at + 1);
    if (end == std::string::npos) break;
    strings.push_back(code.substr(at + 1, end - at - 1));
    at = code.find_first_of("\"'`", end + 1);
  }
  return strings;
}

}  // namespace

// One after the other: "sudo env A=b nohup rm". What is nothing but a wrapper
// stays, and is judged as a program.
Words Unwrap(Words words, bool* takes_input) {
  while (!words.empty()) {
    const std::string name = BaseName(words[0].text);
    bool input = IsIn("wrapper-input", name);
    if (!input && !IsIn("wrapper", name) && !IsIn("wrapper-operand", name)) {
      break;
    }
    // "command -v rm" only asks.
    bool asks = name == "command" && words.size() > 1 &&
                (words[1].text == "-v" || words[1].text == "-V");
    Words inner = Inner(words, name);
    if (asks || inner.empty()) break;
    *takes_input |= input;
    words = std::move(inner);
  }
  return words;
}

// sh -c LINE, sh FILE, which is not read, or what comes on stdin.
void Judge::RunShell(const Words& words, const Piped& input) {
  ShellCall call = ReadShellCall(words);
  for (const Word& line : call.lines) {
    bool known = line.IsKnown();
    if (!known) Note("what " + words[0].text + " -c runs");
    QueueText(line.text, !known);
  }
  if (!call.reads_input) return;
  if (input.downloads) FindDownload("... | " + words[0].text);
  if (!input.known) Note("what is piped into " + words[0].text);
  QueueText(input.text);
}

// python -c CODE: the strings in it, if it can hand them to a shell.
void Judge::RunInterpreter(const Words& words, const Piped& input) {
  bool reads_input = true;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    reads_input &= text == "-";
    bool starts = std::any_of(std::begin(kStarters), std::end(kStarters),
                              [&text](std::string_view name) {
                                return text.find(name) != std::string::npos;
                              });
    if (!starts) continue;
    for (std::string& line : StringsIn(text)) QueueText(std::move(line));
  }
  if (reads_input && input.downloads) FindDownload("... | " + words[0].text);
}

// Every argument with a blank may be a statement: the names of the options
// differ from client to client, and a statement without a blank does nothing.
void Judge::RunSqlClient(const Words& words, const Piped& input) {
  for (size_t i = 1; i < words.size(); ++i) {
    std::string text = words[i].text;
    size_t blank = text.find(' ');
    if (blank == std::string::npos) continue;
    // "--command=DROP TABLE x" and "-eDROP TABLE x".
    size_t option =
        text.starts_with("--") ? text.find('=') + 1 : (text[0] == '-' ? 2 : 0);
    JudgeSql(text.substr(option <= blank ? option : 0), true);
  }
  JudgeSql(input.text, true);
}

// As rm -r of where it looks, when nothing limits what it finds; GNU find looks
// in the directory it runs in when nothing is named.
void Judge::RunFind(const Words& words, const Piped&) {
  Word root = Word::Of(".", Mark::kLive);
  Words command;
  bool first = true, expression = false, filters = false, deletes = false,
       runs = false;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    if (!expression && IsFindOption(text)) {
      i += text == "-D";
      continue;
    }
    expression |= IsOption(words[i]) || text == "(" || text == "!";
    if (runs && text != ";" && text != "+") {
      command.push_back(words[i]);
    } else if (expression) {
      // "! -name x" finds nearly everything.
      const std::string& before = words[i - 1].text;
      filters |= IsIn("find-filter", text) && before != "!" && before != "-not";
      deletes |= text == "-delete";
      runs = IsIn("find-exec", text);
    } else if (first ||
               ClassifyPath(words[i], state_.place) != PathKind::kOther) {
      root = words[i];
      first = false;
    }
  }
  // In a system directory even few files are too many.
  PathKind kind = ClassifyPath(root, state_.place);
  bool all = !filters || kind == PathKind::kSystem;
  if (deletes && all && kind != PathKind::kOther) {
    Find("find-delete", "find " + root.text + " ... -delete",
         "deletes all that it finds in a system directory, a home or here");
  }
  // As if the command got the root itself, since it gets all that is in there.
  // With a filter it gets some names that are not known, and at least one.
  for (Word& word : command) {
    if (word.text == "{}") word = all ? root : Word::Of("{}", Mark::kNonEmpty);
  }
  if (!command.empty()) Queue({.words = std::move(command)});
}

// Joins its arguments with blanks and reads the line anew, so quotes are undone
// twice.
void Judge::RunEval(const Words& words, const Piped&) {
  Words line = Behind(words, 1);
  bool known = std::all_of(line.begin(), line.end(),
                           [](const Word& word) { return word.IsKnown(); });
  if (!known) Note(absl::StrFormat("what %s runs", words[0].text));
  QueueText(TextOf(line), !known);
}

// ssh, watch, su -c LINE and the like. Their options and operands differ too
// much to know where the line begins: at each argument with a blank in it, and
// at the first known program. With none of them there is a shell, which reads
// stdin.
void Judge::RunLine(const Words& words, const Piped& input) {
  bool found = false;
  for (size_t i = 1; i < words.size(); ++i) {
    bool line = words[i].text.find(' ') != std::string::npos;
    bool program = !line && IsKnownProgram(BaseName(words[i].text));
    if (line) QueueText(words[i].text);
    if (program && !found) RunEval(Behind(words, i - 1), {});
    found |= line || program;
  }
  if (!found) QueueText(input.text);
}

// trap LINE SIGNAL, alias NAME=LINE.
void Judge::RunLater(const Words& words, const Piped&) {
  bool alias = words[0].text == "alias";
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    QueueText(text.substr(alias ? text.find('=') + 1 : 0));
  }
}

// "docker exec web sh -c LINE": from the shell on, since each client has
// options and operands of its own in front of the command.
void Judge::RunContainer(const Words& words, const Piped& input) {
  auto shell = std::find_if(
      words.begin() + 1, words.end(),
      [](const Word& word) { return IsIn("shell", BaseName(word.text)); });
  if (shell == words.end()) return;
  Queue({.words = Words(shell, words.end()), .input = input});
}

const Judge::RunnerRow Judge::kRunners[] = {
    {"shell", &Judge::RunShell, true},
    {"interpreter", &Judge::RunInterpreter, true},
    {"sql-client", &Judge::RunSqlClient},
    {"find", &Judge::RunFind},
    {"source", &Judge::RunNothing, true},
    {"eval", &Judge::RunEval, true},
    {"line", &Judge::RunLine, true},
    {"later", &Judge::RunLater},
    {"container", &Judge::RunContainer, false, true},
    {nullptr, nullptr},
};

}  // namespace glasstty::gate
