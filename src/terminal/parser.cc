#include "terminal/parser.h"

namespace glasstty {
namespace {

constexpr uint8_t kBel = 0x07;
constexpr uint8_t kCan = 0x18;
constexpr uint8_t kSub = 0x1A;
constexpr uint8_t kEsc = 0x1B;
constexpr uint8_t kDel = 0x7F;
constexpr size_t kMaxIntermediates = 4;
constexpr size_t kStringKept = 4096;
constexpr size_t kLongStringKept = 8192;
constexpr size_t kStringGivenUp = 1 << 20;

constexpr bool IsPrintable(uint8_t c) { return c >= 0x20 && c < kDel; }
constexpr bool IsCancel(uint8_t c) {
  return c == kEsc || c == kCan || c == kSub;
}

Token Made(Token::Kind kind, uint8_t byte = 0) {
  Token token;
  token.kind = kind;
  token.byte = byte;
  return token;
}

}  // namespace

Token Parser::Next(std::string_view* bytes) {
  while (!bytes->empty()) {
    auto byte = static_cast<uint8_t>(bytes->front());
    Token token;
    if (decoder_.pending()) {
      token = Glyph(bytes);
    } else if (IsCancel(byte)) {
      bytes->remove_prefix(1);
      token = Cancel(byte);
    } else {
      switch (state_) {
        case State::kGround:
          token = Ground(bytes);
          break;
        case State::kEscape:
        case State::kStringEscape:
          token = Escape(byte, bytes);
          break;
        case State::kCsi:
        case State::kCsiSkip:
          token = ControlSequence(byte, bytes);
          break;
        case State::kString:
          token = String(bytes);
          break;
      }
    }
    if (token.kind != Token::Kind::kNone) return token;
  }
  return Token();
}

// ESC, CAN and SUB end whatever was begun.
Token Parser::Cancel(uint8_t byte) {
  State before = state_;
  if (byte == kEsc && before == State::kString) {
    state_ = State::kStringEscape;
    return Token();
  }
  state_ = byte == kEsc ? State::kEscape : State::kGround;
  intermediates_.clear();
  switch (before) {
    case State::kGround:
      return Token();
    case State::kEscape:
    case State::kCsi:
    case State::kCsiSkip:
      return Made(Token::Kind::kDroppedSequence);
    case State::kString:
    case State::kStringEscape:
      return Made(Token::Kind::kDroppedString);
  }
  return Token();
}

Token Parser::Ground(std::string_view* bytes) {
  auto byte = static_cast<uint8_t>(bytes->front());
  if (byte >= 0x80) return Glyph(bytes);
  if (!IsPrintable(byte)) {
    bytes->remove_prefix(1);
    return byte == kDel ? Token() : Made(Token::Kind::kControl, byte);
  }
  size_t end = 1;
  while (end < bytes->size() &&
         IsPrintable(static_cast<uint8_t>((*bytes)[end]))) {
    ++end;
  }
  Token token = Made(Token::Kind::kText);
  token.text = bytes->substr(0, end);
  bytes->remove_prefix(end);
  return token;
}

Token Parser::Glyph(std::string_view* bytes) {
  Token token = Made(Token::Kind::kGlyph);
  auto step = decoder_.Feed(static_cast<uint8_t>(bytes->front()), &token.glyph);
  if (step != Utf8Decoder::Step::kBadRetry) bytes->remove_prefix(1);
  if (step == Utf8Decoder::Step::kMore) return Token();
  if (token.glyph >= 0x80 && token.glyph < 0xA0) token.glyph = kReplacement;
  return token;
}

Token Parser::Escape(uint8_t byte, std::string_view* bytes) {
  if (state_ == State::kStringEscape) {
    if (byte == '\\') {
      bytes->remove_prefix(1);
      return EndString(false);
    }
    // The ESC was the beginning of something else; look at the byte again.
    state_ = State::kEscape;
    intermediates_.clear();
    return Made(Token::Kind::kDroppedString);
  }
  if (byte >= 0x80) {  // text: look at it again in the ground state
    state_ = State::kGround;
    return Made(Token::Kind::kDroppedSequence);
  }
  bytes->remove_prefix(1);
  if (byte < 0x20) return Made(Token::Kind::kControl, byte);
  if (byte == kDel) return Token();
  if (byte < 0x30) {
    if (intermediates_.size() < kMaxIntermediates) intermediates_ += byte;
    return Token();
  }
  if (byte == '[' && intermediates_.empty()) {
    csi_.leader = csi_.intermediate = 0;
    csi_.count = 0;
    csi_.overflow = false;
    csi_.joined = 0;
    state_ = State::kCsi;
    return Token();
  }
  constexpr std::string_view kStrings = "]P_^X";
  if (intermediates_.empty() && kStrings.find(byte) != kStrings.npos) {
    string_kind_ = static_cast<char>(byte);
    string_.clear();
    string_size_ = 0;
    state_ = State::kString;
    return Token();
  }
  state_ = State::kGround;
  Token token = Made(Token::Kind::kEscape, byte);
  token.text = intermediates_;
  return token;
}

Token Parser::ControlSequence(uint8_t byte, std::string_view* bytes) {
  if (byte >= 0x80) {  // text: look at it again in the ground state
    state_ = State::kGround;
    return Made(Token::Kind::kDroppedSequence);
  }
  bytes->remove_prefix(1);
  if (byte < 0x20) return Made(Token::Kind::kControl, byte);
  if (byte == kDel) return Token();
  if (byte >= 0x40) {
    bool skip = state_ == State::kCsiSkip;
    state_ = State::kGround;
    csi_.final = static_cast<char>(byte);
    return Made(skip ? Token::Kind::kDroppedSequence : Token::Kind::kCsi);
  }
  if (state_ == State::kCsiSkip) return Token();
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
  return Token();
}

// A digit, ':' or ';'.
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

Token Parser::String(std::string_view* bytes) {
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
  // Two steps: the limit depends on what the string begins with.
  constexpr size_t kHead = 3;
  if (string_.size() < kHead) {
    size_t head = std::min(kHead - string_.size(), part.size());
    string_ += part.substr(0, head);
    part.remove_prefix(head);
  }
  string_ += part.substr(0, StringLimit() - string_.size());
  if (string_size_ > kStringGivenUp) {
    // Where it is given up must not depend on how the stream was split.
    size_t surplus = string_size_ - kStringGivenUp - 1;
    *bytes = {bytes->data() - surplus, bytes->size() + surplus};
    state_ = State::kGround;
    string_ = std::string();
    return Made(Token::Kind::kDroppedString);
  }
  if (!bell) return Token();
  bytes->remove_prefix(1);
  return EndString(true);
}

size_t Parser::StringLimit() const {
  bool is_long = string_kind_ == ']' &&
                 (string_.starts_with("8;") || string_.starts_with("52;"));
  return is_long ? kLongStringKept : kStringKept;
}

Token Parser::EndString(bool by_bell) {
  state_ = State::kGround;
  Token token = Made(Token::Kind::kString, static_cast<uint8_t>(string_kind_));
  token.text = string_;
  token.cut = string_size_ > string_.size();
  token.by_bell = by_bell;
  return token;
}

}  // namespace glasstty
