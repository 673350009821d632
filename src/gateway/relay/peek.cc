#include "relay/peek.h"

namespace glasstty::relay {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Scans a text. At its end, Next returns NUL.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {}

  char Next() {
    while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool Take(char c) {
    if (Next() != c) return false;
    ++at_;
    return true;
  }
  // Consumes one value of any kind and returns its text, or "" if there is
  // none.
  std::string_view TakeValue() {
    Next();
    size_t begin = at_;
    int depth = 0;
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (depth == 0 && at_ > begin && IsEnd(c)) break;
      if (depth == 0 && at_ == begin && IsEnd(c)) return "";
      if (c == '"') {
        SkipString();
      } else {
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') --depth;
        ++at_;
      }
      // A string, object or array ends with its last byte.
      char last = text_[at_ - 1];
      if (depth == 0 && (last == '"' || last == '}' || last == ']')) break;
    }
    return text_.substr(begin, at_ - begin);
  }

 private:
  static bool IsEnd(char c) {
    return c == ',' || c == ':' || c == '}' || c == ']' || IsBlank(c);
  }
  void SkipString() {
    ++at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    at_ = at_ < text_.size() ? at_ + 1 : text_.size();
  }

  const std::string_view text_;
  size_t at_ = 0;
};

// Returns the value of a member as it is written, or "". `name` is in quotes.
std::string_view MemberOf(std::string_view object, std::string_view name) {
  Walker walker(object);
  if (!walker.Take('{')) return "";
  while (walker.Next() == '"') {
    std::string_view key = walker.TakeValue();
    if (!walker.Take(':')) break;
    std::string_view value = walker.TakeValue();
    if (key == name) return value;
    if (value.empty() || !walker.Take(',')) break;
  }
  return "";
}

Peeked PeekObject(Walker* walker) {
  Peeked message;
  std::string_view params;
  walker->Take('{');
  while (walker->Next() == '"') {
    std::string_view key = walker->TakeValue();
    if (!walker->Take(':')) break;
    std::string_view value = walker->TakeValue();
    if (value.empty()) break;
    if (key == "\"id\"" && value != "null") message.id = value;
    if (key == "\"error\"") message.error = value;
    if (key == "\"params\"") params = value;
    if (key == "\"method\"" && value.size() >= 2 && value[0] == '"') {
      message.method = value.substr(1, value.size() - 2);
    }
    if (!walker->Take(',')) break;
  }
  walker->Take('}');
  if (message.method.starts_with("resources/")) {
    message.uri = MemberOf(params, "\"uri\"");
  }
  return message;
}

}  // namespace

std::vector<Peeked> Peek(std::string_view line) {
  std::vector<Peeked> messages;
  Walker walker(line);
  if (!walker.Take('[')) {
    if (walker.Next() == '{') messages.push_back(PeekObject(&walker));
    return messages;
  }
  while (walker.Next() == '{') {
    messages.push_back(PeekObject(&walker));
    if (!walker.Take(',')) break;
  }
  return messages;
}

}  // namespace glasstty::relay
