// Draws small screens on which something stands out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "testing/fake_holder.h"
#include "view/focus.h"

namespace glasstty::view {

using Texts = std::vector<std::string>;

// Returns the screen after `bytes`.
inline terminal::Snapshot ScreenAfter(std::string_view bytes,
                                      terminal::Size size = {12, 40}) {
  FakeHolder holder;
  session::SessionRef session = holder.Open(size);
  holder.Print(bytes);
  return session->output().terminal().TakeSnapshot();
}

// Returns what has the focus there.
inline Texts Focus(std::string_view bytes) {
  return FindFocus(ScreenAfter(bytes));
}

// Draws `text` at this position, counted from 1 as in control sequences.
inline std::string At(int row, int col, const std::string& text) {
  return absl::StrCat("\033[", row, ";", col, "H", text);
}

inline std::string Styled(const std::string& parameters,
                          const std::string& text) {
  return absl::StrCat("\033[", parameters, "m", text, "\033[m");
}

inline std::string Reverse(const std::string& text) {
  return Styled("7", text);
}

// Adds blanks up to this width.
inline std::string Padded(std::string text, size_t cols) {
  text.resize(cols, ' ');
  return text;
}

}  // namespace glasstty::view
