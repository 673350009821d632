#include "wire/fields.h"

namespace glasstty::wire {

void AppendField(std::string_view text, std::string* out) {
  out->append(text.substr(0, text.find('\0')));
  out->push_back('\0');
}

void AppendField(uint64_t number, std::string* out) {
  AppendField(std::to_string(number), out);
}

void AppendBytes(std::string_view bytes, std::string* out) {
  AppendField(bytes.size(), out);
  out->append(bytes);
}

void AppendFields(const std::vector<std::string>& list, std::string* out) {
  AppendField(list.size(), out);
  for (const std::string& text : list) AppendField(text, out);
}

bool FieldReader::Take(std::string* out) {
  size_t end = text_.find('\0');
  if (end == std::string_view::npos) return false;
  out->assign(text_.substr(0, end));
  text_.remove_prefix(end + 1);
  return true;
}

bool FieldReader::TakeBytes(std::string* out) {
  size_t size = 0;
  if (!TakeNumber(&size) || size > text_.size()) return false;
  out->assign(text_.substr(0, size));
  text_.remove_prefix(size);
  return true;
}

bool FieldReader::TakeList(std::vector<std::string>* out) {
  uint32_t count;
  if (!TakeNumber(&count)) return false;
  out->clear();
  for (uint32_t i = 0; i < count; ++i) {
    std::string text;
    if (!Take(&text)) return false;
    out->push_back(std::move(text));
  }
  return true;
}

}  // namespace glasstty::wire
