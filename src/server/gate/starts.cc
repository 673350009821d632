#include "gate/starts.h"

#include <algorithm>
#include <utility>

#include "gate/rules.h"
#include "gate/sql.h"
#include "support/text.h"

namespace glasstty::gate {
namespace {

// Returns the command that the wrapper at words[0] starts. After an option, a
// word that does not name a program may be the option's value.
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
    // After env's -S, the next word is a command line.
    const std::string& before = words[i - 1].text;
    bool splits = before.starts_with("--s") ||
                  (before.starts_with("-") && before.ends_with("S"));
    bool line = text.find(' ') != std::string::npos;
    if (wrapper == "env" && line && (splits || IsOption(words[i]))) {
      // The line may be in the same word.
      size_t value = IsOption(words[i]) ? text.find_first_of("S=") + 1 : 0;
      Words command = Behind(words, i - 1);
      command[0] = Word::Of("eval");
      command[1] = words[i].Part(value);
      return command;
    }
    if (IsOption(words[i])) {
      after_option = true;
      continue;
    }
    if (IsIn("program", BaseName(text))) break;
    // This is "A=b" but not "/bin/a=b".
    if (text.find('=') < text.find('/')) continue;
    if (!after_option && !operand) break;
    operand &= after_option;
    after_option = false;
  }
  return Behind(words, i);
}

void ReadFind(const Words& words, const Piped&, Starts* starts) {
  std::vector<Started>* commands = &starts->list;
  bool expression = false, runs = false, begins = false;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    // "-O2" has its level in the same word.
    bool option = text.starts_with("-O") || IsIn("find-option", text);
    if (!expression && option) {
      i += text == "-D";
      continue;
    }
    expression |= IsOption(words[i]) || text == "(" || text == "!";
    // "+" ends a command only after the placeholder "{}".
    const std::string& before = words[i - 1].text;
    bool ends = text == ";" || (text == "+" && before == "{}");
    if (runs && !ends) {
      if (std::exchange(begins, false)) commands->push_back({.spelled = i + 1});
      commands->back().words.push_back(words[i]);
      continue;
    }
    if (expression) {
      // "! -name x" matches nearly everything, and so does "-name '*'".
      bool narrows = before != "!" && before != "-not" && i + 1 < words.size();
      starts->filters |=
          IsIn("find-filter", text) &&
          (text == "-empty" || (narrows && words[i + 1].text != "*"));
      starts->deletes |= text == "-delete";
      runs = begins = IsIn("find-exec", text);
    } else {
      starts->roots.push_back(words[i]);
    }
  }
  if (starts->roots.empty()) starts->roots = {Word::Of(".", Mark::kLive)};
  // fd appends the names to a command without a placeholder.
  bool appends = IsIn("fd", BaseName(words[0].text));
  for (Started& command : *commands) {
    Words* called = &command.words;
    bool has_place = std::any_of(called->begin(), called->end(),
                                 [](const Word& w) { return w.text == "{}"; });
    if (appends && !has_place) called->push_back(Word::Of("{}"));
  }
}

// Handles "docker exec web psql -c STATEMENT" from the first known program on,
// because each client has its own options and operands before the command.
void ReadContainer(const Words& words, const Piped& input, Starts* starts) {
  std::string inside;
  size_t operands = 0;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    if (inside.empty()) {
      if (IsIn("inside", text)) inside = text;
      continue;
    }
    bool begins = text == "--" && i + 1 < words.size();
    if (begins || IsIn("program", BaseName(text))) {
      size_t at = i + (begins ? 1 : 0);
      starts->list.push_back(
          {.words = Behind(words, at), .input = input, .spelled = at + 1});
      return;
    }
    bool line = text.find(' ') != std::string::npos && IsOption(words[i - 1]);
    if (line) {
      starts->list.push_back(
          {.text = text, .input = input, .spelled = words.size()});
    }
    operands += !IsOption(words[i]);
  }
  // After "exec" there is always a command; here its program is unknown.
  starts->unknown = inside == "exec" && operands > 1 && starts->list.empty();
}

bool CodeHas(const std::string& code, const char* list) {
  const WordSet& names = WordsOf(list);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return code.find(name) != std::string::npos;
  });
}

// Handles the strings in code that can start programs or delete files: commands
// for a shell, or names of files. This is an approximation for a dozen
// languages at once: escapes are not decoded, and quotes do not nest.
void ReadCode(const std::string& code, Starts* starts) {
  bool runs = CodeHas(code, "starters"), deletes = CodeHas(code, "deleters");
  if (!runs && !deletes) return;
  std::vector<std::string> strings;
  size_t at = code.find_first_of("\"'`");
  while (at != std::string::npos) {
    size_t end = code.find(code[at], at + 1);
    if (end == std::string::npos) break;
    strings.push_back(code.substr(at + 1, end - at - 1));
    at = code.find_first_of("\"'`", end + 1);
  }
  std::vector<std::string>* deleted = &starts->deleted;
  if (deletes) deleted->insert(deleted->end(), strings.begin(), strings.end());
  // The home directory is often named without a string.
  if (deletes && CodeHas(code, "homes")) deleted->emplace_back("~");
  if (!runs) return;
  // All strings together may be one command: run(["rm", "-rf"]).
  strings.push_back(Join(strings, " "));
  for (std::string& text : strings) {
    starts->list.push_back({.text = std::move(text), .guess = true});
  }
}

// Handles python -c CODE, and code that is read from stdin.
void ReadInterpreter(const Words& words, const Piped& input, Starts* starts) {
  starts->runs_input = true;
  for (size_t i = 1; i < words.size(); ++i) {
    starts->runs_input &= words[i].text == "-";
    ReadCode(words[i].text, starts);
  }
  if (starts->runs_input) ReadCode(input.text, starts);
}

// Every argument with a blank may be a statement, because each client has its
// own names for options.
void ReadSqlClient(const Words& words, const Piped& input, Starts* starts) {
  std::vector<std::string> texts;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    size_t blank = text.find(' ');
    if (blank == std::string::npos) continue;
    // Handles "--command=DROP TABLE x" and "-eDROP TABLE x".
    size_t option =
        text.starts_with("--") ? text.find('=') + 1 : (text[0] == '-' ? 2 : 0);
    texts.push_back(text.substr(option <= blank ? option : 0));
  }
  texts.push_back(input.text);
  for (const std::string& text : texts) {
    SqlScript script = SplitSql(text);
    for (std::string& statement : script.statements) {
      starts->statements.push_back(std::move(statement));
    }
    for (std::string& line : script.shell_lines) {
      starts->list.push_back(
          {.text = std::move(line), .spelled = words.size()});
    }
  }
}

// Handles bash <(curl ...) and python3 -c "$(curl ...)". The words behind the
// first operand are data for a script, and so is a part of a word.
bool RunsDownload(const Words& words) {
  for (size_t i = 1; i < words.size(); ++i) {
    bool behind_option = IsOption(words[i - 1]);
    bool is_code =
        words[i].text == "/dev/fd/63"
            ? i == 1 || behind_option
            : words[i].IsUnknown() && IsIn("before-code", words[i - 1].text);
    if (words[i].downloads && is_code) return true;
    if (!behind_option && !IsOption(words[i])) return false;
  }
  return false;
}

struct StartsRow {
  const char* list;  // of rules.txt
  void (*read)(const Words&, const Piped&, Starts*);
  // The program runs a file, or code that follows an option.
  bool takes_code = false;
};
constexpr StartsRow kRows[] = {
    {"shell", ReadShellCall, true},
    {"interpreter", ReadInterpreter, true},
    {"sql-client", ReadSqlClient},
    {"data-client", ReadSqlClient},
    {"find", ReadFind},
    {"source", nullptr, true},
    {"eval", ReadEvalCall},
    {"line", ReadLineCall},
    {"container", ReadContainer},
    {"sudo", ReadSudoCall},
};

}  // namespace

Starts StartsOf(const Words& words, const Piped& input) {
  const std::string name = BaseName(words[0].text);
  Starts starts;
  for (const StartsRow& row : kRows) {
    if (!IsIn(row.list, name)) continue;
    if (row.read != nullptr) row.read(words, input, &starts);
    starts.runs_download |= row.takes_code && RunsDownload(words);
  }
  return starts;
}

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

}  // namespace glasstty::gate
