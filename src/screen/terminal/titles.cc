#include "terminal/titles.h"

#include <utility>

#include "support/text.h"

namespace glasstty::terminal {
namespace {

// This is far above the maximum length of a title (sequences.cc).
constexpr size_t kMaxTitleBytes = 4096;

}  // namespace

void Titles::Set(std::string_view title) { title_ = TrimBlanks(title); }

void Titles::Push(Part part) {
  if (pushed_.size() == kMaxPushed) pushed_.pop_front();
  pushed_.emplace_back();
  if (part != Part::kIcon) pushed_.back() = title_;
}

bool Titles::Pop(Part part) {
  if (pushed_.empty()) return false;
  std::optional<std::string> saved = std::move(pushed_.back());
  pushed_.pop_back();
  if (part == Part::kIcon || !saved || *saved == title_) return false;
  title_ = *std::move(saved);
  return true;
}

void Titles::Carry(StateCodec* codec) {
  codec->Carry(&title_, kMaxTitleBytes);
  size_t depth = pushed_.size();
  codec->Carry(&depth, 0, kMaxPushed);
  pushed_.resize(depth);
  for (std::optional<std::string>& saved : pushed_) {
    bool has_title = saved.has_value();
    codec->Carry(&has_title);
    if (has_title && !saved) saved.emplace();
    if (has_title) codec->Carry(&*saved, kMaxTitleBytes);
  }
}

}  // namespace glasstty::terminal
