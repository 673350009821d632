#include "motion/shape.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "base/utf8.h"
#include "motion/letters.h"
#include "motion/units.h"

namespace glasstty::motion {
namespace {

enum class Sign { kText, kBlank, kBar, kSpinner };

// Units of sizes, rates and times that may follow a number.
constexpr std::string_view kUnits[] = {
    "B",    "kB",    "KB",      "MB",      "GB",  "TB",  "KiB", "MiB",
    "GiB",  "TiB",   "K",       "M",       "G",   "T",   "k",   "bytes",
    "it",   "s",     "ms",      "sec",     "min", "h",   "m",   "secs",
    "mins", "hours", "minutes", "seconds", "d",   "day", "days"};
constexpr std::string_view kDateWords[] = {
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov",
    "Dec", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "AM",  "PM"};

// Words of meters that say nothing about what they measure.
constexpr std::string_view kMeterWords[] = {
    "ETA", "eta", "left", "remaining", "elapsed", "at", "of", "in", "done"};
// Signs that point at something.
constexpr std::string_view kPointers[] = {">", "\u2192", "\u203A", "\u276F",
                                          "\u25B6"};

bool IsBarByte(char c) {
  return c == '#' || c == '=' || c == '-' || c == '>' || c == '*' || c == '.' ||
         c == '|' || c == '_';
}

// Classifies characters other than ASCII.
Sign SignOf(char32_t c) {
  if (c >= 0x2800 && c <= 0x28FF) return Sign::kSpinner;  // braille
  if (c >= 0x25D0 && c <= 0x25E1) return Sign::kSpinner;  // half circles
  if (c >= 0x2580 && c <= 0x259F) return Sign::kBar;      // blocks
  if (c >= 0x2500 && c <= 0x257F) return Sign::kBar;      // lines
  if (c == 0x25A0 || c == 0x25A1 || c == 0x25B0 || c == 0x25B1) {
    return Sign::kBar;
  }
  return c == 0xA0 ? Sign::kBlank : Sign::kText;
}

class Shaper {
 public:
  Shaper(std::string_view text, Ignore ignore) : text_(text), ignore_(ignore) {
    out_.reserve(text.size());
  }

  std::string Run() {
    while (at_ < text_.size()) Step();
    while (!out_.empty() && out_.back() == ' ') out_.pop_back();
    return std::move(out_);
  }

 private:
  char At(size_t at) const { return at < text_.size() ? text_[at] : '\0'; }

  void Step() {
    char c = text_[at_];
    if (c == ' ' || c == '\t') return PutBlank(1);
    if (IsDigit(c)) return TakeNumber();
    if (IsAlnum(c)) return TakeWord();
    auto [sign, bytes] = SignAt(at_);
    if (sign == Sign::kBar && TakeBar()) return;
    if (sign == Sign::kBlank) return PutBlank(bytes);
    if (sign == Sign::kSpinner || IsSpinnerWord()) return PutOnce('~', bytes);
    out_ += text_.substr(at_, bytes);
    at_ += bytes;
  }

  // Leading blanks are dropped, because they only align numbers.
  void PutBlank(size_t bytes) {
    at_ += bytes;
    if (!out_.empty() && out_.back() != ' ') out_ += ' ';
  }
  void PutOnce(char mark, size_t bytes) {
    at_ += bytes;
    if (!out_.empty() && out_.back() == mark) return;
    if (mark == '#' && out_.ends_with("# ")) return out_.pop_back();
    // "[ 5%]" and "[15%]" have the same shape.
    bool is_aligned = mark == '#' && out_.size() > 1 && out_.back() == ' ' &&
                      !IsAlnum(out_[out_.size() - 2]);
    if (is_aligned) out_.pop_back();
    out_ += mark;
  }

  struct Glyph {
    Sign sign;
    size_t bytes;
  };
  Glyph SignAt(size_t at) const {
    char c = text_[at];
    if (!IsHigh(c)) {
      return {IsBarByte(c) ? Sign::kBar : Sign::kText, 1};
    }
    std::string_view rest = text_.substr(at);
    char32_t code_point = TakeUtf8(&rest);
    return {SignOf(code_point), text_.size() - at - rest.size()};
  }

  // Takes a bar: at least three characters of bars, perhaps with blanks between
  // them. Fewer characters are text, unless they are blocks or lines.
  bool TakeBar() {
    size_t end = at_, next = at_;
    bool in_brackets = at_ > 0 && text_[at_ - 1] == '[';
    bool has_wide = false;
    while (next < text_.size()) {
      char c = text_[next];
      if (c == ' ') {
        ++next;
        continue;
      }
      if (in_brackets && c == ']') end = next;
      auto [sign, bytes] = SignAt(next);
      if (sign != Sign::kBar) break;
      has_wide = has_wide || bytes > 1;
      next += bytes;
      end = next;
    }
    if (!has_wide && end < at_ + 3) return false;
    PutOnce('=', end - at_);
    return true;
  }

  // Returns true for one of | / - \ between blanks or brackets.
  bool IsSpinnerWord() const {
    char c = text_[at_];
    if (c != '|' && c != '/' && c != '-' && c != '\\') return false;
    bool begins = at_ == 0 || text_[at_ - 1] == ' ' || text_[at_ - 1] == '[';
    bool ends = at_ + 1 == text_.size() || text_[at_ + 1] == ' ' ||
                text_[at_ + 1] == ']';
    return begins && ends;
  }

  // Takes a number with the characters attached to it: "1,204", "12:30:01.5",
  // "9.8MB", "7f9c".
  void TakeNumber() {
    size_t end = at_;
    bool is_time = false;
    while (end < text_.size()) {
      char c = text_[end];
      bool joins = (c == '.' || c == ',' || c == ':') &&
                   end + 1 < text_.size() && IsDigit(text_[end + 1]);
      if (!IsAlnum(c) && !joins) break;
      is_time = is_time || c == ':';
      ++end;
    }
    std::string_view number = text_.substr(at_, end - at_);
    size_t letters = number.find_first_not_of("0123456789.,:");
    std::string_view unit =
        letters == std::string_view::npos ? "" : number.substr(letters);
    std::string_view word = UnitBehind(end);
    is_time = is_time || Holds(kTimeUnits, unit) || Holds(kTimeUnits, word) ||
              IsDuration(number);
    size_t behind =
        word.empty() ? end : static_cast<size_t>(word.end() - text_.begin());
    bool is_rate = At(behind) == '/' && At(behind + 1) == 's';
    if (ignore_ == Ignore::kTimes && !is_time && !is_rate) {
      out_ += number;
      at_ = end;
      return;
    }
    PutOnce('#', end - at_);
    if (!word.empty()) at_ = static_cast<size_t>(word.end() - text_.begin());
    if (At(at_) == '/' && At(at_ + 1) == 's' && !IsAlnum(At(at_ + 2))) at_ += 2;
  }

  // Returns true for "1m30s" or "2h05m".
  static bool IsDuration(std::string_view number) {
    return number.size() > 2 &&
           number.find_first_not_of("0123456789.hms") == std::string::npos &&
           !IsDigit(number.back());
  }

  // Returns the unit that follows a number after a blank, or "".
  std::string_view UnitBehind(size_t end) const {
    if (end >= text_.size() || text_[end] != ' ') return "";
    size_t stop = end + 1;
    while (stop < text_.size() && IsAlnum(text_[stop])) ++stop;
    std::string_view word = text_.substr(end + 1, stop - end - 1);
    return Holds(kUnits, word) ? word : "";
  }

  // Takes the letters of a word. The rest, from the first digit on, becomes
  // '#'.
  void TakeWord() {
    size_t end = at_;
    while (end < text_.size() && IsAlnum(text_[end]) && !IsDigit(text_[end])) {
      ++end;
    }
    std::string_view word = text_.substr(at_, end - at_);
    if (ignore_ == Ignore::kNames) {
      if (size_t name = NameEnd(); name > 0) return TakeName(name);
    }
    bool is_date = word.size() <= 3 && Holds(kDateWords, word);
    if (is_date) return PutOnce('#', word.size());
    if (size_t id = IdBytes(); id > 0) return PutOnce('#', id);
    out_ += word;
    at_ = end;
  }

  // Returns the length of a commit or digest at at_: at least seven hexadecimal
  // digits, both letters and numerals; or 0.
  size_t IdBytes() const {
    size_t end = at_;
    bool has_digit = false;
    for (; IsHexDigit(At(end)); ++end) {
      has_digit = has_digit || IsDigit(text_[end]);
    }
    return has_digit && end >= at_ + 7 && !IsAlnum(At(end)) ? end - at_ : 0;
  }

  // Returns the end of the path or file name at at_, or 0. If there is none at
  // at_, there is none at a later word of the same characters either.
  size_t NameEnd() {
    if (at_ < no_name_before_) return 0;
    size_t end = at_;
    size_t slashes = 0, dots = 0;
    for (; end < text_.size(); ++end) {
      char c = text_[end];
      bool joins = IsAlnum(c) || c == '_' || c == '-' || c == '+' || c == '@' ||
                   c == '~' || IsHigh(c);
      if (c == '/') ++slashes;
      if (c == '.' && IsLetter(At(end + 1))) ++dots;
      if (!joins && c != '/' && c != '.') break;
    }
    const size_t stop = end;
    while (end > at_ && text_[end - 1] == '.') --end;
    bool is_name = (slashes > 0 || dots > 0) && end > at_ + 2;
    if (is_name) return end;
    no_name_before_ = stop;
    return 0;
  }
  void TakeName(size_t end) {
    at_ = end;
    if (out_.ends_with('/')) return;
    out_ += '/';
  }

  const std::string_view text_;
  const Ignore ignore_;
  size_t at_ = 0;
  size_t no_name_before_ = 0;  // the end of the last failed scan for a name
  std::string out_;
};

}  // namespace

std::string ShapeOf(std::string_view text, Ignore ignore) {
  return Shaper(text, ignore).Run();
}

std::string HeadOf(std::string_view text) {
  std::string shape = ShapeOf(Utf8Prefix(text, kTellingBytes), Ignore::kNames);
  for (auto at = shape.begin(); at != shape.end();) {
    auto begin = std::find_if(at, shape.end(), IsLetter);
    at = std::find_if_not(begin, shape.end(), IsLetter);
    std::string head(begin, at);
    if (!Holds(kMeterWords, head) && !Holds(kUnits, head)) return head;
  }
  return "";
}

bool IsPointer(std::string_view text) {
  size_t at = text.find_first_not_of(' ');
  if (at == std::string_view::npos) return false;
  text.remove_prefix(at);
  return std::any_of(std::begin(kPointers), std::end(kPointers),
                     [&text](std::string_view sign) {
                       return text.starts_with(sign) &&
                              text.size() > sign.size() + 1 &&
                              text[sign.size()] == ' ';
                     });
}

}  // namespace glasstty::motion
