// Reads the calls of programs whose arguments are a line for a shell, or a
// command: ssh HOST LINE, su -c LINE, flock FILE COMMAND, tmux new LINE.
//
// Two readings are made of each call. The first follows the program's options.
// Programs of this kind have many options, which differ between versions, so
// the second takes everything that looks like a line or a program, wherever it
// is.
#include <algorithm>
#include <functional>
#include <string_view>

#include "gate/rules.h"
#include "gate/starts.h"

namespace glasstty::gate {
namespace {

// The number of operands for a program that starts nothing after its operands.
constexpr size_t kAll = 1000;

struct LineProgram {
  const char* name;
  // The options with a value, and those among them whose value is a line.
  std::string_view values, lines;
  // The long options with a value in the next word, each after a blank.
  std::string_view long_values;
  // The number of operands before the line.
  size_t operands;
  // The words are started as they are, without a shell.
  bool direct = false;
};

constexpr std::string_view kSshValues = "BbcDEeFIiJLlMmOoPpQRSWw";
constexpr LineProgram kPrograms[] = {
    {"ssh", kSshValues, "", "", 1},
    {"autossh", kSshValues, "", "", 1},
    {"mosh", "p", "", " --ssh --server --port --predict", 1, true},
    {"watch", "nq", "", " --interval --equexit", 0},
    {"flock", "cwE", "c", " --command --timeout --conflict-exit-code", 1, true},
    {"su", "cgGsTw", "c", " --command --session-command --group --shell", kAll},
    {"runuser", "cugGsTw", "c",
     " --command --session-command --user --group --shell", kAll},
    {"script", "cEIOBTmo", "c",
     " --command --echo --log-in --log-out --log-io --log-timing "
     "--logging-format --output-limit",
     kAll},
    {"sg", "c", "c", "", 1},
    {"screen", "cehprsStT", "", "", 0, true},
};
// The options of tmux itself, and those of its commands.
constexpr LineProgram kTmux = {"tmux", "cfLST", "c", "", 0};
constexpr LineProgram kTmuxCommand = {"", "ceFlnNstTwxy", "", "", 0, true};

// Reads one call. Used once.
class LineReader {
 public:
  LineReader(const Words& words, const LineProgram& program, size_t at = 1)
      : words_(words), program_(program), i_(at) {}

  // Adds the lines in options to `lines`. Returns the index of the first word
  // that is neither an option nor an operand.
  size_t Read(std::vector<Started>* lines) {
    bool as_user =
        program_.values.find('u') != std::string_view::npos &&
        std::any_of(words_.begin(), words_.end(), [](const Word& w) {
          return w.text.starts_with("-u") || w.text.starts_with("--user");
        });
    size_t operands = as_user ? 0 : program_.operands;
    for (; i_ < words_.size(); ++i_) {
      const std::string& text = words_[i_].text;
      if (text == "--") return i_ + 1;
      if (text.size() > 1 && text[0] == '-') {
        ReadOption(lines);
      } else if (operands-- == 0) {
        return i_;
      }
    }
    return words_.size();
  }

 private:
  void ReadOption(std::vector<Started>* lines) {
    const Word& word = words_[i_];
    if (word.text.starts_with("--")) {
      size_t equals = word.text.find('=');
      std::string name = " " + word.text.substr(0, equals);
      bool has_value =
          (std::string(program_.long_values) + " ").find(name + " ") !=
          std::string::npos;
      bool is_line = name.ends_with("command") || name == " --ssh";
      Word value = equals == std::string::npos ? Word() : word.Part(equals + 1);
      if (equals == std::string::npos && has_value) value = Next();
      if (is_line) AddLine(value, lines);
      return;
    }
    for (size_t at = 1; at < word.text.size(); ++at) {
      char letter = word.text[at];
      if (program_.values.find(letter) == std::string_view::npos) continue;
      Word value = at + 1 < word.text.size() ? word.Part(at + 1) : Next();
      // ssh has options that run something: -o ProxyCommand=LINE.
      size_t named = letter == 'o' ? value.text.find("Command=") : 0;
      if (letter == 'o' && named != std::string::npos) {
        AddLine(value.Part(value.text.find('=') + 1), lines);
      }
      if (program_.lines.find(letter) != std::string_view::npos) {
        AddLine(value, lines);
      }
      return;
    }
  }

  void AddLine(const Word& line, std::vector<Started>* lines) const {
    if (line.text.empty()) return;
    lines->push_back(
        {.text = line.text, .known = line.IsKnown(), .spelled = words_.size()});
  }

  Word Next() { return i_ + 1 < words_.size() ? words_[++i_] : Word(); }

  const Words& words_;
  const LineProgram& program_;
  size_t i_;
};

bool AreKnown(const Words& words) {
  return std::all_of(words.begin(), words.end(), std::mem_fn(&Word::IsKnown));
}

// Adds the words from `at` on: a line, or a command.
void AddRest(const Words& words, size_t at, bool direct,
             std::vector<Started>* list) {
  Words rest = Behind(words, at);
  if (rest.empty()) return;
  bool is_command = direct && rest.size() > 1;
  Started started{.text = is_command ? "" : TextOf(rest),
                  .known = AreKnown(rest),
                  .spelled = is_command ? at + 1 : words.size()};
  if (is_command) started.words = std::move(rest);
  list->push_back(std::move(started));
}

// Some of tmux's commands run lines; several commands are separated by ";".
void ReadTmux(const Words& words, std::vector<Started>* list) {
  size_t begin = LineReader(words, kTmux).Read(list);
  while (begin < words.size()) {
    size_t end = begin;
    while (end < words.size() && !words[end].text.ends_with(";")) ++end;
    Words command(words.begin(), words.begin() + static_cast<long>(end));
    if (IsIn("tmux-line", words[begin].text)) {
      std::vector<Started> ignored;
      size_t at = LineReader(command, kTmuxCommand, begin + 1).Read(&ignored);
      AddRest(command, at, true, list);
    }
    begin = end + 1;
  }
}

// Handles trap LINE SIGNAL...; "-" and a signal alone reset it.
void ReadTrap(const Words& words, std::vector<Started>* list) {
  size_t at = words.size() > 1 && words[1].text == "--" ? 2 : 1;
  if (at + 1 >= words.size() || words[at].text.starts_with("-")) return;
  list->push_back({.text = words[at].text,
                   .known = words[at].IsKnown(),
                   .spelled = words.size()});
}

// Handles alias NAME=LINE...
void ReadAlias(const Words& words, std::vector<Started>* list) {
  for (size_t i = 1; i < words.size(); ++i) {
    size_t equals = words[i].text.find('=');
    if (equals == std::string::npos) continue;
    Word line = words[i].Part(equals + 1);
    list->push_back(
        {.text = line.text, .known = line.IsKnown(), .spelled = words.size()});
  }
}

void ReadByOptions(const Words& words, std::vector<Started>* list) {
  const std::string name = BaseName(words[0].text);
  if (name == "tmux") return ReadTmux(words, list);
  if (name == "trap") return ReadTrap(words, list);
  if (name == "alias") return ReadAlias(words, list);
  for (const LineProgram& program : kPrograms) {
    if (name != program.name) continue;
    size_t at = LineReader(words, program).Read(list);
    AddRest(words, at, program.direct, list);
  }
}

}  // namespace

Starts ReadLineCall(const Words& words, const Piped& input) {
  Starts starts;
  ReadByOptions(words, &starts.list);
  bool is_certain = !starts.list.empty();
  auto add = [&](Started started) {
    bool known = std::any_of(
        starts.list.begin(), starts.list.end(), [&](const Started& other) {
          return !other.text.empty() && other.text == started.text;
        });
    if (!known) starts.list.push_back(std::move(started));
  };
  bool found = false;
  for (size_t i = 1; i < words.size(); ++i) {
    // Handles "-oProxyCommand=LINE", and alias NAME=LINE.
    const std::string& text = words[i].text;
    bool line = text.find(' ') != std::string::npos;
    bool program = !line && IsKnownProgram(BaseName(text));
    bool named = text[0] == '-' || words[0].text == "alias";
    if (line) {
      size_t value = named ? text.find('=') + 1 : 0;
      add({.text = text.substr(value), .guess = true});
    }
    if (program && !found) {
      Words rest = Behind(words, i);
      add({.text = TextOf(rest), .known = AreKnown(rest), .guess = true});
    }
    found |= line || program;
  }
  if (found || is_certain) return starts;
  // With nothing else to run, a shell reads stdin.
  if (!input.text.empty()) starts.list.push_back({.text = input.text});
  starts.unknown = !input.known && IsIn("line-input", BaseName(words[0].text));
  return starts;
}

}  // namespace glasstty::gate
