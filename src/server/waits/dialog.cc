#include "waits/dialog.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "absl/strings/ascii.h"
#include "base/utf8.h"
#include "support/text.h"
#include "terminal/widths.h"
#include "waits/question.h"

namespace glasstty::waits {
namespace {

constexpr size_t kMostButton = 24;
// A screen has only a few dialogs, and looking for the text of each reads whole
// rows.
constexpr size_t kMostDialogs = 32;

bool IsVertical(char32_t c) {
  constexpr std::u32string_view kVerticals = U"│║┃|├┤╟╢╠╣┠┨┣┫";
  return kVerticals.find(c) != std::u32string_view::npos;
}

// A piece of a row between two vertical frames.
struct Segment {
  int left = 0;   // the column of the frame before it
  int right = 0;  // the column of the frame after it
  std::string text;
};

std::vector<Segment> SegmentsOf(std::string_view row) {
  std::vector<Segment> segments;
  std::optional<Segment> open;
  int column = 0;
  for (std::string_view rest = row; !rest.empty();) {
    std::string_view before = rest;
    char32_t c = TakeUtf8(&rest);
    if (IsVertical(c)) {
      if (open) {
        open->right = column;
        segments.push_back(*std::move(open));
      }
      open = Segment{.left = column};
    } else if (open) {
      open->text += before.substr(0, before.size() - rest.size());
    }
    column += terminal::WidthOf(c);
  }
  return segments;
}

// A single pair of brackets may also be a name, such as <DIR>.
bool IsLoneButton(std::string_view label) {
  constexpr std::string_view kLabels[] = {"ok",   "yes",  "close",    "cancel",
                                          "exit", "quit", "continue", "back",
                                          "next", "done", "finish",   "abort"};
  std::string lower = absl::AsciiStrToLower(std::string(label));
  return std::find(std::begin(kLabels), std::end(kLabels), lower) !=
         std::end(kLabels);
}

// Recognizes "<Yes>  < No >" and "[ OK ]", and ncdu's "yes  no", which are
// words without brackets.
bool AreButtons(std::string_view text) {
  text = TrimBlanks(text);
  std::string tight = absl::AsciiStrToLower(std::string(text));
  std::erase(tight, ' ');
  if (tight.starts_with("yesno")) return true;
  std::vector<std::string_view> labels;
  while (!text.empty()) {
    constexpr std::string_view kOpening = "<[", kClosing = ">]";
    size_t kind = kOpening.find(text[0]);
    if (kind == std::string_view::npos) return false;
    size_t end = text.find(kClosing[kind]);
    if (end == std::string_view::npos || end > kMostButton) return false;
    std::string_view label = TrimBlanks(text.substr(1, end - 1));
    // "[x]" is a choice, and "[   ]" a bar.
    bool is_word = label.size() > 1 &&
                   std::none_of(label.begin(), label.end(), [](char c) {
                     constexpr std::string_view kNone = "#=<>[]()/\\0123456789";
                     return kNone.find(c) != std::string_view::npos;
                   });
    if (!is_word) return false;
    labels.push_back(label);
    text = TrimBlanks(text.substr(end + 1));
  }
  return labels.size() > 1 || (labels.size() == 1 && IsLoneButton(labels[0]));
}

// Returns the text of a row between the frames of `box`; nullopt if the box
// does not continue in this row.
std::optional<std::string> Between(std::string_view row, const Segment& box) {
  std::string text;
  bool is_left = false;
  for (const Segment& part : SegmentsOf(row)) {
    is_left |= part.left == box.left;
    if (!is_left) continue;
    text += part.text;
    if (part.right == box.right) return text;
    text += ' ';
  }
  return std::nullopt;
}

bool HasLetter(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_isalpha(static_cast<unsigned char>(c)) || c < 0;
  });
}

// Returns the paragraphs above the buttons of the box.
std::vector<std::string> ParagraphsAbove(const std::vector<std::string>& lines,
                                         size_t buttons, const Segment& box) {
  std::vector<std::string> paragraphs = {""};  // from the last to the first
  for (size_t row = buttons; row-- > 0;) {
    auto text = Between(lines[row], box);
    if (!text) break;
    std::string line(TrimFrame(*text));
    std::string* last = &paragraphs.back();
    if (!HasLetter(line)) {
      if (!last->empty()) paragraphs.emplace_back();
    } else {
      *last = last->empty() ? line : line + " " + *last;
    }
  }
  if (paragraphs.back().empty()) paragraphs.pop_back();
  std::reverse(paragraphs.begin(), paragraphs.end());
  return paragraphs;
}

}  // namespace

std::optional<std::string> DialogText(const std::vector<std::string>& lines) {
  size_t dialogs = 0;
  for (size_t row = lines.size(); row-- > 0;) {
    for (const Segment& segment : SegmentsOf(lines[row])) {
      if (!AreButtons(segment.text)) continue;
      if (++dialogs > kMostDialogs) return std::nullopt;
      std::vector<std::string> texts = ParagraphsAbove(lines, row, segment);
      if (texts.empty()) continue;
      auto asks = std::find_if(texts.begin(), texts.end(), [](const auto& t) {
        return t.find('?') != std::string::npos;
      });
      return asks == texts.end() ? texts.front() : *asks;
    }
  }
  return std::nullopt;
}

}  // namespace glasstty::waits
