#include "mcp/long_message.h"

#include <utility>

namespace glasstty::mcp {

void LongMessage::Add(std::string_view bytes) {
  for (char c : bytes) {
    if (done_) return;
    Take(c);
  }
}

void LongMessage::Take(char c) {
  if (!in_string_) return TakeMark(c);
  Keep(c);
  bool ends = c == '"' && !escaped_;
  escaped_ = c == '\\' && !escaped_;
  in_string_ = !ends;
}

// Takes a character that is not part of a string.
void LongMessage::TakeMark(char c) {
  switch (c) {
    case ' ':
    case '\t':
    case '\r':
      return;
    case '{':
    case '[':
      // An array of messages has no id.
      done_ = depth_ == 0 && c == '[';
      ++depth_;
      return;
    case '}':
    case ']':
      if (depth_ == 1) EndMember();
      done_ = done_ || --depth_ <= 0;
      return;
    case ',':
      if (depth_ == 1) EndMember();
      return;
    case ':':
      if (depth_ == 1) key_ = std::exchange(text_, "");
      return;
    default:
      done_ = depth_ == 0;
      in_string_ = c == '"';
      Keep(c);
  }
}

// Keeps one byte more than the limit, which marks the text as incomplete.
void LongMessage::Keep(char c) {
  if (depth_ == 1 && text_.size() <= kMostKept) text_ += c;
}

void LongMessage::EndMember() {
  std::string key = std::exchange(key_, "");
  std::string value = std::exchange(text_, "");
  if (value.size() > kMostKept) return;
  if (key == "\"id\"") id_ = value;
  if (key == "\"method\"") has_method_ = true;
  done_ = has_method_ && !id_.empty();
}

}  // namespace glasstty::mcp
