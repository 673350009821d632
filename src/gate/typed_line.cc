#include "gate/typed_line.h"

#include <algorithm>
#include <utility>

namespace glasstty {
namespace {

// As terminals send Ctrl with a letter: the lower five bits.
constexpr char Control(char letter) { return static_cast<char>(letter & 0x1F); }

constexpr std::string_view kPasteBegin = "\x1B[200~";
constexpr std::string_view kPasteEnd = "\x1B[201~";

// One character may be several bytes; deleting half of one would leave a byte.
// UTF-8: 10xxxxxx.
bool IsContinuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// What Alt with a letter moves over; readline takes letters and digits. Bytes
// from 0x80 on count as letters, which is right for most scripts.
bool IsWordByte(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

// Between the marks of a paste only its end is a key.
std::vector<TypedLine::Entered> TypedLine::Type(std::string_view bytes) {
  std::vector<Entered> entered;
  while (!bytes.empty()) {
    size_t taken = 1;
    // Terminals send CR for a newline in a paste, too.
    if (pasting_ && bytes.substr(0, kPasteEnd.size()) != kPasteEnd) {
      char c = bytes[0] == '\r' ? '\n' : bytes[0];
      Insert({&c, 1});
    } else {
      taken = TakeKey(bytes, &entered);
    }
    bytes.remove_prefix(std::min(taken, bytes.size()));
  }
  return entered;
}

void TypedLine::Clear() { *this = TypedLine(); }

// The keys are those of readline's Emacs mode, which zle and fish share. In vi
// mode Escape makes the line uncertain, which is the truth.
size_t TypedLine::TakeKey(std::string_view bytes,
                          std::vector<Entered>* entered) {
  char c = bytes[0];
  switch (c) {
    case '\r':
    case '\n':
    // readline's operate-and-get-next: enters the line as Return does.
    case Control('o'):
      Enter(entered);
      break;
    case Control('d'):
      // Gives a canonical terminal's line to the program as it is. The line is
      // kept: with line editing Ctrl-D deletes a character at most, and a line
      // that is judged twice does no harm.
      if (!line_.empty()) entered->push_back({text(), uncertain_});
      break;
    case Control('c'):
      Clear();
      break;
    case 0x7F:
    case Control('h'):
      Delete(CharacterBefore(), at_);
      break;
    case Control('u'):
      Delete(0, at_);
      break;
    case Control('k'):
      Delete(at_, line_.size());
      break;
    case Control('w'):
      Delete(WordBefore(true), at_);
      break;
    case Control('a'):
      at_ = 0;
      break;
    case Control('e'):
      at_ = line_.size();
      break;
    case Control('b'):
      at_ = CharacterBefore();
      break;
    case Control('f'):
      at_ = CharacterAfter();
      break;
    // Repaints only.
    case Control('l'):
      break;
    case '\x1B':
      return TakeEscape(bytes);
    default:
      // Other control keys bring text from elsewhere, or may. Tab completes,
      // Ctrl-R searches, Ctrl-Y and Ctrl-P bring earlier text.
      if (static_cast<unsigned char>(c) < 0x20) {
        uncertain_ = true;
      } else {
        Insert({&c, 1});
      }
  }
  return 1;
}

// CSI and SS3 sequences of keys (xterm's ctlseqs), and Alt as a prefix.
size_t TypedLine::TakeEscape(std::string_view bytes) {
  if (bytes.substr(0, kPasteBegin.size()) == kPasteBegin) {
    pasting_ = true;
    return kPasteBegin.size();
  }
  if (bytes.substr(0, kPasteEnd.size()) == kPasteEnd) {
    pasting_ = false;
    return kPasteEnd.size();
  }
  // A lone Escape, or a key that was cut: either way what it does is not known.
  if (bytes.size() < 2) {
    uncertain_ = true;
    return 1;
  }
  size_t length = 2;
  bool sequence = bytes[1] == '[' || bytes[1] == 'O';
  if (sequence) {
    // Parameter and intermediate bytes (ECMA-48, 5.4); then the final byte.
    while (length < bytes.size() && bytes[length] >= 0x20 &&
           bytes[length] < 0x40) {
      ++length;
    }
    ++length;
  }
  // Both cursor-key modes, and the Home and End of linux, rxvt and xterm.
  std::string_view key = bytes.substr(1, length - 1);
  if (key == "[D" || key == "OD") {
    at_ = CharacterBefore();
  } else if (key == "[C" || key == "OC") {
    at_ = CharacterAfter();
  } else if (key == "[H" || key == "OH" || key == "[1~" || key == "[7~") {
    at_ = 0;
  } else if (key == "[F" || key == "OF" || key == "[4~" || key == "[8~") {
    at_ = line_.size();
  } else if (key == "[3~") {
    Delete(at_, CharacterAfter());
    // Alt with a letter, or Ctrl with an arrow.
  } else if (key == "b" || key == "[1;5D") {
    at_ = WordBefore(false);
  } else if (key == "f" || key == "[1;5C") {
    at_ = WordAfter();
  } else if (key == "d") {
    Delete(at_, WordAfter());
  } else if (key == "\x7F" || key == "\b") {
    Delete(WordBefore(false), at_);
  } else {
    uncertain_ = true;
  }
  return length;
}

void TypedLine::Insert(std::string_view text) {
  line_.insert(at_, text);
  at_ += text.size();
}

// Whatever is deleted, the cursor ends where it began.
void TypedLine::Delete(size_t from, size_t to) {
  line_.erase(from, to - from);
  at_ = from;
}

// The next line begins with nothing, but a paste goes on over it.
void TypedLine::Enter(std::vector<Entered>* entered) {
  entered->push_back({before_ + line_, uncertain_});
  bool pasting = pasting_;
  Clear();
  pasting_ = pasting;
}

size_t TypedLine::CharacterBefore() const {
  size_t at = at_;
  while (at > 0 && IsContinuation(line_[--at])) {
  }
  return at;
}

size_t TypedLine::CharacterAfter() const {
  size_t at = std::min(at_ + 1, line_.size());
  while (at < line_.size() && IsContinuation(line_[at])) ++at;
  return at;
}

// Ctrl-W stops at blanks, Alt-Backspace at punctuation too.
size_t TypedLine::WordBefore(bool only_blanks) const {
  auto in_word = [only_blanks](char c) {
    return only_blanks ? c != ' ' : IsWordByte(c);
  };
  size_t at = at_;
  while (at > 0 && !in_word(line_[at - 1])) --at;
  while (at > 0 && in_word(line_[at - 1])) --at;
  return at;
}

size_t TypedLine::WordAfter() const {
  size_t at = at_;
  while (at < line_.size() && !IsWordByte(line_[at])) ++at;
  while (at < line_.size() && IsWordByte(line_[at])) ++at;
  return at;
}

}  // namespace glasstty
