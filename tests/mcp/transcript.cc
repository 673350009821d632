#include "mcp/transcript.h"

#include <fcntl.h>

#include <cstdlib>
#include <optional>
#include <utility>

#include "base/escape.h"
#include "base/fd.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty::testing {
namespace {

constexpr std::string_view kSend = "--> ", kExpect = "<-- ", kActor = "@";

bool Starts(std::string_view text, std::string_view head) {
  return text.substr(0, head.size()) == head;
}

// Removes the first word and the blank after it from `text`.
std::string TakeWord(std::string_view* text) {
  size_t end = text->find(' ');
  std::string word(text->substr(0, end));
  text->remove_prefix(end == std::string_view::npos ? text->size() : end + 1);
  return word;
}

std::optional<Duration> ReadDelay(std::string_view text) {
  char* unit = nullptr;
  std::string copy(text);
  double number = std::strtod(copy.c_str(), &unit);
  std::string name(unit);
  if (name != "s" && name != "ms") return std::nullopt;
  return std::chrono::duration_cast<Duration>(
      std::chrono::duration<double>(name == "s" ? number : number / 1000));
}

std::string TextOf(const Json& result) {
  std::string text;
  const Json* content = FindMember(result, "content");
  if (content == nullptr) return text;
  for (const Json& block : *content) {
    const Json* part = FindMember(block, "text");
    if (part == nullptr) continue;
    if (!text.empty()) text += '\n';
    text += AsString(*part).value_or("");
  }
  return text;
}

// Plays one transcript once.
class Player {
 public:
  explicit Player(const TranscriptHost& host) : host_(host) {}

  TranscriptResult Play(std::string_view text) {
    lines_ = Split(text, '\n');
    if (!lines_.empty() && lines_.back().empty()) lines_.pop_back();
    while (next_ < lines_.size()) PlayLine(lines_[next_++]);
    Collect();
    for (const Json& message : inbox_) {
      Differs("a message that nothing expects", {ExpectLine(message)});
    }
    return std::move(result_);
  }

 private:
  static std::string ExpectLine(const Json& message) {
    return std::string(kExpect) + DumpJson(message);
  }

  void PlayLine(const std::string& line) {
    std::string_view rest = line;
    if (Starts(line, kSend)) {
      Keep(line);
      rest.remove_prefix(kSend.size());
      SendLine(rest);
    } else if (Starts(line, kExpect)) {
      rest.remove_prefix(kExpect.size());
      Expect(line, rest);
    } else if (Starts(line, kActor)) {
      Keep(line);
      rest.remove_prefix(kActor.size());
      Act(rest);
    } else {
      Keep(line);  // prose and blank lines
    }
  }

  void SendLine(std::string_view rest) {
    if (Starts(rest, "{") || Starts(rest, "[")) return host_.send(rest);
    if (Starts(rest, "raw ")) return host_.send(UnescapeBytes(rest.substr(4)));
    auto id = ParseJson(TakeWord(&rest));
    std::string tool = TakeWord(&rest);
    auto arguments = ParseJson(rest.empty() ? "{}" : rest);
    if (!id.ok() || !arguments.ok()) return Wrong("cannot read this line");
    Json message = {
        {"jsonrpc", "2.0"},
        {"id", *std::move(id)},
        {"method", "tools/call"},
        {"params", {{"name", tool}, {"arguments", *std::move(arguments)}}}};
    host_.send(DumpJson(message));
  }

  void Act(std::string_view rest) {
    if (Starts(rest, "+")) {
      auto delay = ReadDelay(rest.substr(1));
      if (!delay) return Wrong("a delay is @+2s or @+250ms");
      return host_.advance(*delay);
    }
    auto actor = host_.actors.find(TakeWord(&rest));
    if (actor == host_.actors.end()) return Wrong("no such actor");
    std::string problem = actor->second(rest);
    if (!problem.empty()) Wrong(problem);
  }

  void Expect(const std::string& line, std::string_view rest) {
    Collect();
    std::vector<std::string> block = {line};
    while (next_ < lines_.size() && Starts(lines_[next_], "|")) {
      block.push_back(lines_[next_++]);
    }
    if (rest == "nothing") {
      if (inbox_.empty()) return Keep(line);
      std::vector<std::string> actual;
      for (const Json& message : inbox_) actual.push_back(ExpectLine(message));
      inbox_.clear();
      return Differs(line, actual);
    }
    if (Starts(rest, "{") || Starts(rest, "[")) return ExpectJson(line, rest);
    ExpectText(block, rest);
  }

  void ExpectJson(const std::string& line, std::string_view rest) {
    auto pattern = ParseJson(rest);
    if (!pattern.ok()) return Wrong("not JSON: " + line);
    std::optional<Json> message = Take(*pattern);
    if (!message) return Differs(line, {"<-- nothing"});
    if (MatchesJson(*pattern, *message)) return Keep(line);
    Differs(line, {ExpectLine(*message)});
  }

  void ExpectText(const std::vector<std::string>& block,
                  std::string_view rest) {
    std::string word = TakeWord(&rest);
    auto id = ParseJson(word);
    if (!id.ok()) return Wrong("not an id: " + word);
    Json pattern = {{"id", *std::move(id)}};
    std::optional<Json> message = Take(pattern);
    if (!message) return Differs(Join(block, "\n"), {"<-- nothing"});
    const Json* result = FindMember(*message, "result");
    if (result == nullptr) {
      return Differs(Join(block, "\n"), {ExpectLine(*message)});
    }
    std::vector<std::string> actual = {absl::StrFormat(
        "<-- %s %s", word, result->contains("isError") ? "error" : "text")};
    for (const std::string& line : Split(TextOf(*result), '\n')) {
      actual.push_back("|" + line);
    }
    if (MatchesLines(block, actual)) return Keep(Join(block, "\n"));
    Differs(Join(block, "\n"), actual);
  }

  // Returns the first message that `pattern` is about: with the same id, or the
  // same method, or neither in both.
  std::optional<Json> Take(const Json& pattern) {
    for (auto it = inbox_.begin(); it != inbox_.end(); ++it) {
      bool same = true;
      for (const char* key : {"id", "method"}) {
        const Json* wanted = FindMember(pattern, key);
        const Json* found = FindMember(*it, key);
        same &= wanted == nullptr ? found == nullptr || !pattern.is_object()
                                  : found != nullptr && *wanted == *found;
      }
      if (!same) continue;
      Json message = std::move(*it);
      inbox_.erase(it);
      return message;
    }
    return std::nullopt;
  }

  void Collect() {
    for (Json& message : host_.take()) inbox_.push_back(std::move(message));
  }

  void Keep(const std::string& lines) { result_.actual += lines + "\n"; }
  void Differs(const std::string& expected,
               const std::vector<std::string>& actual) {
    Keep(Join(actual, "\n"));
    result_.failure += absl::StrFormat("line %d: expected\n%s\nbut got\n%s\n",
                                       next_, expected, Join(actual, "\n"));
  }
  void Wrong(const std::string& what) {
    result_.failure += absl::StrFormat("line %d: %s\n", next_, what);
  }

  const TranscriptHost& host_;
  std::vector<std::string> lines_;
  size_t next_ = 0;  // also the number of the current line
  std::vector<Json> inbox_;
  TranscriptResult result_;
};

bool MatchLinesFrom(const std::vector<std::string>& patterns, size_t p,
                    const std::vector<std::string>& lines, size_t l) {
  if (p == patterns.size()) return l == lines.size();
  if (patterns[p] == "|...") {
    for (size_t end = l; end <= lines.size(); ++end) {
      if (MatchLinesFrom(patterns, p + 1, lines, end)) return true;
    }
    return false;
  }
  return l < lines.size() && MatchesText(patterns[p], lines[l]) &&
         MatchLinesFrom(patterns, p + 1, lines, l + 1);
}

}  // namespace

bool MatchesText(std::string_view pattern, std::string_view text) {
  size_t plain = 0;
  while (plain < pattern.size() && !Starts(pattern.substr(plain), "<int>") &&
         !Starts(pattern.substr(plain), "<any>")) {
    ++plain;
  }
  if (!Starts(text, pattern.substr(0, plain))) return false;
  text.remove_prefix(plain);
  pattern.remove_prefix(plain);
  if (pattern.empty()) return text.empty();
  bool digits = Starts(pattern, "<int>");
  pattern.remove_prefix(5);
  size_t most = text.size();
  if (digits) most = std::min(most, text.find_first_not_of("0123456789"));
  for (size_t n = digits ? 1 : 0; n <= most; ++n) {
    if (MatchesText(pattern, text.substr(n))) return true;
  }
  return false;
}

bool MatchesLines(const std::vector<std::string>& patterns,
                  const std::vector<std::string>& lines) {
  return MatchLinesFrom(patterns, 0, lines, 0);
}

bool MatchesJson(const Json& pattern, const Json& value) {
  if (pattern == "<any>") return true;
  if (pattern == "<int>") return value.is_number_integer();
  if (pattern.type() != value.type() && !pattern.is_number()) return false;
  if (pattern.is_string()) {
    return MatchesText(pattern.get_ref<const std::string&>(),
                       value.get_ref<const std::string&>());
  }
  if (pattern.is_object()) {
    bool open = pattern.contains("...");
    if (!open && pattern.size() != value.size()) return false;
    for (auto item = pattern.begin(); item != pattern.end(); ++item) {
      if (item.key() == "...") continue;
      const Json* member = FindMember(value, item.key());
      if (member == nullptr || !MatchesJson(item.value(), *member)) {
        return false;
      }
    }
    return true;
  }
  if (!pattern.is_array()) return pattern == value;
  bool open = !pattern.empty() && pattern.back() == "...";
  size_t fixed = pattern.size() - (open ? 1 : 0);
  if (open ? value.size() < fixed : value.size() != fixed) return false;
  for (size_t i = 0; i < fixed; ++i) {
    if (!MatchesJson(pattern[i], value[i])) return false;
  }
  return true;
}

TranscriptResult PlayTranscript(std::string_view text,
                                const TranscriptHost& host) {
  return Player(host).Play(text);
}

std::string PlayTranscriptFile(const std::string& path,
                               const TranscriptHost& host) {
  std::string text;
  if (!ReadFileAt(AT_FDCWD, path, 1 << 20, &text)) {
    return "cannot read " + path;
  }
  TranscriptResult result = PlayTranscript(text, host);
  const char* update = std::getenv("GLASSTTY_UPDATE");
  if (result.failure.empty() || update == nullptr) return result.failure;
  UniqueFd file(open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  return WriteAll(file.get(), result.actual) ? "" : "cannot write " + path;
}

void LastRound::Sent(std::string_view line) {
  auto message = ParseJson(line);
  if (message.ok() && message->is_object() &&
      message->value("method", Json()) == "tools/call") {
    call_ = *std::move(message);
  }
}

void LastRound::Got(const Json& message) {
  const Json* result = FindMember(message, "result");
  const Json* state =
      result == nullptr ? nullptr : FindMember(*result, "requestState");
  if (state != nullptr) state_ = *state;
}

std::string LastRound::Answer(std::string_view words) const {
  // The key of a question may contain blanks.
  size_t first = words.find(' '), last = words.rfind(' ');
  if (first == last) return "";
  std::string key(words.substr(first + 1, last - first - 1));
  Json message = call_;
  message["id"] = *ParseJson(words.substr(0, first));
  message["params"]["inputResponses"][key] = *ParseJson(words.substr(last + 1));
  message["params"]["requestState"] = state_;
  return DumpJson(message);
}

}  // namespace glasstty::testing
