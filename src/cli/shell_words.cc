// Reads hints as models do: the name of a tool is followed by one JSON object,
// or by arguments such as lines=20 or input=["a"], each after a blank.
#include "cli/shell_words.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "cli/tool_commands.h"
#include "support/json.h"
#include "support/text.h"

namespace glasstty {
namespace {

constexpr std::string_view kPrefix = "term_";
// Commands have no other tools; those are called by name.
constexpr std::string_view kOthers[] = {"term_write_file"};
// A hint names these arguments without a tool, because several have them.
constexpr std::string_view kAlone[] = {"fresh",     "force",  "session",
                                       "max_lines", "mode",   "truncate",
                                       "from_line", "to_line"};
// Other words of replies, and what they are at a shell.
struct Phrase {
  std::string_view words, at_shell;
};
constexpr Phrase kPhrases[] = {{"\"confirm\": true", "--confirm"},
                               {"larger max_bytes", "larger --max-bytes"}};

bool IsWordPart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

// Returns the end of the word of a name that begins at `at`.
size_t EndOfName(std::string_view text, size_t at) {
  while (at < text.size() && IsWordPart(text[at])) ++at;
  return at;
}

// Returns the end of the quoted text that begins at `at`.
size_t EndOfQuoted(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    at += text[at] == '\\' ? 1 : 0;
  }
  return std::min(at + 1, text.size());
}

// Returns the end of the value that begins at `at`: JSON, a quoted text, or a
// word without the punctuation behind it.
size_t EndOfValue(std::string_view text, size_t at) {
  int depth = 0;
  size_t end = at;
  while (end < text.size()) {
    char c = text[end];
    bool ends = depth == 0 && (c == ' ' || c == '\n' || c == ')' || c == ']');
    if (ends) break;
    depth += c == '[' || c == '{' ? 1 : 0;
    depth -= c == ']' || c == '}' ? 1 : 0;
    end = c == '"' ? EndOfQuoted(text, end) : end + 1;
  }
  auto drop = [&](std::string_view marks) {
    while (end > at + 1 && marks.find(text[end - 1]) != std::string::npos) {
      --end;
    }
  };
  drop(",;:");
  // "..." stands for what the caller knows.
  if (!text.substr(at, end - at).ends_with("...")) drop(",.;:");
  return end;
}

// Parses JSON in which "..." may stand for a text. Returns nothing for a word.
std::optional<Json> ReadJson(std::string_view value) {
  if (!value.starts_with('{') && !value.starts_with('[')) return std::nullopt;
  std::string text(value);
  const std::string hole = ": ...";
  for (size_t at; (at = text.find(hole)) != std::string::npos;) {
    text.replace(at, hole.size(), ": \"...\"");
  }
  auto json = ParseJson(text);
  return json.ok() ? std::optional(*std::move(json)) : std::nullopt;
}

std::string Flag(std::string_view name, const Json& value) {
  std::string flag = "--" + std::string(name);
  if (value == true) return flag;
  if (value == false) return flag + "=false";
  std::string text =
      value.is_string() ? value.get<std::string>() : DumpJson(value);
  return flag + " " + (text == "..." ? text : ShellJoin({text}));
}

// Returns the flag for an argument as a hint writes it.
std::string FlagOfText(std::string_view name, std::string_view value) {
  if (value == "true") return Flag(name, true);
  if (auto json = ReadJson(value)) return Flag(name, *json);
  return "--" + std::string(name) + " " + std::string(value);
}

std::string FlagsOfObject(const Json& object, std::string_view inner) {
  std::string flags;
  for (const auto& item : object.items()) {
    bool is_inner = item.key() == inner && item.value().is_object();
    flags += is_inner ? FlagsOfObject(item.value(), "")
                      : " " + Flag(item.key(), item.value());
  }
  return flags;
}

// Translates from the beginning of a text to its end.
class Translator {
 public:
  explicit Translator(std::string_view text) : text_(text) {}

  std::string Run() {
    size_t notes = text_.starts_with('[') ? text_.find(" | ") : 0;
    while (at_ < text_.size()) {
      bool begins = at_ == 0 || !IsWordPart(text_[at_ - 1]);
      if (begins && (TakeTool() || (at_ >= notes && TakeAlone()))) continue;
      if (TakePhrase()) continue;
      done_ += text_[at_++];
    }
    return std::move(done_);
  }

 private:
  bool TakePhrase() {
    for (const Phrase& phrase : kPhrases) {
      if (!text_.substr(at_).starts_with(phrase.words)) continue;
      done_ += phrase.at_shell;
      at_ += phrase.words.size();
      return true;
    }
    return false;
  }

  bool TakeTool() {
    if (!text_.substr(at_).starts_with(kPrefix)) return false;
    size_t end = EndOfName(text_, at_);
    std::string name(text_.substr(at_, end - at_));
    const ToolCommand* command = FindToolCommand(name.substr(kPrefix.size()));
    bool is_other = std::find(std::begin(kOthers), std::end(kOthers), name) !=
                    std::end(kOthers);
    bool is_name =
        end == text_.size() ||
        std::string_view(" ,.;:)\n").find(text_[end]) != std::string_view::npos;
    if (!is_name || (command == nullptr && !is_other)) return false;
    done_ += "glasstty ";
    done_ += command != nullptr ? command->command : "call " + name;
    at_ = end;
    TakeArguments(command != nullptr ? command->rules.inner : "");
    return true;
  }

  void TakeArguments(std::string_view inner) {
    if (text_.substr(at_).starts_with(" {")) {
      size_t end = EndOfValue(text_, at_ + 1);
      auto json = ReadJson(text_.substr(at_ + 1, end - at_ - 1));
      if (!json || !json->is_object()) return;
      done_ += FlagsOfObject(*json, inner);
      at_ = end;
      return;
    }
    while (at_ < text_.size() && text_[at_] == ' ') {
      size_t begin = at_ + 1;
      size_t end = EndOfName(text_, begin);
      bool is_argument = end > begin && end < text_.size() && text_[end] == '=';
      if (!is_argument) return;
      done_ += ' ';
      TakeValue(begin, end);
    }
  }

  // An argument that no tool precedes.
  bool TakeAlone() {
    size_t end = EndOfName(text_, at_);
    std::string_view name = text_.substr(at_, end - at_);
    bool is_argument = end < text_.size() && text_[end] == '=' &&
                       std::find(std::begin(kAlone), std::end(kAlone), name) !=
                           std::end(kAlone);
    if (is_argument) TakeValue(at_, end);
    return is_argument;
  }

  void TakeValue(size_t begin, size_t equals) {
    size_t end = EndOfValue(text_, equals + 1);
    done_ += FlagOfText(text_.substr(begin, equals - begin),
                        text_.substr(equals + 1, end - equals - 1));
    at_ = end;
  }

  const std::string_view text_;
  size_t at_ = 0;
  std::string done_;
};

}  // namespace

std::string InShellWords(const std::string& text) {
  return Translator(text).Run();
}

// The lines of programs begin with a blank in a list, and with their number in
// a search.
std::string ListInShellWords(const std::string& text) {
  std::vector<std::string> lines = Split(text, '\n');
  for (std::string& line : lines) {
    bool is_ours =
        !line.empty() && line[0] != ' ' && (line[0] < '0' || line[0] > '9');
    bool is_gap =
        line.starts_with('[') && line.find(" left out: ") != std::string::npos;
    // A gap has no header before it.
    if (is_gap) {
      line = "[" + InShellWords(line.substr(1));
    } else if (is_ours) {
      line = InShellWords(line);
    }
  }
  return Join(lines, "\n");
}

}  // namespace glasstty
