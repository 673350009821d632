// A simplified version of the state machine by Paul Flo Williams: all strings
// share one state, C1 controls have none, and bytes above 0x7F outside of
// strings are always text. Inner loops consume the bytes inside a string or a
// sequence, so the outer loop runs only a few times for each token.
#include "terminal/parser.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

namespace glasstty::terminal {
namespace {

constexpr uint8_t kBel = 0x07;
constexpr uint8_t kCan = 0x18;
constexpr uint8_t kSub = 0x1A;
constexpr uint8_t kEsc = 0x1B;
constexpr uint8_t kDel = 0x7F;
constexpr size_t kStringKept = 4096;

constexpr bool IsPrintable(uint8_t c) { return c >= 0x20 && c < kDel; }
constexpr bool IsFinal(uint8_t c) { return c >= 0x40 && c < kDel; }
constexpr bool IsCancel(uint8_t c) {
  return c == kEsc || c == kCan || c == kSub;
}

// Returns the length of the printable ASCII at the front. Tests eight bytes at
// a time as one number (measured by terminal_bench, feed/long). High bits mark
// the other bytes: those above 0x7F have the bit, the subtraction sets it for
// those below 0x20, and the addition for DEL. The first byte that is found is
// always right, because no carry from a lower byte reaches it.
size_t PrintableLength(std::string_view bytes) {
  constexpr uint64_t kEach = ~uint64_t{0} / 0xFF;  // 0x0101...
  size_t n = 0;
  for (uint64_t eight; n + sizeof eight <= bytes.size(); n += sizeof eight) {
    std::memcpy(&eight, bytes.data() + n, sizeof eight);
    uint64_t others = eight | (eight - kEach * 0x20) | (eight + kEach);
    others &= kEach * 0x80;
    static_assert(std::endian::native == std::endian::little);
    if (others != 0) return n + std::countr_zero(others) / 8;
  }
  while (n < bytes.size() && IsPrintable(static_cast<uint8_t>(bytes[n]))) ++n;
  return n;
}

// Replaces C1 code points by U+FFFD. This is done right after decoding, so no
// token of text contains one.
char32_t WithoutC1(char32_t c) {
  return c >= 0x80 && c < 0xA0 ? kReplacement : c;
}

// Decodes a complete and well-formed code point of two or three bytes at the
// front, and returns its length. Returns 0 for everything else, and if fewer
// than three bytes are left: the decoder then handles the bytes. This avoids
// the decoder's state machine for nearly all text that is not ASCII (measured
// by terminal_bench, feed/wide).
size_t WholeGlyph(std::string_view bytes, char32_t* c) {
  auto at = [bytes](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  auto is_next = [&at](size_t i) { return (at(i) & 0xC0) == 0x80; };
  if (bytes.size() < 3 || !is_next(1)) return 0;
  if (at(0) >= 0xC2 && at(0) < 0xE0) {
    *c = WithoutC1((at(0) & 0x1Fu) << 6 | (at(1) & 0x3Fu));
    return 2;
  }
  if ((at(0) & 0xF0) != 0xE0 || !is_next(2)) return 0;
  *c = (at(0) & 0x0Fu) << 12 | (at(1) & 0x3Fu) << 6 | (at(2) & 0x3Fu);
  return *c < 0x800 || (*c >= 0xD800 && *c < 0xE000) ? 0 : 3;
}

// Completes a token and returns true.
bool Make(Token::Kind kind, uint8_t byte, Token* token) {
  token->kind = kind;
  token->byte = byte;
  return true;
}

// Does what remove_prefix does, which checks `n` and is therefore not inlined
// everywhere (terminal_bench, feed: 5 %). REQUIRES: n <= bytes->size().
inline void Skip(size_t n, std::string_view* bytes) {
  *bytes = {bytes->data() + n, bytes->size() - n};
}

}  // namespace

bool Parser::Next(std::string_view* bytes, Token* token) {
  while (!bytes->empty()) {
    auto byte = static_cast<uint8_t>(bytes->front());
    if (decoder_.pending()) {
      if (Glyphs(bytes, token)) return true;
    } else if (byte == kEsc && TakeWholeCsi(bytes)) {
      return Make(Token::Kind::kCsi, 0, token);
    } else if (IsCancel(byte)) {
      Skip(1, bytes);
      if (Cancel(byte, token)) return true;
    } else if (Step(byte, bytes, token)) {
      return true;
    }
  }
  return false;
}

// Consumes bytes, of which `byte` is the first, in the current state. The
// ground state is by far the most common one, so it is checked first.
bool Parser::Step(uint8_t byte, std::string_view* bytes, Token* token) {
  if (state_ == State::kGround) return Ground(bytes, token);
  switch (state_) {
    case State::kGround:
      break;
    case State::kEscape:
    case State::kStringEscape:
      return Escape(byte, bytes, token);
    case State::kCsi:
    case State::kCsiSkip:
      return ControlSequence(bytes, token);
    case State::kString:
      return String(bytes, token);
  }
  return false;
}

// Parses a complete control sequence at the front in one loop, if it has no
// intermediates and nothing unusual; the states handle all others. Nearly every
// sequence takes this path, which costs half as much (measured by
// terminal_bench, feed/colours).
bool Parser::TakeWholeCsi(std::string_view* bytes) {
  const char* at = bytes->data() + 1;
  const char* const end = bytes->data() + bytes->size();
  if (state_ != State::kGround || end - at < 2 || *at++ != '[') return false;
  csi_.Clear();
  if (*at >= '<' && *at <= '?') csi_.leader = *at++;
  int count = 0;
  int value = -1;
  for (; at < end; ++at) {
    if (*at >= '0' && *at <= '9') {
      value = std::min(std::max(value, 0) * 10 + (*at - '0'), Csi::kMaxValue);
    } else if ((*at == ';' || *at == ':') && count < Csi::kMaxParams - 1) {
      if (*at == ':') csi_.joined |= 1u << count;
      csi_.values[count++] = static_cast<int16_t>(std::exchange(value, -1));
    } else {
      break;
    }
  }
  // char is unsigned on some machines.
  if (at == end || !IsFinal(static_cast<uint8_t>(*at))) return false;
  if (count > 0 || value >= 0) {
    csi_.values[count++] = static_cast<int16_t>(value);
  }
  csi_.count = static_cast<uint8_t>(count);
  csi_.final = *at++;
  Skip(static_cast<size_t>(at - bytes->data()), bytes);
  return true;
}

// ESC, CAN and SUB end any token that has begun.
bool Parser::Cancel(uint8_t byte, Token* token) {
  State before = state_;
  if (byte == kEsc && before == State::kString) {
    state_ = State::kStringEscape;
    return false;
  }
  state_ = byte == kEsc ? State::kEscape : State::kGround;
  intermediates_.clear();
  switch (before) {
    case State::kGround:
      return false;
    case State::kEscape:
    case State::kCsi:
    case State::kCsiSkip:
      return Make(Token::Kind::kDroppedSequence, 0, token);
    case State::kString:
    case State::kStringEscape:
      return Make(Token::Kind::kDroppedString, 0, token);
  }
  return false;
}

// Runs of ASCII are returned in place, without a copy.
bool Parser::Ground(std::string_view* bytes, Token* token) {
  auto byte = static_cast<uint8_t>(bytes->front());
  if (byte >= 0x80) return Glyphs(bytes, token);
  if (!IsPrintable(byte)) {
    Skip(1, bytes);
    return byte != kDel && Make(Token::Kind::kControl, byte, token);
  }
  token->text = {bytes->data(), PrintableLength(*bytes)};
  Skip(token->text.size(), bytes);
  return Make(Token::Kind::kText, 0, token);
}

// Returns decoded code points together with the ASCII between them. Runs let
// the grid handle edges once for each run instead of for each glyph (measured
// by terminal_bench, feed/wide).
bool Parser::Glyphs(std::string_view* bytes, Token* token) {
  size_t count = decoder_.pending() ? 0 : WholeGlyphs(bytes, 0);
  if (count == 0) {
    if (!Glyph(bytes, &run_[0])) return false;
    count = WholeGlyphs(bytes, 1);
  }
  token->glyphs = {run_.data(), count};
  return Make(Token::Kind::kGlyphs, 0, token);
}

// Appends the complete code points at the front of `bytes` to run_, whose
// length so far is `count`. Returns the new length.
size_t Parser::WholeGlyphs(std::string_view* bytes, size_t count) {
  std::string_view rest = *bytes;
  while (count < run_.size() && !rest.empty()) {
    auto byte = static_cast<uint8_t>(rest.front());
    char32_t c = byte;
    size_t n = IsPrintable(byte) ? 1 : WholeGlyph(rest, &c);
    if (n == 0) break;
    run_[count++] = c;
    rest.remove_prefix(n);
  }
  *bytes = rest;
  return count;
}

// Decodes a code point that may have begun in an earlier piece of the stream,
// or be ill-formed.
bool Parser::Glyph(std::string_view* bytes, char32_t* glyph) {
  auto step = Utf8Decoder::Step::kMore;
  while (step == Utf8Decoder::Step::kMore) {
    if (bytes->empty()) return false;
    step = decoder_.Feed(static_cast<uint8_t>(bytes->front()), glyph);
    if (step != Utf8Decoder::Step::kBadRetry) bytes->remove_prefix(1);
  }
  *glyph = WithoutC1(*glyph);
  return true;
}

// Strings and control sequences also begin here. Intermediates beyond the
// fourth are dropped, because such an escape is on no list anyway.
bool Parser::Escape(uint8_t byte, std::string_view* bytes, Token* token) {
  if (state_ == State::kStringEscape) {
    if (byte == '\\') {
      bytes->remove_prefix(1);
      return EndString(false, token);
    }
    // The ESC began another token, so handle the byte again.
    state_ = State::kEscape;
    intermediates_.clear();
    return Make(Token::Kind::kDroppedString, 0, token);
  }
  if (byte >= 0x80) {  // text, which the ground state handles
    state_ = State::kGround;
    return Make(Token::Kind::kDroppedSequence, 0, token);
  }
  bytes->remove_prefix(1);
  if (byte < 0x20) return Make(Token::Kind::kControl, byte, token);
  if (byte == kDel) return false;
  if (byte < 0x30) {
    if (intermediates_.size() < kMaxIntermediates) intermediates_ += byte;
    return false;
  }
  if (byte == '[' && intermediates_.empty()) {
    csi_.Clear();
    state_ = State::kCsi;
    return false;
  }
  constexpr std::string_view kStrings = "]P_^X";
  if (intermediates_.empty() && kStrings.find(byte) != std::string_view::npos) {
    string_kind_ = static_cast<char>(byte);
    string_.clear();
    string_size_ = 0;
    state_ = State::kString;
    return false;
  }
  state_ = State::kGround;
  token->text = intermediates_;
  return Make(Token::Kind::kEscape, byte, token);
}

// A C0 control inside a sequence is executed at once, and the sequence
// continues after it, as in the VT terminals. ESC, CAN and SUB end the
// sequence.
bool Parser::ControlSequence(std::string_view* bytes, Token* token) {
  while (!bytes->empty()) {
    auto byte = static_cast<uint8_t>(bytes->front());
    if (IsCancel(byte)) return false;
    if (byte >= 0x80) {  // text, which the ground state handles
      state_ = State::kGround;
      return Make(Token::Kind::kDroppedSequence, 0, token);
    }
    Skip(1, bytes);
    if (byte < 0x20) return Make(Token::Kind::kControl, byte, token);
    if (byte == kDel) continue;
    if (byte >= 0x40) {
      bool skip = state_ == State::kCsiSkip;
      state_ = State::kGround;
      csi_.final = static_cast<char>(byte);
      return Make(skip ? Token::Kind::kDroppedSequence : Token::Kind::kCsi, 0,
                  token);
    }
    if (state_ == State::kCsi) CollectCsi(byte);
    if (byte >= '0' && byte <= '9') TakeDigits(bytes);
  }
  return false;
}

// Consumes the digits after the first one of a number. Only the first digit
// needs all checks, so this saves several calls per byte (measured by
// terminal_bench, feed/colours).
void Parser::TakeDigits(std::string_view* bytes) {
  bool counts = state_ == State::kCsi && !csi_.overflow;
  int value = counts ? csi_.values[csi_.count - 1] : 0;
  size_t n = 0;
  for (; n < bytes->size() && (*bytes)[n] >= '0' && (*bytes)[n] <= '9'; ++n) {
    value = std::min(value * 10 + ((*bytes)[n] - '0'), Csi::kMaxValue);
  }
  if (counts) csi_.values[csi_.count - 1] = static_cast<int16_t>(value);
  Skip(n, bytes);
}

void Parser::CollectCsi(uint8_t byte) {
  if (byte < 0x30) {
    if (csi_.intermediate != 0) state_ = State::kCsiSkip;
    csi_.intermediate = static_cast<char>(byte);
  } else if (byte < 0x3C) {
    Parameter(byte);
  } else if (csi_.count == 0 && csi_.leader == 0 && csi_.intermediate == 0) {
    csi_.leader = static_cast<char>(byte);
  } else {
    state_ = State::kCsiSkip;
  }
}

// Handles a digit, ':' or ';'.
void Parser::Parameter(uint8_t byte) {
  if (csi_.intermediate != 0) {
    state_ = State::kCsiSkip;
    return;
  }
  if (csi_.count == 0) {
    csi_.values[0] = -1;
    csi_.count = 1;
  }
  if (csi_.overflow) return;
  int last = csi_.count - 1;
  if (byte <= '9') {
    int value = std::max<int>(csi_.values[last], 0) * 10 + (byte - '0');
    csi_.values[last] = static_cast<int16_t>(std::min(value, Csi::kMaxValue));
    return;
  }
  if (csi_.count == Csi::kMaxParams) {
    csi_.overflow = true;
    return;
  }
  if (byte == ':') csi_.joined |= 1u << last;
  csi_.values[csi_.count++] = -1;
}

// Consumes everything up to the terminator, including C0 controls, which are
// not executed. libvterm executes them.
bool Parser::String(std::string_view* bytes, Token* token) {
  size_t end = 0;
  bool bell = false;
  for (; end < bytes->size(); ++end) {
    auto byte = static_cast<uint8_t>((*bytes)[end]);
    bell = byte == kBel && string_kind_ == ']';
    if (bell || IsCancel(byte)) break;
  }
  std::string_view part = bytes->substr(0, end);
  bytes->remove_prefix(end);
  string_size_ += part.size();
  // There are two steps, because the limit depends on the beginning of the
  // string.
  constexpr size_t kHead = 3;
  if (string_.size() < kHead) {
    size_t head = std::min(kHead - string_.size(), part.size());
    string_ += part.substr(0, head);
    part.remove_prefix(head);
  }
  string_ += part.substr(0, StringLimit() - string_.size());
  if (string_size_ > kStringGivenUp) {
    // The position at which a string is abandoned must not depend on how the
    // stream is split.
    size_t surplus = string_size_ - kStringGivenUp - 1;
    *bytes = {bytes->data() - surplus, bytes->size() + surplus};
    state_ = State::kGround;
    string_ = std::string();
    return Make(Token::Kind::kDroppedString, 0, token);
  }
  if (!bell) return false;
  bytes->remove_prefix(1);
  return EndString(true, token);
}

// The limit is higher for links and clipboard contents, which may be long.
size_t Parser::StringLimit() const {
  bool is_long = string_kind_ == ']' &&
                 (string_.starts_with("8;") || string_.starts_with("52;"));
  return is_long ? kLongestString : kStringKept;
}

// The payload remains valid until the next token is requested.
bool Parser::EndString(bool by_bell, Token* token) {
  state_ = State::kGround;
  token->text = string_;
  token->cut = string_size_ > string_.size();
  token->by_bell = by_bell;
  return Make(Token::Kind::kString, static_cast<uint8_t>(string_kind_), token);
}

}  // namespace glasstty::terminal
