#include "gate/starts.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "gate/rules.h"
#include "gate/shell_call.h"
#include "gate/sql.h"
#include "support/text.h"

namespace glasstty::gate {
namespace {

// Matches "A=b" but not "/bin/a=b": sudo and env accept assignments before the
// command.
bool IsAssignment(const std::string& text) {
  size_t equals = text.find('=');
  return equals != std::string::npos && text.find('/') > equals;
}

// Matches the option of env after which the next word is a line.
bool IsSplitOption(const std::string& text) {
  return text.starts_with("--s") ||
         (text.starts_with("-") && text.ends_with("S"));
}

// Returns an eval of the value of env's -S, which may be in the same word.
Words SplitString(const Words& words, size_t at) {
  const Word& word = words[at];
  size_t value = word.text.starts_with("--")  ? word.text.find('=') + 1
                 : word.text.starts_with("-") ? word.text.find('S') + 1
                                              : 0;
  Words line = {Word::Of("eval"), word.Part(value)};
  for (size_t i = at + 1; i < words.size(); ++i) line.push_back(words[i]);
  return line;
}

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

Starts StartsOfShell(const Words& words, const Piped& input) {
  Starts starts;
  ShellCall call = ReadShellCall(words);
  for (const Word& line : call.lines) {
    starts.list.push_back({.text = line.text,
                           .known = line.IsKnown(),
                           .input = input,
                           .spelled = words.size()});
  }
  if (!call.reads_input) return starts;
  starts.unknown = !input.known;
  starts.list.push_back({.text = input.text, .spelled = words.size()});
  return starts;
}

// eval parses its joined arguments again, so quotes are removed twice.
Starts StartsOfEval(const Words& words, const Piped&) {
  Words line = Behind(words, 1);
  bool known =
      std::all_of(line.begin(), line.end(), std::mem_fn(&Word::IsKnown));
  return {{{.text = TextOf(line), .known = known, .spelled = words.size()}}};
}

Starts StartsOfFind(const Words& words, const Piped&) {
  Starts starts;
  FindCall call = ReadFindCall(words, {});
  for (size_t i = 0; i < call.commands.size(); ++i) {
    starts.list.push_back(
        {.words = call.commands[i], .spelled = call.places[i] + 1});
  }
  return starts;
}

// Handles "docker exec web psql -c STATEMENT" from the first known program on,
// because each client has its own options and operands before the command.
Starts StartsOfContainer(const Words& words, const Piped& input) {
  Starts starts;
  std::string inside;
  size_t operands = 0;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    bool begins = text == "--" && i + 1 < words.size();
    if (!inside.empty() && (begins || IsKnownProgram(BaseName(text)))) {
      size_t at = i + (begins ? 1 : 0);
      starts.list.push_back(
          {.words = Behind(words, at), .input = input, .spelled = at + 1});
      return starts;
    }
    bool line = text.find(' ') != std::string::npos && IsOption(words[i - 1]);
    if (!inside.empty() && line) {
      starts.list.push_back({.text = text, .spelled = words.size()});
    }
    operands += !inside.empty() && !IsOption(words[i]);
    if (inside.empty() && IsIn("inside", text)) inside = text;
  }
  // Behind "exec", there is always a command, here an unknown program.
  starts.unknown = inside == "exec" && operands > 1 && starts.list.empty();
  return starts;
}

// The code may do anything, so strings in it are treated as possible commands.
Starts StartsOfInterpreter(const Words& words, const Piped&) {
  Starts starts;
  for (size_t i = 1; i < words.size(); ++i) {
    if (!CodeHas(words[i].text, "starters")) continue;
    for (std::string& text : StringsIn(words[i].text)) {
      starts.list.push_back({.text = std::move(text), .guess = true});
    }
  }
  return starts;
}

Starts StartsOfSqlClient(const Words& words, const Piped& input) {
  Starts starts;
  for (const std::string& text : StatementsFor(words, input)) {
    for (std::string& line : SplitSql(text).shell_lines) {
      starts.list.push_back({.text = std::move(line), .spelled = words.size()});
    }
  }
  return starts;
}

struct StartsRow {
  const char* list;  // of rules.txt
  Starts (*read)(const Words&, const Piped&);
};
constexpr StartsRow kRows[] = {
    {"shell", StartsOfShell},
    {"interpreter", StartsOfInterpreter},
    {"sql-client", StartsOfSqlClient},
    {"data-client", StartsOfSqlClient},
    {"find", StartsOfFind},
    {"eval", StartsOfEval},
    {"line", ReadLineCall},
    {"container", StartsOfContainer},
};

}  // namespace

Starts StartsOf(const Words& words, const Piped& input) {
  const std::string name = BaseName(words[0].text);
  for (const StartsRow& row : kRows) {
    if (IsIn(row.list, name)) return row.read(words, input);
  }
  return {};
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

FindCall ReadFindCall(const Words& words, const PathContext& place) {
  FindCall call{.root = Word::Of(".", Mark::kLive)};
  bool first = true, expression = false, runs = false, begins = false;
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
      if (std::exchange(begins, false)) {
        call.commands.emplace_back();
        call.places.push_back(i);
      }
      call.commands.back().push_back(words[i]);
      continue;
    }
    if (expression) {
      // "! -name x" matches nearly everything, and so does "-name '*'".
      bool narrows = before != "!" && before != "-not" && i + 1 < words.size();
      call.filters |=
          IsIn("find-filter", text) &&
          (text == "-empty" || (narrows && words[i + 1].text != "*"));
      call.deletes |= text == "-delete";
      runs = begins = IsIn("find-exec", text);
    } else if (first || ClassifyPath(words[i], place) != PathKind::kOther) {
      call.root = words[i];
      first = false;
    }
  }
  // fd appends the names to a command without a placeholder.
  if (!IsIn("fd", BaseName(words[0].text))) return call;
  for (Words& command : call.commands) {
    bool has_place = std::any_of(command.begin(), command.end(),
                                 [](const Word& w) { return w.text == "{}"; });
    if (!has_place) command.push_back(Word::Of("{}"));
  }
  return call;
}

// Every argument with a blank may be a statement, because clients name their
// options freely.
std::vector<std::string> StatementsFor(const Words& words, const Piped& input) {
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
  return texts;
}

bool CodeHas(const std::string& code, const char* list) {
  const char* const* name = ListOf(list).words;
  while (*name != nullptr && code.find(*name) == std::string::npos) ++name;
  return *name != nullptr;
}

std::vector<std::string> StringsIn(const std::string& code) {
  std::vector<std::string> strings;
  size_t at = code.find_first_of("\"'`");
  while (at != std::string::npos) {
    size_t end = code.find(code[at], at + 1);
    if (end == std::string::npos) break;
    strings.push_back(code.substr(at + 1, end - at - 1));
    at = code.find_first_of("\"'`", end + 1);
  }
  if (CodeHas(code, "starters")) strings.push_back(Join(strings, " "));
  return strings;
}

Words Behind(const Words& words, size_t i) {
  i = std::min(i, words.size());
  return {words.begin() + static_cast<long>(i), words.end()};
}

}  // namespace glasstty::gate
