#include "motion/text_lines.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace glasstty::motion {
namespace {

constexpr char kEscape = '\033';

// Returns the position of the first control character other than a tab, which
// ends a run of text.
size_t FindControl(std::string_view bytes) {
  for (size_t at = 0; at < bytes.size(); ++at) {
    auto c = static_cast<unsigned char>(bytes[at]);
    if (c < 0x20 && c != '\t') return at;
  }
  return bytes.size();
}

bool HasMode(std::string_view parameters, std::string_view mode) {
  size_t at = parameters.find(mode);
  return at != std::string_view::npos;
}

}  // namespace

TextLines::Piece TextLines::Next(std::string_view* bytes) {
  piece_ = {};
  while (piece_.kind == Piece::Kind::kNothing && !bytes->empty()) {
    if (skipped_ > 0) {
      SkipString(bytes);
      continue;
    }
    if (!pending_.empty()) {
      if (!TakePending(bytes)) break;
      continue;
    }
    size_t text = FindControl(*bytes);
    if (text > 0) {
      bool begins_anew = is_at_start_ && !line_.empty();
      if (begins_anew) {
        PutLine(Piece::Kind::kOverwritten);
        continue;
      }
      TakeText(bytes->substr(0, text));
      bytes->remove_prefix(text);
    } else if ((*bytes)[0] != kEscape) {
      TakeControl((*bytes)[0]);
      bytes->remove_prefix(1);
    } else if (size_t taken = TakeSequence(*bytes); taken > 0) {
      bytes->remove_prefix(taken);
    } else {
      pending_ = std::string(*bytes);
      *bytes = {};
    }
  }
  return piece_;
}

bool TextLines::TakePending(std::string_view* bytes) {
  joined_ = pending_;
  joined_ += *bytes;
  size_t taken = TakeSequence(joined_);
  if (taken > 0) {
    bytes->remove_prefix(taken - pending_.size());
    pending_.clear();
    return true;
  }
  *bytes = {};
  if (joined_.size() < kMostPending) {
    pending_ = joined_;
  } else if (joined_.ends_with(kEscape)) {
    pending_ = kEscape;  // ends the string, see SkipString
  } else {
    pending_.clear();
    if (joined_[1] != '[') skipped_ = joined_.size();
  }
  return false;
}

// An escape ends the string and is left, because it begins the next sequence,
// which may be ST.
void TextLines::SkipString(std::string_view* bytes) {
  size_t most =
      std::min(bytes->size(), kMostString - std::min(skipped_, kMostString));
  size_t end =
      std::min(bytes->substr(0, most).find_first_of("\a\030\033"), most);
  bool is_end = end < most;
  skipped_ += end;
  if (is_end || skipped_ >= kMostString) skipped_ = 0;
  bytes->remove_prefix(end);
  if (is_end && bytes->front() != kEscape) bytes->remove_prefix(1);
}

void TextLines::TakeText(std::string_view text) {
  is_at_start_ = is_backing_ = false;
  size_t room = kMostLine - std::min(line_.size(), kMostLine);
  line_ += text.substr(0, room);
}

void TextLines::TakeControl(char control) {
  if (control == '\n') PutLine(Piece::Kind::kLine);
  if (control == '\r') is_at_start_ = true;
  if (control == '\b' && !line_.empty()) {
    if (!std::exchange(is_backing_, true) && !draws_screens()) {
      put_ = line_;
      piece_ = {Piece::Kind::kBackspaced, put_};
    }
    line_.pop_back();
  }
}

void TextLines::PutLine(Piece::Kind kind) {
  is_at_start_ = is_backing_ = false;
  put_.swap(line_);
  line_.clear();
  if (!draws_screens()) piece_ = {kind, put_};
}

size_t TextLines::TakeSequence(std::string_view bytes) {
  if (bytes.size() < 2) return 0;
  switch (bytes[1]) {
    case '[':
      return TakeControlSequence(bytes);
    case ']':
    case 'P':
    case '_':
    case '^':
    case 'X':
      return TakeString(bytes);
    case '(':
    case ')':
    case '#':
    case '%':
      return bytes.size() < 3 ? 0 : 3;
    default:
      return 2;
  }
}

size_t TextLines::TakeControlSequence(std::string_view bytes) {
  size_t end = 2;
  while (end < bytes.size() && (bytes[end] < '@' || bytes[end] > '~')) {
    // A byte that is invalid in a sequence ends the sequence.
    if (static_cast<unsigned char>(bytes[end]) < 0x20) return end;
    ++end;
  }
  if (end >= bytes.size()) return 0;
  std::string_view parameters = bytes.substr(2, end - 2);
  char final = bytes[end];
  bool sets = final == 'h' || final == 'l';
  bool switches = sets && parameters.starts_with('?') &&
                  (HasMode(parameters, "1049") || HasMode(parameters, "1047") ||
                   parameters == "?47");
  if (switches) {
    SetScreens(final == 'h', false);
  } else if (final == 'G' && (parameters.empty() || parameters == "1")) {
    is_at_start_ = true;
  } else if (final == 'H' || final == 'f' || final == 'd' || final == 'A') {
    if (++row_addresses_ >= kAddresses && !draws_screens()) {
      SetScreens(false, true);
    }
  }
  return end + 1;
}

size_t TextLines::TakeString(std::string_view bytes) {
  size_t end = 2;
  while (end < bytes.size() && bytes[end] != '\a' && bytes[end] != kEscape &&
         bytes[end] != '\030') {
    ++end;
  }
  if (end >= bytes.size()) return 0;
  if (bytes[end] == kEscape && end + 1 >= bytes.size()) return 0;
  std::string_view payload = bytes.substr(2, end - 2);
  if (bytes[1] == ']' && payload.starts_with("133;")) {
    payload.remove_prefix(4);
    // The shell is at its prompt, so a program that drew rows has ended.
    bool is_prompt = payload.starts_with('A') || payload.starts_with('D');
    if (is_prompt) {
      row_addresses_ = 0;
      addresses_ = false;
    }
    piece_ = {Piece::Kind::kMark, payload};
  }
  return end + (bytes[end] == kEscape ? 2 : 1);
}

void TextLines::SetScreens(bool alternate, bool addresses) {
  bool drew = draws_screens(), was_alternate = alternate_;
  alternate_ = alternate;
  addresses_ = addresses;
  if (draws_screens() == drew && alternate == was_alternate) return;
  line_.clear();
  is_at_start_ = false;
  piece_ = {Piece::Kind::kScreens, {}};
}

}  // namespace glasstty::motion
