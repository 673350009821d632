#include "gate/typed_line.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/ascii.h"

namespace glasstty::gate {
namespace {

constexpr std::string_view kPasteBegin = "\x1B[200~";
constexpr std::string_view kPasteEnd = "\x1B[201~";

// A character may take several bytes; in UTF-8, all but the first are 10xxxxxx.
bool IsContinuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// Alt with a letter moves over these bytes; readline uses letters and digits.
// Bytes from 0x80 on count as letters, which is right for most scripts.
bool IsWordByte(unsigned char c) {
  return c == '_' || c >= 0x80 || absl::ascii_isalnum(c);
}

bool IsNoBlank(unsigned char c) { return c != ' '; }

// Returns the length of the key at the beginning of `bytes`: CSI and SS3
// sequences (ECMA-48, 5.4) have parameters and a final byte; other bytes after
// Escape are Alt.
size_t KeyLength(std::string_view bytes) {
  if (bytes[0] != '\x1B' || bytes.size() == 1) return 1;
  if (bytes[1] != '[' && bytes[1] != 'O') return 2;
  auto final = std::find_if(bytes.begin() + 2, bytes.end(),
                            [](char c) { return c < 0x20 || c >= 0x40; });
  auto length = static_cast<size_t>(final - bytes.begin()) + 1;
  return std::min(length, bytes.size());
}

}  // namespace

// Contains the keys of readline's Emacs mode, which zle and fish share, and the
// arrows, Home and End of linux, rxvt and xterm. 0x62, 0x64 and 0x66 are b, d
// and f.
const TypedLine::EditingKey TypedLine::kEditingKeys[] = {
    {{"\x01", "\x1B[H", "\x1BOH", "\x1B[1~", "\x1B[7~"}, Place::kStart},
    {{"\x05", "\x1B[F", "\x1BOF", "\x1B[4~", "\x1B[8~"}, Place::kEnd},
    {{"\x02", "\x1B[D", "\x1BOD"}, Place::kCharacterBefore},
    {{"\x06", "\x1B[C", "\x1BOC"}, Place::kCharacterAfter},
    {{"\x1B\x62", "\x1B[1;5D"}, Place::kWordBefore},
    {{"\x1B\x66", "\x1B[1;5C"}, Place::kWordAfter},
    {{"\x7F", "\b"}, Place::kCharacterBefore, true},
    {{"\x1B[3~"}, Place::kCharacterAfter, true},
    {{"\x15"}, Place::kStart, true},
    {{"\x0B"}, Place::kEnd, true},
    {{"\x17"}, Place::kBlankBefore, true},
    {{"\x1B\x7F", "\x1B\b"}, Place::kWordBefore, true},
    {{"\x1B\x64"}, Place::kWordAfter, true},
    // Ctrl-L only repaints the line.
    {{"\x0C"}, Place::kCursor},
};

std::vector<TypedLine::Entered> TypedLine::Type(std::string_view bytes) {
  std::vector<Entered> entered;
  while (!bytes.empty()) {
    size_t length = KeyLength(bytes);
    if (bytes.starts_with(pasting_ ? kPasteEnd : kPasteBegin)) {
      pasting_ = !pasting_;
    } else if (pasting_) {
      // Terminals send CR for a newline in a paste, too.
      Insert(bytes[0] == '\r' ? '\n' : bytes[0]);
      length = 1;
    } else {
      TakeKey(bytes.substr(0, length), &entered);
    }
    bytes.remove_prefix(length);
  }
  return entered;
}

void TypedLine::TakeKey(std::string_view key, std::vector<Entered>* entered) {
  for (const EditingKey& row : kEditingKeys) {
    auto end = std::end(row.bytes);
    if (std::find(std::begin(row.bytes), end, key) == end) continue;
    size_t place = Find(row.place);
    auto [from, to] = std::minmax(cursor_, place);
    if (row.deletes) line_.erase(from, to - from);
    cursor_ = row.deletes ? from : place;
    return;
  }
  switch (key[0]) {
    case '\r':
    case '\n':
    case '\x0F':
      // Ctrl-O is readline's operate-and-get-next, which enters the line as
      // Return does.
      entered->push_back({text(), uncertain_});
      return Clear();
    case '\x04':
      // In canonical mode, Ctrl-D passes the line to the program without a
      // newline. The line is kept, because line editing deletes at most one
      // character, and judging a line twice does no harm.
      if (!line_.empty()) entered->push_back({text(), uncertain_});
      return;
    case '\x03':
      return Clear();
    default:
      // Tab completes, Ctrl-R searches, and Ctrl-Y and Ctrl-P insert earlier
      // text.
      if (static_cast<unsigned char>(key[0]) >= 0x20) return Insert(key[0]);
      uncertain_ = true;
  }
}

size_t TypedLine::Find(Place place) const {
  const auto begin = line_.begin(), end = line_.end();
  const auto cursor = begin + static_cast<long>(cursor_);
  const auto back = std::make_reverse_iterator(cursor);
  auto is_word = place == Place::kBlankBefore ? IsNoBlank : IsWordByte;
  auto at = cursor;
  switch (place) {
    case Place::kCursor:
      break;
    case Place::kStart:
      at = begin;
      break;
    case Place::kEnd:
      at = end;
      break;
    case Place::kCharacterBefore:
      at = std::find_if_not(back, line_.rend(), IsContinuation).base();
      if (at != begin) --at;
      break;
    case Place::kCharacterAfter:
      if (at != end) at = std::find_if_not(at + 1, end, IsContinuation);
      break;
    case Place::kWordBefore:
    case Place::kBlankBefore: {
      auto last = std::find_if(back, line_.rend(), is_word);
      at = std::find_if_not(last, line_.rend(), is_word).base();
      break;
    }
    case Place::kWordAfter:
      at = std::find_if_not(std::find_if(at, end, is_word), end, is_word);
      break;
  }
  return static_cast<size_t>(at - begin);
}

}  // namespace glasstty::gate
