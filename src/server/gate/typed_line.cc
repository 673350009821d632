#include "gate/typed_line.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/ascii.h"
#include "base/utf8.h"

namespace glasstty::gate {
namespace {

constexpr std::string_view kPasteBegin = "\x1B[200~";
constexpr std::string_view kPasteEnd = "\x1B[201~";

// Returns the length of the key at the beginning of `bytes`. CSI and SS3
// sequences (ECMA-48, 5.4) have parameters and a final byte; any other byte
// after Escape is a key with Alt.
size_t KeyLength(std::string_view bytes) {
  if (bytes[0] != '\x1B' || bytes.size() == 1) return 1;
  if (bytes[1] != '[' && bytes[1] != 'O') return 2;
  auto final = std::find_if(bytes.begin() + 2, bytes.end(),
                            [](char c) { return c < 0x20 || c >= 0x40; });
  auto length = static_cast<size_t>(final - bytes.begin()) + 1;
  return std::min(length, bytes.size());
}

// Motions return the byte index to which a key moves the cursor.
using Motion = size_t (*)(const std::string& line, size_t cursor);

size_t Start(const std::string&, size_t) { return 0; }

size_t End(const std::string& line, size_t) { return line.size(); }

size_t CharacterBefore(const std::string& line, size_t cursor) {
  while (cursor > 0 && IsContinuation(line[--cursor])) {
  }
  return cursor;
}

size_t CharacterAfter(const std::string& line, size_t cursor) {
  cursor = std::min(cursor + 1, line.size());
  while (cursor < line.size() && IsContinuation(line[cursor])) ++cursor;
  return cursor;
}

// The bytes of a word, for keys such as Alt-B; readline does not include "_".
// Bytes from 0x80 on count as letters, which is right for most scripts.
bool IsWordByte(unsigned char c) {
  return c == '_' || c >= 0x80 || absl::ascii_isalnum(c);
}

bool IsNoBlank(unsigned char c) { return c != ' '; }

template <bool (*kIsInWord)(unsigned char)>
size_t WordBefore(const std::string& line, size_t cursor) {
  while (cursor > 0 && !kIsInWord(line[cursor - 1])) --cursor;
  while (cursor > 0 && kIsInWord(line[cursor - 1])) --cursor;
  return cursor;
}

size_t WordAfter(const std::string& line, size_t cursor) {
  while (cursor < line.size() && !IsWordByte(line[cursor])) ++cursor;
  while (cursor < line.size() && IsWordByte(line[cursor])) ++cursor;
  return cursor;
}

// A doubt returns whether zle, fish or the terminal's driver may do something
// else than readline, which goes to `place`.
using Doubt = bool (*)(const std::string& line, size_t cursor, size_t place);

// In zle, Ctrl-U kills the whole line.
bool IsInside(const std::string& line, size_t cursor, size_t) {
  return cursor < line.size();
}

// zle goes on to the next word.
bool Moves(const std::string&, size_t cursor, size_t place) {
  return place != cursor;
}

// All agree on words of letters and digits between blanks. The other characters
// of a word are a setting of zle (WORDCHARS).
bool MeetsMarks(const std::string& line, size_t cursor, size_t place) {
  auto is_plain = [](unsigned char c) {
    return c == ' ' || c >= 0x80 || absl::ascii_isalnum(c);
  };
  auto [from, to] = std::minmax(cursor, place);
  // The character at which the key stops is included.
  size_t begin = from == cursor || from == 0 ? from : from - 1;
  size_t end = from == cursor ? to + 1 : to;
  std::string_view passed = std::string_view(line).substr(begin, end - begin);
  return !std::all_of(passed.begin(), passed.end(), is_plain);
}

// A key of readline's Emacs mode, most of which zle and fish share, or one of
// the arrows, Home and End of linux, rxvt and xterm. 0x62, 0x64 and 0x66 are b,
// d and f.
struct EditingKey {
  std::string_view bytes[5];
  Motion motion;
  // The key deletes the text between the cursor and the new place.
  bool deletes = false;
  // Null: all do the same.
  Doubt doubt = nullptr;
};
constexpr EditingKey kEditingKeys[] = {
    {{"\x01", "\x1B[H", "\x1BOH", "\x1B[1~", "\x1B[7~"}, Start},
    {{"\x05", "\x1B[F", "\x1BOF", "\x1B[4~", "\x1B[8~"}, End},
    {{"\x02", "\x1B[D", "\x1BOD"}, CharacterBefore},
    {{"\x06", "\x1B[C", "\x1BOC"}, CharacterAfter},
    {{"\x1B\x62", "\x1B[1;5D"}, WordBefore<IsWordByte>, false, MeetsMarks},
    {{"\x1B\x66", "\x1B[1;5C"}, WordAfter, false, Moves},
    {{"\x7F", "\b"}, CharacterBefore, true},
    {{"\x1B[3~", "\x04"}, CharacterAfter, true},
    {{"\x15"}, Start, true, IsInside},
    {{"\x0B"}, End, true},
    {{"\x17"}, WordBefore<IsNoBlank>, true, MeetsMarks},
    {{"\x1B\x7F", "\x1B\b"}, WordBefore<IsWordByte>, true, MeetsMarks},
    {{"\x1B\x64"}, WordAfter, true, MeetsMarks},
};

}  // namespace

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
  // In canonical mode, Ctrl-D passes the line to the program without a newline;
  // in a line editor, it deletes at most one character. So the line is also
  // kept: judging it twice does no harm.
  bool passes = key == "\x04" && !line_.empty();
  if (passes) entered->push_back({text(), uncertain_});
  for (const EditingKey& row : kEditingKeys) {
    auto end = std::end(row.bytes);
    if (std::find(std::begin(row.bytes), end, key) == end) continue;
    size_t place = row.motion(line_, cursor_);
    bool doubts = row.doubt != nullptr && row.doubt(line_, cursor_, place);
    uncertain_ |= doubts;
    auto [from, to] = std::minmax(cursor_, place);
    if (row.deletes) line_.erase(from, to - from);
    cursor_ = row.deletes ? from : place;
    return;
  }
  char c = key[0];
  // Ctrl-O is readline's operate-and-get-next, which enters the line as Return
  // does.
  bool enters = c == '\r' || c == '\n' || c == '\x0F';
  if (enters) entered->push_back({text(), uncertain_});
  if (enters || c == '\x03') return Clear();
  if (static_cast<unsigned char>(c) >= 0x20) return Insert(c);
  // Tab completes, Ctrl-R searches, and Ctrl-Y and Ctrl-P insert earlier text.
  // Ctrl-L only repaints the line.
  uncertain_ |= c != '\x0C';
}

}  // namespace glasstty::gate
