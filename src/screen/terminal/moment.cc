// The common case must be cheap: plain lines, and a frame that is painted from
// top to bottom, are one moment each. So a motion of the cursor ends a moment
// only if it leads back to text that may have been printed since the moment
// began: to the left, upwards, or to a row that is not further down.
//
// The scan parses sequences only as far as necessary to skip them. A mistake
// (for a sequence that began in the previous piece) causes a superfluous check,
// or misses a text that a person could not have read either.
#include "terminal/moment.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

namespace glasstty::terminal {
namespace {

// The alternate screen drops rows that leave it at the top, so a moment there
// contains fewer than this many line feeds. Most screens have at least twice as
// many rows.
constexpr int kLinesUnseen = 8;
// Filling this many cells takes some 5 ms.
constexpr size_t kMostFilledCells = 2 << 20;

// The effect of a sequence on its moment.
enum class Effect {
  kNone,
  kGoesBack,     // it may change text that was printed before
  kBeginsFrame,  // a frame of synchronized output
  kEndsFrame,
};

class Scanner {
 public:
  Scanner(std::string_view bytes, const Modes& modes)
      : bytes_(bytes),
        alternate_(modes.alternate_screen),
        in_frame_(modes.synchronized) {}

  size_t Run() {
    while (at_ < bytes_.size()) {
      size_t begin = at_;
      Effect effect = Step();
      if (effect == Effect::kEndsFrame) return at_;
      bool begins_frame = effect == Effect::kBeginsFrame;
      bool goes_back = effect == Effect::kGoesBack && printed_ && !in_frame_;
      if ((begins_frame || goes_back) && begin > 0) return begin;
      in_frame_ = in_frame_ || begins_frame;
    }
    return bytes_.size();
  }

 private:
  // Skips one control, one sequence or a run of text.
  Effect Step() {
    char c = bytes_[at_++];
    if (c == '\033') return Escape();
    if (c == '\r') return CarriageReturn();
    if (c == '\n') return LineFeed();
    if (c == '\b') return Effect::kGoesBack;
    if (IsText(c)) {
      printed_ = true;
      SkipText();
    }
    return Effect::kNone;
  }

  static bool IsText(char c) {
    return static_cast<unsigned char>(c) >= ' ' && c != '\x7F';
  }

  // This is a tight loop, because nearly all output is text. A general scan
  // character by character would take an eighth of the server's time (measured
  // by the benchmark "rates, log lines, whole").
  void SkipText() {
    while (at_ < bytes_.size() && IsText(bytes_[at_])) ++at_;
  }

  // A return at the end of a line has no effect.
  Effect CarriageReturn() {
    at_ = std::min(bytes_.find_first_not_of('\r', at_), bytes_.size());
    bool line_end = at_ == bytes_.size() || bytes_[at_] == '\n';
    return line_end ? Effect::kNone : Effect::kGoesBack;
  }

  Effect LineFeed() {
    GoDown(1);
    if (!alternate_ || ++lines_ < kLinesUnseen) return Effect::kNone;
    lines_ = 0;
    return Effect::kGoesBack;
  }

  Effect Escape() {
    if (at_ == bytes_.size()) return Effect::kNone;
    switch (bytes_[at_++]) {
      case '[':
        return Control();
      case ']':
      case 'P':
      case 'X':
      case '^':
      case '_':
        return String();
      case '#':  // DECALN fills the screen
        if (at_ == bytes_.size() || bytes_[at_] != '8') return Effect::kNone;
        ++at_;
        return Effect::kGoesBack;
      case 'c':  // RIS
      case 'M':  // RI
      case '8':  // DECRC
        return Effect::kGoesBack;
      default:
        return Effect::kNone;
    }
  }

  // Skips up to BEL or ST; an incomplete string extends to the end of the
  // piece.
  Effect String() {
    at_ = std::min(bytes_.find_first_of("\a\033", at_), bytes_.size());
    if (at_ < bytes_.size() && bytes_[at_] == '\a') ++at_;
    return Effect::kNone;
  }

  Effect Control() {
    size_t begin = at_;
    while (at_ < bytes_.size() && bytes_[at_] < '@') ++at_;
    if (at_ == bytes_.size()) return Effect::kNone;
    std::string parameters(bytes_.substr(begin, at_ - begin));
    return Judge(parameters, bytes_[at_++]);
  }

  // Judges sequences with an intermediate byte, some of which change rectangles
  // or columns.
  static Effect JudgeRegion(char intermediate, char final) {
    constexpr std::string_view kRegions[] = {" @", " A", "$v", "$x",
                                             "$z", "${", "'}", "'~"};
    const char sequence[] = {intermediate, final};
    bool changes = std::ranges::find(kRegions, std::string_view(sequence, 2)) !=
                   std::end(kRegions);
    return changes ? Effect::kGoesBack : Effect::kNone;
  }

  Effect Judge(const std::string& parameters, char final) {
    bool is_private = !parameters.empty() && parameters[0] == '?';
    if (!parameters.empty() && parameters.back() < '0') {
      return JudgeRegion(parameters.back(), final);
    }
    switch (final) {
      case 'H':  // CUP
      case 'f':  // HVP
      case 'd':  // VPA
        return GoToRow(std::atoi(parameters.c_str()));
      case 'B':  // CUD
      case 'E':  // CNL
        return GoDown(std::atoi(parameters.c_str()));
      case 'J':  // ED
      case 'K':  // EL
        // Text of this moment cannot be to the right or below.
        return std::atoi(parameters.c_str() + (is_private ? 1 : 0)) == 0
                   ? Effect::kNone
                   : Effect::kGoesBack;
      case 'A':  // CUU
      case 'D':  // CUB
      case 'F':  // CPL
      case 'G':  // CHA
      case '`':  // HPA
      case 'Z':  // CBT
      case 'L':  // IL
      case 'M':  // DL
      case 'S':  // SU
      case 'T':  // SD
      case '^':  // SD, as ECMA-48 has it
      case 'r':  // DECSTBM homes the cursor
      case 'u':  // SCORC
        return is_private ? Effect::kNone : Effect::kGoesBack;
      case 'h':
      case 'l':
        return is_private ? Mode(parameters, final == 'h') : Effect::kNone;
      default:
        return Effect::kNone;
    }
  }

  Effect GoToRow(int row) {
    bool forward = row_ > 0 && row > row_;
    row_ = std::max(row, 1);
    return forward ? Effect::kNone : Effect::kGoesBack;
  }
  Effect GoDown(int rows) {
    if (row_ > 0) row_ += std::max(rows, 1);
    return Effect::kNone;
  }

  Effect Mode(const std::string& parameters, bool on) {
    if (parameters.find("2026") != std::string::npos) {
      return on ? Effect::kBeginsFrame : Effect::kEndsFrame;
    }
    // 47, 1047 and 1049 switch screens; 1048 restores the cursor.
    return parameters.find("47") != std::string::npos ||
                   parameters.find("104") != std::string::npos
               ? Effect::kGoesBack
               : Effect::kNone;
  }

  const std::string_view bytes_;
  const bool alternate_;
  size_t at_ = 0;
  bool printed_ = false;  // this moment has printed something
  int lines_ = 0;
  bool in_frame_;  // inside a frame, nothing is checked
  int row_ = 0;    // the cursor's row; 0 if unknown
};

// Returns the length of the sequence at the beginning of `bytes` if it may
// change all cells of the screen (DECALN and the sequences for rectangles);
// otherwise 0.
size_t FillLength(std::string_view bytes) {
  if (bytes.starts_with("\033#8")) return 3;
  if (!bytes.starts_with("\033[")) return 0;
  size_t end = bytes.find_first_not_of("0123456789;:", 2);
  bool is_whole = end < bytes.size() && end + 1 < bytes.size();
  return is_whole && bytes[end] == '$' ? end + 2 : 0;
}

}  // namespace

size_t MomentLength(std::string_view bytes, const Modes& modes) {
  return Scanner(bytes, modes).Run();
}

// Uses memmem(3), because string_view::find stops at every '2' of a coloured
// screen (measured by the benchmark "rates, colours, whole").
size_t FrameLength(std::string_view bytes) {
  // The end is "\e[?2026l", possibly in a list of modes: "\e[?25;2026l".
  constexpr std::string_view kEnd = "2026l";
  const void* end =
      memmem(bytes.data(), bytes.size(), kEnd.data(), kEnd.size());
  if (end == nullptr) return bytes.size();
  auto before = static_cast<const char*>(end) - bytes.data();
  return static_cast<size_t>(before) + kEnd.size();
}

size_t AffordableLength(std::string_view bytes, Size size) {
  auto cells = static_cast<size_t>(size.rows) * static_cast<size_t>(size.cols);
  size_t left = std::max<size_t>(kMostFilledCells / cells, 1);
  // Few bytes have few sequences, so they need no search.
  constexpr size_t kShortestFill = 3;
  if (bytes.size() / kShortestFill <= left) return bytes.size();
  // Neither DECALN nor an operation on a rectangle.
  bool has_none = bytes.find('$') == std::string_view::npos &&
                  bytes.find("\033#8") == std::string_view::npos;
  if (has_none) return bytes.size();
  size_t at = 0;
  while ((at = bytes.find('\033', at)) != std::string_view::npos) {
    size_t fill = FillLength(bytes.substr(at));
    at += std::max<size_t>(fill, 1);
    if (fill > 0 && --left == 0) return at;
  }
  return bytes.size();
}

}  // namespace glasstty::terminal
