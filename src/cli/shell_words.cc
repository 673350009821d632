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

// Tools that have no command of their own; `glasstty call` calls them by name.
constexpr std::string_view kOthers[] = {"term_write_file"};
// These commands need no session: they open one, have a default, or concern
// all.
constexpr std::string_view kWithoutSession[] = {"run", "open", "list"};
// A hint names these arguments without a tool, because several tools have them.
constexpr std::string_view kAlone[] = {"fresh",     "force",  "session",
                                       "max_lines", "mode",   "truncate",
                                       "from_line", "to_line"};
// Commands that need more than a session, with the flags that are added if they
// have none. "..." stands for what the caller knows.
struct Need {
  std::string_view command, flags;
};
constexpr Need kNeeds[] = {{"wait", " --state prompt,input,secret,exited"},
                           {"send", " --input ..."}};
// Other phrases of replies, and what they become at a shell.
struct Phrase {
  std::string_view words, at_shell;
};
constexpr Phrase kPhrases[] = {{"\"confirm\": true", "--confirm"},
                               {"larger max_bytes", "larger --max-bytes"}};

bool IsWordPart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

// Returns the end of the name that begins at `at`.
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
// word without the punctuation after it.
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

// Parses JSON in which "..." may stand for a text. Returns nullopt for a word.
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
  std::string flag = "--" + FlagName(name);
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
  return "--" + FlagName(name) + " " + std::string(value);
}

// Returns the NAME of a text that begins with "[NAME] ", or "".
std::string SessionOfHeader(std::string_view text) {
  size_t end = text.find("] ");
  bool is_header = text.starts_with('[') && end != std::string_view::npos;
  return is_header ? std::string(text.substr(1, end - 1)) : "";
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

bool HasField(const std::vector<mcp::FieldHead>& fields,
              std::string_view name) {
  return std::any_of(
      fields.begin(), fields.end(),
      [name](const mcp::FieldHead& field) { return field.name == name; });
}

// Returns the flag for a path such as "until.state", or "" if the tool has no
// such argument.
std::string FlagOfPath(const mcp::Tool& tool, const WordRules& rules,
                       std::string_view path) {
  size_t end = path.find_first_of(".[");
  std::string_view outer = path.substr(0, end);
  if (!HasField(tool.fields, outer)) return "";
  bool is_inner = outer == rules.inner && end != std::string_view::npos;
  return "--" + FlagName(is_inner ? path.substr(end + 1) : path);
}

// Removes an argument's name in quotes, or its members as JSON, from the
// beginning of `rest`, and returns the flags for it; "" if there is none.
std::string TakeArgumentName(const mcp::Tool& tool, const WordRules& rules,
                             std::string_view* rest) {
  if (rest->starts_with('\'')) {
    size_t end = rest->find('\'', 1);
    if (end == std::string_view::npos) return "";
    std::string flag = FlagOfPath(tool, rules, rest->substr(1, end - 1));
    if (!flag.empty()) rest->remove_prefix(end + 1);
    return flag;
  }
  if (!rest->starts_with('{') || rules.inner.empty()) return "";
  size_t end = EndOfValue(*rest, 0);
  auto json = ReadJson(rest->substr(0, end));
  if (!json || !json->is_object() || json->empty()) return "";
  for (const mcp::FieldHead& field : tool.fields) {
    bool has_all = field.name == rules.inner;
    for (const auto& item : json->items()) {
      has_all = has_all && HasField(field.members, item.key());
    }
    if (!has_all) continue;
    rest->remove_prefix(end);
    return FlagsOfObject(*json, "").substr(1);
  }
  return "";
}

// Translates from the beginning of a text to its end.
class Translator {
 public:
  Translator(std::string_view text, std::string session)
      : text_(text), session_(std::move(session)) {}

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
    if (!text_.substr(at_).starts_with(kToolPrefix)) return false;
    size_t end = EndOfName(text_, at_);
    std::string name(text_.substr(at_, end - at_));
    const ToolCommand* command =
        FindToolCommand(name.substr(kToolPrefix.size()));
    bool is_other = std::find(std::begin(kOthers), std::end(kOthers), name) !=
                    std::end(kOthers);
    bool is_name =
        end == text_.size() ||
        std::string_view(" ,.;:)\n").find(text_[end]) != std::string_view::npos;
    if (!is_name || (command == nullptr && !is_other)) return false;
    name.erase(0, kToolPrefix.size());
    size_t begin = done_.size();
    done_ += command != nullptr ? "glasstty " : "glasstty call ";
    done_ += name;
    size_t after = done_.size();
    at_ = end;
    TakeArguments(command != nullptr ? command->rules.inner : "");
    bool is_bare = done_.size() == after;
    if (NeedsSession(name, std::string_view(done_).substr(begin))) {
      done_.insert(after, " --session " + ShellJoin({session_}));
    }
    // Without a session, the text only mentions the command.
    if (is_bare && !session_.empty()) AddNeeds(name);
    return true;
  }

  void AddNeeds(std::string_view name) {
    for (const Need& need : kNeeds) {
      if (name == need.command) done_ += need.flags;
    }
  }

  // `written` is the translated command with its arguments.
  bool NeedsSession(std::string_view name, std::string_view written) const {
    bool has_default =
        std::find(std::begin(kWithoutSession), std::end(kWithoutSession),
                  name) != std::end(kWithoutSession);
    return !session_.empty() && !has_default &&
           written.find(" --session") == std::string_view::npos;
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

  // Translates an argument that no tool precedes, if there is one here.
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
  const std::string session_;
  size_t at_ = 0;
  std::string done_;
};

}  // namespace

std::string InShellWords(const std::string& text, const std::string& session) {
  std::vector<std::string> lines = Split(text, '\n');
  for (std::string& line : lines) {
    std::string named = SessionOfHeader(line);
    line = Translator(line, named.empty() ? session : named).Run();
  }
  return Join(lines, "\n");
}

// The lines of programs begin with a blank in a list, and with their number in
// a search.
std::string ListInShellWords(const std::string& text,
                             const std::string& session) {
  std::vector<std::string> lines = Split(text, '\n');
  for (std::string& line : lines) {
    bool is_ours =
        !line.empty() && line[0] != ' ' && (line[0] < '0' || line[0] > '9');
    bool is_gap =
        line.starts_with('[') && line.find(" left out: ") != std::string::npos;
    // The "[" of a gap does not begin a header.
    if (is_gap) {
      line = "[" + InShellWords(line.substr(1), session);
    } else if (is_ours) {
      line = InShellWords(line, session);
    }
  }
  return Join(lines, "\n");
}

std::string RefusalInShellWords(const std::string& text, const mcp::Tool& tool,
                                const WordRules& rules,
                                const std::string& session) {
  std::string_view rest = text;
  // The command's own name is printed before the text.
  for (const char* after : {": ", " "}) {
    std::string subject = tool.name + after;
    if (rest.starts_with(subject)) rest.remove_prefix(subject.size());
  }
  std::string named;
  while (!rest.empty()) {
    std::string flags = TakeArgumentName(tool, rules, &rest);
    if (flags.empty()) {
      flags = rest[0];
      rest.remove_prefix(1);
    }
    named += flags;
  }
  return InShellWords(named, session);
}

}  // namespace glasstty
