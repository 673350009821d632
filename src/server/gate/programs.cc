// Handles programs that only start another one, and programs that run what they
// are told: shells, interpreters, database clients, find, ssh, containers.
// rules.txt names them; a list has a row in the table at the end.
#include <algorithm>
#include <functional>

#include "absl/strings/str_format.h"
#include "gate/judge.h"
#include "gate/rules.h"
#include "gate/shell_call.h"
#include "support/text.h"

namespace glasstty::gate {
namespace {

bool HasOne(const std::string& text, const char* list) {
  const char* const* name = ListOf(list).words;
  while (*name != nullptr && text.find(*name) == std::string::npos) ++name;
  return *name != nullptr;
}

// Matches "A=b" but not "/bin/a=b": sudo and env accept assignments before the
// command.
bool IsAssignment(const std::string& text) {
  size_t equals = text.find('=');
  return equals != std::string::npos && text.find('/') > equals;
}

Words Behind(const Words& words, size_t i) {
  i = std::min(i, words.size());
  return {words.begin() + static_cast<long>(i), words.end()};
}

// Matches the option of env after which the next word is a line, which it is
// not in "env MSG='a b' make".
bool IsSplitOption(const std::string& text) {
  return text.starts_with("--s") ||
         (text.starts_with("-") && text.ends_with("S"));
}

// Splits the value of env's -S, which may be in the same word, as eval does.
Words SplitString(const Words& words, size_t at) {
  const Word& word = words[at];
  size_t value = word.text.starts_with("--")  ? word.text.find('=') + 1
                 : word.text.starts_with("-") ? word.text.find('S') + 1
                                              : 0;
  Words line = {Word::Of("eval"), word.Part(value)};
  for (size_t i = at + 1; i < words.size(); ++i) line.push_back(words[i]);
  return line;
}

// Returns what the wrapper at words[0] starts. After an option, a word that
// does not name a program may be the option's value.
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

// Returns the strings in a program's text. Escapes are not decoded and quotes
// do not nest: this is an approximation for a dozen languages at once.
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

// A wrapper without a command remains, and is judged as a program.
Words Unwrap(Words words, bool* takes_input) {
  while (!words.empty()) {
    const std::string name = BaseName(words[0].text);
    bool input = IsIn("wrapper-input", name);
    if (!input && !IsIn("wrapper", name) && !IsIn("wrapper-operand", name)) {
      break;
    }
    // "command -v rm" does not run rm.
    bool asks = name == "command" && words.size() > 1 &&
                (words[1].text == "-v" || words[1].text == "-V");
    Words inner = Inner(words, name);
    if (asks || inner.empty()) break;
    *takes_input |= input;
    words = std::move(inner);
  }
  return words;
}

// Handles sh -c LINE; sh FILE, whose file is not read; and a shell that reads
// stdin.
void Judge::RunShell(const Words& words, const Piped& input) {
  ShellCall call = ReadShellCall(words);
  for (const Word& line : call.lines) {
    bool known = line.IsKnown();
    if (!known) Note("what " + words[0].text + " -c runs");
    Queue({.text = line.text, .input = input, .noted = !known});
  }
  if (!call.reads_input) return;
  if (input.downloads) FindDownload("... | " + words[0].text);
  if (!input.known) Note("what is piped into " + words[0].text);
  QueueText(input.text);
}

// Handles python -c CODE: judges the strings in the code if it can pass them to
// a shell or deletes what they name. The home is often named without a string.
void Judge::JudgeCode(const std::string& code) {
  bool starts = HasOne(code, "starters"), deletes = HasOne(code, "deleters");
  if (!starts && !deletes) return;
  std::vector<std::string> strings = StringsIn(code);
  // Together they may be one command: run(["rm", "-rf", "/"]).
  if (starts) strings.push_back(Join(strings, " "));
  for (const std::string& text : strings) {
    if (deletes) QueueDeletion(text);
    if (starts) QueueText(text);
  }
  if (deletes && HasOne(code, "homes")) QueueDeletion("~");
}

void Judge::RunInterpreter(const Words& words, const Piped& input) {
  bool reads_input = true;
  for (size_t i = 1; i < words.size(); ++i) {
    reads_input &= words[i].text == "-";
    JudgeCode(words[i].text);
  }
  if (!reads_input) return;
  JudgeCode(input.text);
  if (input.downloads) FindDownload("... | " + words[0].text);
}

// Every argument with a blank may be a statement, because clients name their
// options freely.
void Judge::RunSqlClient(const Words& words, const Piped& input) {
  for (size_t i = 1; i < words.size(); ++i) {
    std::string text = words[i].text;
    size_t blank = text.find(' ');
    if (blank == std::string::npos) continue;
    // Handles "--command=DROP TABLE x" and "-eDROP TABLE x".
    size_t option =
        text.starts_with("--") ? text.find('=') + 1 : (text[0] == '-' ? 2 : 0);
    JudgeSql(text.substr(option <= blank ? option : 0), true);
  }
  JudgeSql(input.text, true);
}

// Without a filter, treats find as rm -r of its start directory (by default the
// current one).
void Judge::RunFind(const Words& words, const Piped&) {
  Word root = Word::Of(".", Mark::kLive);
  Words command;
  bool first = true, expression = false, filters = false, deletes = false,
       runs = false;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    // "-O2" has its level in the same word.
    bool option = text.starts_with("-O") || IsIn("find-option", text);
    if (!expression && option) {
      i += text == "-D";
      continue;
    }
    expression |= IsOption(words[i]) || text == "(" || text == "!";
    if (runs && text != ";" && text != "+") {
      command.push_back(words[i]);
    } else if (expression) {
      // "! -name x" matches nearly everything, and so does "-name '*'".
      const std::string& before = words[i - 1].text;
      bool narrows = before != "!" && before != "-not" && i + 1 < words.size();
      filters |= IsIn("find-filter", text) &&
                 (text == "-empty" || (narrows && words[i + 1].text != "*"));
      deletes |= text == "-delete";
      runs = IsIn("find-exec", text);
    } else if (first ||
               ClassifyPath(words[i], state_.place) != PathKind::kOther) {
      root = words[i];
      first = false;
    }
  }
  // In a system directory given as an absolute path, even a few files are too
  // many.
  PathKind kind = ClassifyPath(root, state_.place);
  bool all = !filters || (kind == PathKind::kSystem && root.text[0] == '/');
  if (deletes && all && kind != PathKind::kOther) {
    Find("find-delete", "find " + root.text + " ... -delete",
         "deletes all that it finds in a system directory, a home or here");
  }
  // Without a filter, the command is judged as if it got the root itself,
  // because it gets everything in there. With a filter it gets some unknown
  // names, and at least one. fd appends the names to a command without a
  // placeholder.
  bool appends = IsIn("fd", BaseName(words[0].text)) && !command.empty();
  const Word found = all ? root : Word::Of("{}", Mark::kNonEmpty);
  for (Word& word : command) {
    appends &= word.text != "{}";
    if (word.text == "{}") word = found;
  }
  if (appends) command.push_back(found);
  if (!command.empty()) Queue({.words = std::move(command)});
}

// eval parses its joined arguments again, so quotes are removed twice.
void Judge::RunEval(const Words& words, const Piped&) {
  Words line = Behind(words, 1);
  bool known =
      std::all_of(line.begin(), line.end(), std::mem_fn(&Word::IsKnown));
  if (!known) Note(absl::StrFormat("what %s runs", words[0].text));
  QueueText(TextOf(line), !known);
}

// Handles ssh, watch, su -c LINE and the like. Their options differ too much to
// know where the line begins, so it may be each argument that contains a blank,
// and the first known program. If there is neither, a shell reads stdin.
void Judge::RunLine(const Words& words, const Piped& input) {
  bool found = false;
  for (size_t i = 1; i < words.size(); ++i) {
    bool line = words[i].text.find(' ') != std::string::npos;
    bool program = !line && IsKnownProgram(BaseName(words[i].text));
    // Handles "-oProxyCommand=LINE", and alias NAME=LINE.
    const std::string& text = words[i].text;
    bool named = text[0] == '-' || words[0].text == "alias";
    if (line) QueueText(text.substr(named ? text.find('=') + 1 : 0));
    if (program && !found) RunEval(Behind(words, i - 1), {});
    found |= line || program;
  }
  if (!found) QueueText(input.text);
}

// Handles "docker exec web psql -c STATEMENT" from the first known program on,
// because each client has its own options and operands before the command.
void Judge::RunContainer(const Words& words, const Piped& input) {
  bool inside = false;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    if (inside && IsKnownProgram(BaseName(text))) {
      return Queue({.words = Behind(words, i), .input = input});
    }
    bool line = text.find(' ') != std::string::npos && IsOption(words[i - 1]);
    if (inside && line) QueueText(text);
    inside |= IsIn("inside", text);
  }
}

const Judge::RunnerRow Judge::kRunners[] = {
    {"shell", &Judge::RunShell, true},
    {"interpreter", &Judge::RunInterpreter, true},
    {"sql-client", &Judge::RunSqlClient},
    {"data-client", &Judge::RunSqlClient},
    {"find", &Judge::RunFind},
    {"source", &Judge::RunNothing, true},
    {"eval", &Judge::RunEval, true},
    {"line", &Judge::RunLine, true},
    {"container", &Judge::RunContainer},
    {nullptr, nullptr},
};

}  // namespace glasstty::gate
