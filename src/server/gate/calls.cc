// Reads calls of programs that run a command line in a shell, or a command: the
// shells, ssh HOST LINE, su -c LINE, flock FILE COMMAND, tmux new LINE.
//
// Their options differ: "bash -co pipefail LINE", "zsh -opipefail -c LINE",
// "fish --command=LINE", "pwsh -NoLogo -Command LINE". Other programs have many
// options, which differ by version, so a second pass takes all arguments that
// look like lines, or the first program.
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "gate/rules.h"
#include "gate/starts.h"
#include "support/encodings.h"
#include "support/text.h"

namespace glasstty::gate {
namespace {

// Style::operands for a program that takes no command line after its operands.
constexpr size_t kAll = 1000;

// The way in which a program reads its arguments.
struct Style {
  // A list of rules.txt, or the name of a program.
  std::string_view name;
  // The letters of the options that take a value, and of those whose value is a
  // command line. Long options are in rules.txt.
  std::string_view values, lines;
  // The number of operands before the command line.
  size_t operands = 0;
  // Several words after the operands are started directly, without a shell.
  bool direct = false;
  // The value is always the next word: "-oc pipefail" means "-o pipefail -c".
  bool apart = false;
};

// Except in fish, "c" takes no value: the operand is the line.
constexpr Style kShells[] = {
    {"shell-fish", "cCdDfop", "cC"},
    {"shell-joined", "o", ""},
    {"shell", "oO", "", 0, false, true},
};
constexpr std::string_view kSshValues = "BbcDEeFIiJLlMmOoPpQRSWw";
constexpr Style kPrograms[] = {
    {"ssh", kSshValues, "", 1},
    {"autossh", kSshValues, "", 1},
    {"mosh", "p", "", 1, true},
    {"watch", "nq", ""},
    {"flock", "cwE", "c", 1, true},
    {"su", "cgGsTw", "c", kAll},
    {"runuser", "cugGsTw", "c", kAll},
    {"script", "cEIOBTmo", "c", kAll},
    {"sg", "c", "c", 1},
    {"screen", "cehprsStT", "", 0, true},
};
// The options of tmux itself, and those of its commands.
constexpr Style kTmux = {"tmux", "cfLST", "c"};
constexpr Style kTmuxCommand = {"", "ceFlnNstTwxy", "", 0, true};

// Reads one call, from the word at `at` on. Used once.
class CallReader {
 public:
  CallReader(const Words& words, const Style& style, size_t at = 1)
      : words_(words), style_(style), operands_(style.operands), i_(at) {}

  // Returns the index of the first word after "--", or after the options and
  // operands before the line.
  size_t Read() {
    for (; i_ < words_.size(); ++i_) {
      if (words_[i_].text == "--") return i_ + 1;
      if (IsOption(words_[i_])) {
        if (!ReadLong()) ReadLetters();
      } else if (operands_-- == 0) {
        return i_;
      }
    }
    return words_.size();
  }

  // The command lines among the values of options.
  const Words& lines() const { return lines_; }
  // Returns whether the call has this option.
  bool Got(char letter) const {
    return letters_.find(letter) != std::string::npos;
  }

 private:
  Word Next() { return i_ + 1 < words_.size() ? words_[++i_] : Word(); }

  // bash accepts long names after one dash.
  bool ReadLong() {
    const Word& word = words_[i_];
    size_t dashes = word.text.starts_with("--") ? 2 : 1;
    size_t equals = word.text.find('=');
    const std::string name = word.text.substr(dashes, equals - dashes);
    // "command" is another name for "c", unless "c" takes the line as value.
    bool is_letter = name == "command" && equals == std::string::npos &&
                     style_.lines.find('c') == std::string_view::npos;
    if (name == "command") letters_ += 'c';
    bool line = IsIn("long-line", name) && !is_letter;
    bool value = line || IsIn("long-value", name);
    if (dashes == 1 && !value && !is_letter && !IsIn("shell-long", name)) {
      return false;
    }
    // In "runuser -u USER COMMAND", no operand precedes the command.
    if (name == "user") operands_ = 0;
    if (!value) return true;
    Word text = equals == std::string::npos ? Next() : word.Part(equals + 1);
    if (line) lines_.push_back(std::move(text));
    return true;
  }

  void ReadLetters() {
    const Word& word = words_[i_];
    for (size_t at = 1; at < word.text.size(); ++at) {
      char letter = word.text[at];
      letters_ += letter;
      if (style_.values.find(letter) == std::string_view::npos) continue;
      bool joined = !style_.apart && at + 1 < word.text.size();
      Word value = joined ? word.Part(at + 1) : Next();
      // ssh has options that run something: -o ProxyCommand=LINE.
      if (style_.lines.find(letter) != std::string_view::npos) {
        lines_.push_back(std::move(value));
      } else if (letter == 'o' &&
                 value.text.find("Command=") != value.text.npos) {
        lines_.push_back(value.Part(value.text.find('=') + 1));
      }
      if (letter == 'u') operands_ = 0;
      if (!style_.apart) return;
    }
  }

  const Words& words_;  // borrowed
  const Style& style_;
  size_t operands_;
  size_t i_;
  std::string letters_;
  Words lines_;
};

Started LineOf(const Words& words, const Word& line, const Piped& input = {}) {
  return {.text = line.text,
          .known = line.IsKnown(),
          .downloads = line.downloads,
          .input = input,
          .spelled = words.size()};
}

// Adds the words from `at` on: a line, or a command.
void AddRest(const Words& words, size_t at, bool direct, const Piped& input,
             std::vector<Started>* list) {
  if (at >= words.size()) return;
  bool is_command = direct && at + 1 < words.size();
  list->push_back(is_command ? Started{.words = Behind(words, at),
                                       .input = input,
                                       .spelled = at + 1}
                             : LineOf(words, Joined(words, at), input));
}

// Some of tmux's commands run a command line, in a terminal of its own; ";"
// separates its commands.
void ReadTmux(const Words& words, std::vector<Started>* list) {
  CallReader call(words, kTmux);
  size_t begin = call.Read();
  for (const Word& line : call.lines()) list->push_back(LineOf(words, line));
  while (begin < words.size()) {
    size_t end = begin;
    while (end < words.size() && !words[end].text.ends_with(";")) ++end;
    Words command(words.begin(), words.begin() + static_cast<long>(end));
    // A ";" at the end of a word ends the command and is no part of the word.
    if (end < words.size() && words[end].text.size() > 1) {
      command.push_back(words[end].Part(0, words[end].text.size() - 1));
    }
    if (begin < command.size() && IsIn("tmux-line", command[begin].text)) {
      size_t at = CallReader(command, kTmuxCommand, begin + 1).Read();
      AddRest(command, at, true, {}, list);
    }
    begin = end + 1;
  }
}

void ReadByOptions(const Words& words, const Piped& input,
                   std::vector<Started>* list) {
  const std::string name = BaseName(words[0].text);
  if (name == "tmux") return ReadTmux(words, list);
  // In "trap LINE SIGNAL...", "-" as the line, or no line, resets the signal.
  size_t first = words.size() > 1 && words[1].text == "--" ? 2 : 1;
  bool traps = first + 1 < words.size() && words[first].text[0] != '-';
  if (name == "trap" && traps) list->push_back(LineOf(words, words[first]));
  // alias NAME=LINE...
  for (const Word& word : words) {
    size_t value = word.text.find('=') + 1;
    if (name != "alias" || value == 0) continue;
    list->push_back(LineOf(words, word.Part(value)));
  }
  for (const Style& program : kPrograms) {
    if (name != program.name) continue;
    CallReader call(words, program);
    size_t at = call.Read();
    for (const Word& line : call.lines()) {
      list->push_back(LineOf(words, line, input));
    }
    AddRest(words, at, program.direct, input, list);
  }
}

// `spelling`: the words with which a rule of a client spells the input, too.
void RunInput(const Words& spelling, const Piped& input, Starts* starts) {
  starts->runs_input = true;
  starts->unknown = !input.known;
  starts->list.push_back({.text = input.text, .spelled = spelling.size()});
}

// The words that follow a word of pwsh.
enum class After {
  kOptions,
  kValue,    // a value, and further options
  kLine,     // a command line, which all of them form
  kOneLine,  // a command line, and its arguments
  kCode,     // a command line in base64
  kFile,     // a script, and its arguments
};

// An option of pwsh may be cut short, down to `least`.
struct PwshOption {
  std::string_view name, least;
  After after;
};
constexpr PwshOption kPwshOptions[] = {
    {"command", "c", After::kLine},
    {"commandwithargs", "commandwithargs", After::kOneLine},
    {"configurationfile", "configurationfile", After::kValue},
    {"configurationname", "config", After::kValue},
    {"custompipename", "cus", After::kValue},
    {"cwa", "cwa", After::kOneLine},
    {"ea", "ea", After::kValue},
    {"ec", "ec", After::kCode},
    {"encodedarguments", "encodeda", After::kValue},
    {"encodedcommand", "e", After::kCode},
    {"ep", "ep", After::kValue},
    {"executionpolicy", "ex", After::kValue},
    {"file", "f", After::kFile},
    {"if", "if", After::kValue},
    {"inputformat", "inp", After::kValue},
    {"of", "of", After::kValue},
    {"outputformat", "o", After::kValue},
    {"settingsfile", "settings", After::kValue},
    {"wd", "wd", After::kValue},
    {"windowstyle", "w", After::kValue},
    {"workingdirectory", "wo", After::kValue},
};

// Returns nullopt for a word that is no option, and therefore a script. pwsh
// ignores case, and accepts a slash for a dash.
std::optional<After> AfterOption(const std::string& word) {
  bool has_dash = word.starts_with("-");
  if (!has_dash && !word.starts_with("/")) return std::nullopt;
  std::string name = AsciiLower(word.substr(word.starts_with("--") ? 2 : 1));
  for (const PwshOption& option : kPwshOptions) {
    bool is_meant =
        name.starts_with(option.least) && option.name.starts_with(name);
    if (is_meant) return option.after;
  }
  return has_dash ? std::optional(After::kOptions) : std::nullopt;
}

// Returns the command line that `code` encodes, as UTF-16 (little-endian) in
// base64. All that is dangerous is written in ASCII.
Word DecodedLine(const Word& code) {
  auto bytes = DecodeBytes(code.text, Encoding::kBase64);
  if (!bytes.ok() || !code.IsKnown()) {
    return Word::Of(code.text, Mark::kUnknown);
  }
  std::string line;
  for (size_t i = 0; i + 1 < bytes->size(); i += 2) {
    char low = (*bytes)[i], high = (*bytes)[i + 1];
    bool is_ascii = high == 0 && (low & 0x80) == 0;
    line += is_ascii ? low : '?';
  }
  return Word::Of(line);
}

void ReadPwshCall(const Words& words, const Piped& input, Starts* starts) {
  After after = After::kOptions;
  size_t at = 1;
  for (; at < words.size() && after == After::kOptions; ++at) {
    auto found = AfterOption(words[at].text);
    if (!found) return;
    after = *found;
    if (after != After::kValue) continue;
    after = After::kOptions;
    ++at;
  }
  if (after == After::kOptions) return RunInput(words, input, starts);
  if (at >= words.size()) return;
  bool takes_input = after == After::kLine || after == After::kFile;
  if (takes_input && words[at].text == "-") {
    return RunInput(words, input, starts);
  }
  if (after == After::kFile) return;
  Word line = after == After::kLine   ? Joined(words, at)
              : after == After::kCode ? DecodedLine(words[at])
                                      : words[at];
  starts->list.push_back(LineOf(words, line, input));
}

}  // namespace

void ReadShellCall(const Words& words, const Piped& input, Starts* starts) {
  const std::string name = BaseName(words[0].text);
  if (IsIn("shell-pwsh", name)) return ReadPwshCall(words, input, starts);
  const Style* style = kShells;
  while (!IsIn(style->name, name)) ++style;
  CallReader call(words, *style);
  size_t at = call.Read();
  // "-" ends the options, too. If no operand follows, the shell reads stdin.
  bool dash = at < words.size() && words[at].text == "-";
  at += dash ? 1 : 0;
  bool operand = at < words.size();
  Words lines = call.lines();
  if (call.Got('c') && lines.empty() && operand) lines.push_back(words[at]);
  for (const Word& line : lines) {
    starts->list.push_back(LineOf(words, line, input));
  }
  bool runs_input =
      (dash && !operand) || (!call.Got('c') && (call.Got('s') || !operand));
  if (runs_input) RunInput(words, input, starts);
}

void ReadLineCall(const Words& words, const Piped& input, Starts* starts) {
  std::vector<Started>* list = &starts->list;
  ReadByOptions(words, input, list);
  bool is_certain = !list->empty();
  auto add = [list](Started guess) {
    guess.guess = true;
    auto known = std::ranges::find(*list, guess.text, &Started::text);
    bool is_new = guess.text.empty() || known == list->end();
    if (is_new) list->push_back(std::move(guess));
  };
  bool found = false;
  for (size_t i = 1; i < words.size(); ++i) {
    // Handles "-oProxyCommand=LINE", and alias NAME=LINE.
    const std::string& text = words[i].text;
    bool line = text.find(' ') != std::string::npos;
    bool program = !line && IsIn("program", BaseName(text));
    bool named = text[0] == '-' || words[0].text == "alias";
    if (line) add({.text = text.substr(named ? text.find('=') + 1 : 0)});
    if (program && !found) add(LineOf({}, Joined(words, i)));
    found |= line || program;
  }
  if (found || is_certain) return;
  // Without a line, ssh or su starts a shell.
  bool runs_input = IsIn("line-input", BaseName(words[0].text));
  if (runs_input) RunInput({}, input, starts);
}

// eval parses its joined arguments again, so quotes are removed twice.
void ReadEvalCall(const Words& words, const Piped& input, Starts* starts) {
  starts->list.push_back(LineOf(words, Joined(words, 1), input));
}

void ReadSudoCall(const Words& words, const Piped& input, Starts* starts) {
  bool starts_shell = std::ranges::any_of(words, [](const Word& word) {
    bool letters = IsOption(word) && word.text[1] != '-';
    return (letters && word.text.find_first_of("si") != std::string::npos) ||
           word.text == "--shell" || word.text == "--login";
  });
  if (starts_shell) RunInput({}, input, starts);
}

}  // namespace glasstty::gate
