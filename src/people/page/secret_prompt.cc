#include "page/secret_prompt.h"

#include <string.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "base/visible.h"
#include "support/status.h"

namespace glasstty::page {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kProbe = milliseconds(300);
// A program that is busy may be checking a wrong password, after which it asks
// again. After this time, it is assumed to do something else.
constexpr Duration kBusyPatience = seconds(5);
// The limit for the holder's answer, which normally is immediate.
constexpr Duration kTypingPatience = seconds(10);

}  // namespace

absl::StatusOr<std::unique_ptr<SecretPrompt>> SecretPrompt::Open(
    Loop* loop, record::RecordedSession session,
    std::function<void()> changed) {
  std::unique_ptr<SecretPrompt> prompt(
      new SecretPrompt(loop, std::move(changed)));
  ASSIGN_OR_RETURN(prompt->watched_,
                   watch::Watched::Open(loop, std::move(session), "link"));
  prompt->watched_->OnChange([self = prompt.get()] { self->Look(); });
  prompt->probe_.SetAfter(kProbe);
  return prompt;
}

SecretPrompt::SecretPrompt(Loop* loop, std::function<void()> changed)
    : loop_(loop),
      changed_(std::move(changed)),
      last_asked_(loop->Now()),
      probe_(loop, [this] {
        watched_->Probe();
        Look();
        probe_.SetAfter(kProbe);
      }) {}

void SecretPrompt::Look() {
  if (state_ == State::kTyped || state_ == State::kLeft) return;
  if (state_ == State::kTyping) return LookAtTyping();
  bool asks = watched_->can_type() && watched_->caught_up() &&
              watched_->state().activity == session::Activity::kSecret;
  if (asks) {
    last_asked_ = loop_->Now();
    return Set(State::kAsks);
  }
  bool is_gone =
      watched_->exited() || loop_->Now() - last_asked_ > kBusyPatience;
  Set(is_gone ? State::kLeft : State::kWaiting);
}

// The holder takes the keyboard back once the line is typed. It reports a
// refusal before that.
void SecretPrompt::LookAtTyping() {
  refused_ = watched_->refused();
  if (watched_->exited()) return Set(State::kLeft);
  bool is_typed = had_keyboard_ && !watched_->mine() && refused_.empty();
  had_keyboard_ = watched_->mine();
  if (is_typed) return Set(State::kTyped);
  if (loop_->Now() - typing_since_ > kTypingPatience && refused_.empty()) {
    refused_ = "the session does not answer";
  }
  if (refused_.empty()) return;
  if (watched_->held() && !watched_->mine()) {
    const char* label = watched_->lease().label;
    refused_ = std::string(label, strnlen(label, wire::kMaxLabel)) +
               " has the keyboard";
  }
  last_asked_ = loop_->Now();
  Set(State::kAsks);
}

void SecretPrompt::Set(State state) {
  if (state == state_) return;
  state_ = state;
  changed_();
}

void SecretPrompt::Type(std::string secret) {
  secret += '\r';
  refused_.clear();
  had_keyboard_ = watched_->mine();
  typing_since_ = loop_->Now();
  Set(State::kTyping);
  if (!watched_->mine()) watched_->Take(wire::kTakeOnce);
  watched_->TypeSecret(secret);
  explicit_bzero(secret.data(), secret.size());
}

// If the prompt is not in the cursor's line, because it has a frame or ends
// with a newline, returns the nearest text above.
std::string SecretPrompt::PromptLine() const {
  constexpr int64_t kMostAbove = 5;
  const terminal::Terminal& terminal = watched_->terminal();
  int64_t line = terminal.cursor_line();
  int64_t first = std::max(terminal.first_line(), line - kMostAbove);
  std::vector<terminal::Line> lines = terminal.Lines(first, line + 1);
  while (!lines.empty()) {
    std::string text(absl::StripAsciiWhitespace(lines.back().text));
    if (!text.empty()) return ShowOnOneLine(text, kMostQuoted);
    lines.pop_back();
  }
  return "";
}

Json SecretPrompt::Facts() const {
  return {{"session", ShowOnOneLine(watched_->origin().name, kMostQuoted)},
          {"place", ShowOnOneLine(watched_->origin().place, kMostQuoted)},
          {"program", ShowOnOneLine(watched_->state().program, kMostQuoted)},
          {"prompt", PromptLine()}};
}

}  // namespace glasstty::page
