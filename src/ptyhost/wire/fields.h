// Encodes strings and numbers as fields, one after the other, each ended by a
// NUL. LaunchSpec and HelloInfo, for example, are encoded this way. Pure
// functions.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glasstty::wire {

// Adds `text` up to its first NUL, because a field cannot contain a NUL.
void AppendField(std::string_view text, std::string* out);
void AppendField(uint64_t number, std::string* out);
// Adds the number of bytes, then the bytes themselves, which may include NULs.
void AppendBytes(std::string_view bytes, std::string* out);
// Adds the number of strings, then the strings themselves, which may be empty.
void AppendFields(const std::vector<std::string>& list, std::string* out);

// Reads the fields of `text`, which must outlive the reader. The text is not
// trusted: each function returns false if the next field is invalid. After
// that, the position of the reader is undefined.
class FieldReader {
 public:
  explicit FieldReader(std::string_view text) : text_(text) {}

  bool Take(std::string* out);
  template <typename Number>
  bool TakeNumber(Number* number) {
    std::string text;
    if (!Take(&text)) return false;
    const char* end = text.data() + text.size();
    auto result = std::from_chars(text.data(), end, *number);
    return result.ec == std::errc() && result.ptr == end;
  }
  bool TakeBytes(std::string* out);
  bool TakeList(std::vector<std::string>* out);
  bool done() const { return text_.empty(); }

 private:
  std::string_view text_;
};

}  // namespace glasstty::wire
