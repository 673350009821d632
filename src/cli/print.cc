#include "cli/print.h"

#include <algorithm>
#include <string>

#include "base/visible.h"

namespace glasstty {

void PrintShown(std::FILE* out, std::string_view text) {
  std::string shown = ShowControls(std::string(text));
  std::fwrite(shown.data(), 1, shown.size(), out);
}

void PrintBytes(std::string_view bytes) {
  std::fwrite(bytes.data(), 1, bytes.size(), stdout);
}

void PrintStyled(std::string_view text) {
  while (!text.empty()) {
    size_t end = 0;
    if (text.starts_with("\x1b[")) {
      end = text.find_first_not_of("0123456789;", 2);
    }
    bool is_style = end != 0 && end < text.size() && text[end] == 'm';
    size_t size =
        is_style ? end + 1 : std::min(text.find('\x1b', 1), text.size());
    std::string_view part = text.substr(0, size);
    if (is_style) {
      std::fwrite(part.data(), 1, part.size(), stdout);
    } else {
      PrintShown(stdout, part);
    }
    text.remove_prefix(size);
  }
}

}  // namespace glasstty
