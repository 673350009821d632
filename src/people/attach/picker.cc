#include "attach/picker.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "support/text.h"

namespace glasstty::attach {
namespace {

constexpr std::string_view kUpKeys[] = {"\x1b[A", "\x1bOA", "\x10", "\x1b[Z"};
constexpr std::string_view kDownKeys[] = {"\x1b[B", "\x1bOB", "\x0e", "\t"};

bool IsOneOf(std::string_view key, const auto& keys) {
  return std::ranges::find(keys, key) != std::end(keys);
}

}  // namespace

Picker::Picker(Loop* loop, OuterTerminal* outer, std::vector<std::string> texts,
               Lines lines)
    : loop_(loop),
      texts_(std::move(texts)),
      lines_(std::move(lines)),
      stage_(loop, outer,
             {.key = [this](const TypedKey& key) { OnKey(key); },
              .paint = [this] { return Paint(); },
              .end = [this](const std::string&) { End(std::nullopt); }}) {
  Narrow("");
}

void Picker::End(std::optional<size_t> chosen) {
  chosen_ = chosen;
  loop_->Stop();
}

// Keeps the chosen row while it matches, and restores it after a filter that
// matches nothing.
void Picker::Narrow(const std::string& filter) {
  if (at_ < rows_.size()) last_ = rows_[at_];
  filter_ = filter;
  rows_.clear();
  at_ = first_shown_ = 0;
  std::string wanted = AsciiLower(filter_);
  for (size_t i = 0; i < texts_.size(); ++i) {
    if (AsciiLower(texts_[i]).find(wanted) == std::string::npos) continue;
    if (i == last_) at_ = rows_.size();
    rows_.push_back(i);
  }
  stage_.SchedulePaint();
}

bool Picker::Move(const std::string& key) {
  bool is_up = IsOneOf(key, kUpKeys) || (key == "k" && !is_filtering_);
  bool is_down = IsOneOf(key, kDownKeys) || (key == "j" && !is_filtering_);
  if (!is_up && !is_down) return false;
  size_t count = rows_.size();
  if (count > 0) at_ = (at_ + (is_up ? count - 1 : 1)) % count;
  stage_.SchedulePaint();
  return true;
}

void Picker::OnKey(const TypedKey& key) {
  if (key.kind == TypedKey::Kind::kMouse) return;
  const std::string& bytes = key.bytes;
  if (bytes == "\x03") return End(std::nullopt);
  if (Move(bytes)) return;
  if (bytes == "\r" || bytes == "\n") {
    if (at_ < rows_.size()) End(rows_[at_]);
    return;
  }
  if (bytes == "\x1b") {
    if (!is_filtering_) return End(std::nullopt);
    is_filtering_ = false;
    return Narrow("");
  }
  if (bytes == "\x7f" || bytes == "\b") {
    // Removes a whole character.
    while (!filter_.empty() && IsContinuation(filter_.back())) {
      filter_.pop_back();
    }
    if (!filter_.empty()) filter_.pop_back();
    is_filtering_ = !filter_.empty();
    return Narrow(filter_);
  }
  bool is_slash = bytes == "/" && !is_filtering_;
  bool is_control = bytes.empty() || (bytes[0] & 0xE0) == 0;
  if (is_control) return;
  is_filtering_ = true;
  Narrow(is_slash ? "" : filter_ + bytes);
}

std::string Picker::Paint() {
  terminal::Size window = stage_.glass().window();
  // A mark of two columns precedes each row.
  int width = window.cols - 2;
  std::vector<std::string> lines = lines_(width, false);
  std::vector<std::string> styled = lines_(width, true);
  std::vector<std::string> page = {"  " + styled[0]};
  size_t room = static_cast<size_t>(std::max(window.rows - 1, 1));
  if (at_ >= first_shown_ + room) first_shown_ = at_ - room + 1;
  first_shown_ = std::min(first_shown_, at_);
  size_t end = std::min(rows_.size(), first_shown_ + room);
  for (size_t i = first_shown_; i < end; ++i) {
    size_t row = rows_[i] + 1;
    page.push_back(i == at_ ? "\x1b[7m> " + lines[row] + "\x1b[m"
                            : "  " + styled[row]);
  }
  if (rows_.empty()) page.push_back("  nothing matches");
  std::string status = is_filtering_
                           ? " /" + filter_ + "  Enter attach  Esc all"
                           : " Enter attach  type to find  Esc leave";
  return stage_.glass().ShowPage(page, {.text = status});
}

}  // namespace glasstty::attach
