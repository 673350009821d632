#include "stream_generator.h"

#include <array>
#include <iterator>

#include "absl/strings/str_format.h"
#include "base/utf8.h"

namespace glasstty::terminal {
namespace {

using Kind = StreamGenerator::Kind;

constexpr unsigned Bit(Kind kind) { return static_cast<unsigned>(kind); }

constexpr unsigned kLines = Bit(Kind::kLines) | Bit(Kind::kAll);
constexpr unsigned kModes = Bit(Kind::kModes) | Bit(Kind::kAll);
constexpr unsigned kMargins = Bit(Kind::kMargins) | Bit(Kind::kAll);
constexpr unsigned kWide = Bit(Kind::kWide) | Bit(Kind::kAll);
constexpr unsigned kColours = Bit(Kind::kColours) | Bit(Kind::kAll);
constexpr unsigned kOnlyAll = Bit(Kind::kAll);
// Every stream for xterm may contain these.
constexpr unsigned kBasic =
    Bit(Kind::kBasic) | kModes | kMargins | kWide | kColours;
// These kinds also include what libvterm does in the same way.
constexpr unsigned kBoth = kBasic | Bit(Kind::kLibvterm);

// Placeholders: n is a count, y a row, x a column, v and h are margins, e is
// what to erase, r a rectangle, k a copy of one, t text, l a short text, w wide
// and narrow glyphs, m a combining mark, s attributes, c a character's number.
struct Sequence {
  unsigned kinds;
  int weight;
  std::string_view pattern;
};

constexpr Sequence kRows[] = {
    {kBoth, 24, "%t"},
    {kBoth | kLines, 8, "%l"},
    {kBoth | kLines, 6, "\r\n"},
    {kLines, 4, "%w"},
    {kBoth, 3, "\r"},
    {kBoth | kLines, 3, "\n"},
    {kBoth, 3, "\b"},
    {kBoth, 4, "\t"},
    {kBasic, 1, "\v"},
    // Motion.
    {kBasic, 3, "\x1b[%nA"},
    {kBasic, 3, "\x1b[%nB"},
    {kBoth, 3, "\x1b[%nC"},
    {kBoth, 3, "\x1b[%nD"},
    {kBasic, 2, "\x1b[%nE"},
    {kBasic, 2, "\x1b[%nF"},
    {kBoth, 2, "\x1b[%xG"},
    {kBoth, 6, "\x1b[%y;%xH"},
    {kBoth, 1, "\x1b[%y;%xf"},
    {kBoth, 1, "\x1b[%yH"},
    {kBoth, 1, "\x1b[H"},
    {kBoth, 1, "\x1b[%x`"},
    {kBoth, 1, "\x1b[%na"},
    {kBoth, 2, "\x1b[%yd"},
    {kBoth, 1, "\x1b[%ne"},
    // Tabs.
    {kBasic, 2, "\x1b[%nI"},
    {kBasic, 2, "\x1b[%nZ"},
    {kBoth, 2, "\x1bH"},
    {kBoth, 1, "\x1b[g"},
    {kBoth, 1, "\x1b[3g"},
    // Erasing.
    {kBasic, 4, "\x1b[%eJ"},
    {kBasic, 4, "\x1b[%eK"},
    {kBasic, 3, "\x1b[%nX"},
    // Inserting, deleting, scrolling.
    {kBoth, 3, "\x1b[%n@"},
    {kBoth, 3, "\x1b[%nP"},
    {kBasic, 3, "\x1b[%nL"},
    {kBasic, 3, "\x1b[%nM"},
    {kBasic, 2, "\x1b[%nS"},
    {kBasic, 2, "\x1b[%nT"},
    {kBasic, 3, "\x1b[%vr"},
    {kBasic, 1, "\x1b[r"},
    {kBasic, 2,
     "\x1b"
     "D"},
    {kBasic, 2,
     "\x1b"
     "E"},
    {kBasic, 3, "\x1bM"},
    {kBasic, 2,
     "\x1b"
     "7"},
    {kBasic, 2,
     "\x1b"
     "8"},
    {kBasic, 2, "%l\x1b[%nb"},
    {kBasic, 1, "\x1b[%nb"},
    {kBasic, 1, "\x1b#8"},
    // Modes.
    {kModes, 3, "\x1b[?7l"},
    {kModes, 2, "\x1b[?7h"},
    {kModes, 3, "\x1b[?6h"},
    {kModes, 2, "\x1b[?6l"},
    {kModes, 3, "\x1b[4h"},
    {kModes, 2, "\x1b[4l"},
    {kModes, 2, "\x1b[20h"},
    {kModes, 1, "\x1b[20l"},
    {kModes, 3, "\x1b[?45h"},
    {kModes, 1, "\x1b[?45l"},
    {kModes, 2, "\x1b[?1049h"},
    {kModes, 2, "\x1b[?1049l"},
    {kModes, 2, "\x1b[?1047h"},
    {kModes, 2, "\x1b[?1047l"},
    {kModes, 2, "\x1b[?47h"},
    {kModes, 2, "\x1b[?47l"},
    {kModes, 1, "\x1b[?1048h"},
    {kModes, 1, "\x1b[?1048l"},
    {kModes, 1, "\x1b[?25l"},
    {kModes, 2, "\x1b[!p"},
    {kModes, 1,
     "\x1b"
     "c"},
    {kModes, 1, "\x1b[s"},
    {kModes, 1, "\x1b[u"},
    {kModes, 1, "\x1b(0"},
    {kModes, 2, "\x1b(B"},
    {kModes, 1, "\x1b)0"},
    {kModes, 1, "\x0e"},
    {kModes, 2, "\x0f"},
    // Side margins, columns, rectangles.
    {kMargins, 8, "\x1b[?69h\x1b[%hs"},
    {kMargins, 2, "\x1b[?69h"},
    {kMargins, 2, "\x1b[?69l"},
    {kMargins, 2, "\x1b[%hs"},
    {kMargins, 2, "\x1b[%n @"},
    {kMargins, 2, "\x1b[%n A"},
    {kMargins, 2, "\x1b[%n'}"},
    {kMargins, 2, "\x1b[%n'~"},
    {kMargins, 1,
     "\x1b"
     "6"},
    {kMargins, 1,
     "\x1b"
     "9"},
    {kMargins, 2, "\x1b[%c;%r$x"},
    {kMargins, 2, "\x1b[%r$z"},
    {kMargins, 2, "\x1b[%k$v"},
    {kMargins, 2, "\x1b[%r${"},
    {kMargins, 1, "\x1b[?6h"},
    {kMargins, 1, "\x1b[?6l"},
    // Wide glyphs and marks.
    {kWide, 10, "%w"},
    {kWide, 3, "%m"},
    {kWide, 3, "%l%m"},
    {kWide, 3, "%w%m"},
    // Protection and attributes.
    {kOnlyAll, 2, "\x1b[1\"q"},
    {kOnlyAll, 2, "\x1b[0\"q"},
    {kOnlyAll, 2, "\x1b[?%eJ"},
    {kOnlyAll, 2, "\x1b[?%eK"},
    {kColours, 8, "\x1b[%sm"},
    {kColours, 3, "\x1b[m"},
};

}  // namespace

std::optional<Kind> StreamGenerator::KindNamed(std::string_view name) {
  struct Named {
    std::string_view name;
    Kind kind;
  };
  constexpr Named kNames[] = {
      {"basic", Kind::kBasic},       {"modes", Kind::kModes},
      {"margins", Kind::kMargins},   {"wide", Kind::kWide},
      {"colours", Kind::kColours},   {"all", Kind::kAll},
      {"libvterm", Kind::kLibvterm}, {"lines", Kind::kLines},
  };
  for (const Named& named : kNames) {
    if (named.name == name) return named.kind;
  }
  return std::nullopt;
}

StreamGenerator::StreamGenerator(uint64_t seed, Kind kind, Size size)
    : random_(seed), kind_(kind), size_(size) {
  for (const Sequence& row : kRows) {
    if ((row.kinds & Bit(kind)) != 0) total_weight_ += row.weight;
  }
}

std::vector<std::string> StreamGenerator::Items(int count) {
  std::vector<std::string> items;
  items.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) items.push_back(Item());
  return items;
}

std::string StreamGenerator::Stream(int count) {
  std::string out;
  for (const std::string& item : Items(count)) out += item;
  return out;
}

int StreamGenerator::Pick(int limit) {
  return static_cast<int>(random_() % static_cast<uint64_t>(limit));
}

std::string StreamGenerator::Item() {
  int left = Pick(total_weight_);
  const Sequence* row = kRows;
  for (;; ++row) {
    if ((row->kinds & Bit(kind_)) == 0) continue;
    left -= row->weight;
    if (left < 0) break;
  }
  std::string out;
  for (size_t i = 0; i < row->pattern.size(); ++i) {
    if (row->pattern[i] == '%') {
      out += Fill(row->pattern[++i]);
    } else {
      out += row->pattern[i];
    }
  }
  return out;
}

std::string StreamGenerator::Fill(char placeholder) {
  static constexpr std::string_view kCounts[] = {"",  "0", "1", "2",
                                                 "3", "7", "30"};
  static constexpr std::string_view kErased[] = {"", "0", "1", "2"};
  static constexpr std::string_view kMarks[] = {"\u0301", "\u0308", "\u0323"};
  static constexpr std::string_view kStyles[] = {
      "1",       "2",        "3",        "4",      "5",
      "7",       "9",        "21",       "22",     "23",
      "24",      "25",       "27",       "29",     "31",
      "39",      "44",       "49",       "93",     "102",
      "1;33;45", "38;5;123", "48;5;200", "38:5:9", "48;2;10;20;30",
      "0;7"};
  static constexpr std::u32string_view kNarrow = U"abcdefghijklmnop";
  static constexpr std::u32string_view kWide =
      U"\u65e5\u672c\u8a9e\u6f22\u5b57\u00e9\u00f1";
  switch (placeholder) {
    case 'n':
      return std::string(OneOf(kCounts));
    case 'e':
      return std::string(OneOf(kErased));
    case 'm':
      return std::string(OneOf(kMarks));
    case 's':
      return std::string(OneOf(kStyles));
    case 'c':
      return std::to_string(Pick(8) == 0 ? Pick(300) : 33 + Pick(94));
    case 'y':
      return std::to_string(Pick(size_.rows + 3));
    case 'x':
      return std::to_string(Pick(size_.cols + 3));
    case 'v':
      return Pair(size_.rows);
    case 'h':
      return Pair(size_.cols);
    case 'r':
      return Rectangle();
    case 'k':
      return Copy();
    case 'w':
      return Text(kWide);
    case 'l':
      return Text(kNarrow).substr(0, 4);
    default:
      return Text(kNarrow);
  }
}

// Wraps go wrong at lengths around those of a row.
std::string StreamGenerator::Text(std::u32string_view glyphs) {
  const int lengths[] = {1,
                         2,
                         3,
                         5,
                         size_.cols / 2,
                         size_.cols - 1,
                         size_.cols,
                         size_.cols + 1,
                         2 * size_.cols + 1};
  std::string out;
  for (int i = OneOf(lengths); i > 0; --i) AppendUtf8(OneOf(glyphs), &out);
  return out;
}

// Returns mostly a valid range.
std::string StreamGenerator::Pair(int size) {
  int first = Pick(size);
  return absl::StrFormat("%d;%d", first, first + Pick(size + 2 - first));
}

// Stays on the screen: if a copy does not fit, xterm writes beyond the ends of
// its rows and cannot judge what comes after.
std::string StreamGenerator::Copy() {
  int rows = 1 + Pick(size_.rows);
  int cols = 1 + Pick(size_.cols);
  auto place = [this](int all, int part) { return 1 + Pick(all - part + 1); };
  int top = place(size_.rows, rows);
  int left = place(size_.cols, cols);
  int to_top = place(size_.rows, rows);
  int to_left = place(size_.cols, cols);
  return absl::StrFormat("%d;%d;%d;%d;1;%d;%d;1", top, left, top + rows - 1,
                         left + cols - 1, to_top, to_left);
}

std::string StreamGenerator::Rectangle() {
  int top = Pick(size_.rows);
  int left = Pick(size_.cols);
  if (Pick(8) == 0) return absl::StrFormat("%d;%d", top, left);
  return absl::StrFormat("%d;%d;%d;%d", top, left,
                         top + Pick(size_.rows + 2 - top),
                         left + Pick(size_.cols + 2 - left));
}

}  // namespace glasstty::terminal
