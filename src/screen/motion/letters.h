// Classifies ASCII bytes, independently of the locale. Pure functions.
#pragma once

namespace glasstty::motion {

inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }
inline bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
inline bool IsAlnum(char c) { return IsDigit(c) || IsLetter(c); }
inline bool IsHexDigit(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
inline char ToLower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
inline bool IsHigh(char c) {
  return (static_cast<unsigned char>(c) & 0x80) != 0;
}

}  // namespace glasstty::motion
