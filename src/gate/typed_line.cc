#include "gate/typed_line.h"

#include <algorithm>

namespace glasstty {
namespace {

// As terminals send Ctrl with a letter: the lower five bits.
constexpr char Control(char letter) { return static_cast<char>(letter & 0x1F); }

constexpr std::string_view kPasteBegin = "\x1B[200~";
constexpr std::string_view kPasteEnd = "\x1B[201~";

// Deleting half a character would leave a byte. UTF-8: 10xxxxxx.
void DropCharacter(std::string* line) {
  while (!line->empty()) {
    auto last = static_cast<unsigned char>(line->back());
    line->pop_back();
    if ((last & 0xC0) != 0x80) return;
  }
}

// Ctrl-W stops at blanks.
void DropWord(std::string* line) {
  line->resize(line->find_last_not_of(' ') + 1);
  line->resize(line->find_last_of(' ') + 1);
}

// Of a CSI or SS3 sequence (ECMA-48, 5.4): parameters, then the final byte.
// Else of Escape alone; what follows is text.
size_t EscapeLength(std::string_view bytes) {
  bool sequence = bytes.size() > 1 && (bytes[1] == '[' || bytes[1] == 'O');
  if (!sequence) return 1;
  auto end = std::find_if(bytes.begin() + 2, bytes.end(),
                          [](char c) { return c < 0x20 || c >= 0x40; });
  return static_cast<size_t>(end - bytes.begin()) + 1;
}

}  // namespace

std::vector<TypedLine::Entered> TypedLine::Type(std::string_view bytes) {
  std::vector<Entered> entered;
  while (!bytes.empty()) {
    bytes.remove_prefix(std::min(TakeKey(bytes, &entered), bytes.size()));
  }
  return entered;
}

// The keys are those of readline's Emacs mode, which zle and fish share.
size_t TypedLine::TakeKey(std::string_view bytes,
                          std::vector<Entered>* entered) {
  char c = bytes[0];
  if (bytes.starts_with(pasting_ ? kPasteEnd : kPasteBegin)) {
    pasting_ = !pasting_;
    return kPasteBegin.size();
  }
  if (pasting_) {
    // Terminals send CR for a newline in a paste, too.
    line_ += c == '\r' ? '\n' : c;
    return 1;
  }
  switch (c) {
    case '\r':
    case '\n':
    // readline's operate-and-get-next: enters the line as Return does.
    case Control('o'):
      entered->push_back({text(), uncertain_});
      Clear();
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
      DropCharacter(&line_);
      break;
    case Control('u'):
      line_.clear();
      break;
    case Control('w'):
      DropWord(&line_);
      break;
    // Repaints only.
    case Control('l'):
      break;
    default:
      if (static_cast<unsigned char>(c) >= 0x20) {
        line_ += c;
        break;
      }
      uncertain_ = true;
      return c == '\x1B' ? EscapeLength(bytes) : 1;
  }
  return 1;
}

}  // namespace glasstty
