#include "session/output.h"

#include <string>
#include <utility>

namespace glasstty::session {

Output::Output(Loop* loop, const record::SessionOrigin& origin,
               const Files& files, std::unique_ptr<terminal::Terminal> terminal,
               LogFeed::Cut cut, std::function<bool()> fed)
    : loop_(loop),
      terminal_(std::move(terminal)),
      history_(terminal_.get(), files.folder, files.lines, origin.log_cap),
      feed_(loop, files.directory, files.log, terminal_.get(), std::move(cut),
            std::move(fed)),
      flood_(loop->Now()) {}

// The lost bytes matter until the program has cleared the screen, or has
// printed as many lines as the screen has rows.
uint64_t Output::undrawn() const {
  bool is_redrawn =
      terminal_->clears() > undrawn_.clears ||
      terminal_->cursor_line() - terminal_->size().rows >= undrawn_.end_line;
  return is_redrawn ? 0 : undrawn_.lost;
}

bool Output::IsBehind() const {
  bool will_stay = flood_.IsMuch() && loop_->IsCrowded();
  return HasUnfed() && (will_stay || IsFlooding());
}

bool Output::IsFlooding() const {
  return flood_.IsLasting(loop_->Now(), HasUnfed());
}

std::string TextBeforeCursor(const terminal::Terminal& terminal) {
  constexpr size_t kMost = 64 << 10;
  return terminal.TextBeforeCursor(kMost);
}

void Output::Reaches(uint64_t end, bool is_awaited) {
  if (!HasUnfed() && end > feed_.end()) {
    flood_.Arrived(loop_->Now());
    feed_.SetFlood(IsFedLast(is_awaited));
  }
  feed_.SetEnd(end);
}

void Output::Fed(bool is_awaited) {
  flood_.Fed(loop_->Now(), feed_.consumed());
  feed_.SetFlood(IsFedLast(is_awaited));
}

// A replay is never fed last, because agents wait for its end. If a call waits
// for the output, it is fed last only once it has been a flood for a while.
bool Output::IsFedLast(bool is_awaited) const {
  bool is_flood = is_awaited ? IsFlooding() : flood_.IsMuch();
  return is_flood && !replaying();
}

void Output::InheritMark() { inherited_mark_ = record::MarkNow(*terminal_); }

void Output::BeginWithout(uint64_t lost) {
  undrawn_ = {lost, terminal_->clears(), terminal_->end_line()};
}

void Output::Close() {
  feed_.Close();
  history_.Close();
}

}  // namespace glasstty::session
