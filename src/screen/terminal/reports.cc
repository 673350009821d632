#include "terminal/reports.h"

#include <iterator>
#include <utility>

namespace glasstty::terminal {

// A bell takes only one byte of output, so only kMaxBells are kept: a program
// that rings endlessly must not displace the marks of commands.
void Reports::Add(TerminalEvent event) {
  bool is_bell = event.type == TerminalEvent::Type::kBell;
  if (is_bell && ++bells_ > kMaxBells) return;
  if (events_.size() == kMaxEvents) events_.pop_front();
  events_.push_back(std::move(event));
}

std::vector<TerminalEvent> Reports::TakeEvents() {
  std::vector<TerminalEvent> taken(std::make_move_iterator(events_.begin()),
                                   std::make_move_iterator(events_.end()));
  events_.clear();
  bells_ = 0;
  return taken;
}

// Muted replies do not count as dropped, because they were sent when the output
// was new.
void Reports::Reply(std::string_view reply) {
  if (muted_) return;
  // A reply is never truncated.
  if (replies_.size() + reply.size() > kMaxReplies) {
    ++drops_.replies;
    return;
  }
  if (replies_.empty()) Add({.type = TerminalEvent::Type::kAsked});
  replies_ += reply;
}

// The session writes the replies in the turn in which it has fed the query, or
// drops them while the program reads a secret.
std::string Reports::TakeReplies() { return std::exchange(replies_, {}); }

}  // namespace glasstty::terminal
