#include "gate/shell_call.h"

#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "gate/rules.h"

namespace glasstty::gate {
namespace {

// The way in which a shell reads option letters in one word.
struct Style {
  const char* list;
  // Letters that take a value, and those among them whose value is run.
  std::string_view values, lines;
  // True if the rest of the word is the value; false if it is always the next
  // word.
  bool joined;
};

// Except in fish, "c" takes no value: the first operand is the line.
constexpr Style kStyles[] = {
    {"shell-fish", "cCdDfop", "cC", true},
    {"shell-joined", "o", "", true},
    {"shell", "oO", "", false},
};

const Style& StyleOf(const Word& shell) {
  const std::string name = BaseName(shell.text);
  const Style* style = kStyles;
  while (!IsIn(style->list, name)) ++style;
  return *style;
}

// Reads one call. Used once.
class CallReader {
 public:
  explicit CallReader(const Words& words)
      : words_(words), style_(StyleOf(words[0])) {}

  ShellCall Read() {
    for (; i_ < words_.size() && IsOption(words_[i_]); ++i_) {
      if (words_[i_].text == "--") break;
      if (!ReadLong()) ReadLetters();
    }
    // "--" and "-" end the options.
    i_ += i_ < words_.size() &&
          (words_[i_].text == "--" || words_[i_].text == "-");
    bool operand = i_ < words_.size();
    if (line_ && call_.lines.empty() && operand) {
      call_.lines.push_back(words_[i_]);
    }
    call_.reads_input = !line_ && (input_ || !operand);
    return std::move(call_);
  }

 private:
  Word Next() { return ++i_ < words_.size() ? words_[i_] : Word(); }

  // bash also accepts its long names after a single dash.
  bool ReadLong() {
    const Word& word = words_[i_];
    size_t dashes = word.text.starts_with("--") ? 2 : 1;
    size_t equals = word.text.find('=');
    const std::string name = word.text.substr(dashes, equals - dashes);
    bool line = IsIn("shell-line", name);
    bool value = line || IsIn("shell-value", name);
    if (dashes == 1 && !value && !IsIn("shell-long", name)) return false;
    line_ |= name == "command";
    if (!value) return true;
    Word text = equals == std::string::npos ? Next() : word.Part(equals + 1);
    if (line) call_.lines.push_back(std::move(text));
    return true;
  }

  void ReadLetters() {
    const Word& word = words_[i_];
    for (size_t at = 1; at < word.text.size(); ++at) {
      char letter = word.text[at];
      line_ |= letter == 'c';
      input_ |= letter == 's';
      if (style_.values.find(letter) == std::string_view::npos) continue;
      bool rest = style_.joined && at + 1 < word.text.size();
      Word value = rest ? word.Part(at + 1) : Next();
      bool line = style_.lines.find(letter) != std::string_view::npos;
      if (line) call_.lines.push_back(std::move(value));
      if (style_.joined) return;
    }
  }

  const Words& words_;  // borrowed
  const Style& style_;
  size_t i_ = 1;
  // Set by the options -c and -s.
  bool line_ = false, input_ = false;
  ShellCall call_;
};

// pwsh accepts abbreviated names in any case.
bool IsCut(const char* list, const std::string& name) {
  const char* const* word = ListOf(list).words;
  while (*word != nullptr && !std::string_view(*word).starts_with(name)) ++word;
  return *word != nullptr;
}

// Everything after -Command is the line.
ShellCall ReadPwshCall(const Words& words) {
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    if (text == "-") break;
    if (!text.starts_with("-")) return {};
    const std::string name =
        absl::AsciiStrToLower(text.substr(text.starts_with("--") ? 2 : 1));
    bool more = i + 1 < words.size();
    if (more && words[i + 1].text != "-" && IsCut("pwsh-line", name)) {
      Word line = words[i + 1];
      for (i += 2; i < words.size(); ++i) {
        line.Append(" ", Mark::kQuoted);
        line.Append(words[i]);
      }
      return {.lines = {std::move(line)}};
    }
    // "-i" may stand for "-Interactive", too.
    bool value = more && !words[i + 1].text.starts_with("-");
    i += value && IsCut("pwsh-value", name);
  }
  return {.reads_input = true};
}

}  // namespace

ShellCall ReadShellCall(const Words& words) {
  bool pwsh = IsIn("shell-pwsh", BaseName(words[0].text));
  return pwsh ? ReadPwshCall(words) : CallReader(words).Read();
}

}  // namespace glasstty::gate
