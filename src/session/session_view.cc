// How a session judges itself; nothing here changes it.
#include "session/session_view.h"

#include <algorithm>
#include <utility>

namespace glasstty::session {
namespace {

// As many lines as fit into it must not push each other out of a scrollback
// before somebody has looked for text.
constexpr size_t kErrorPiece = 4096;

}  // namespace

SessionView::SessionView(Loop* loop, record::SessionOrigin origin,
                         record::Folder folder,
                         std::unique_ptr<terminal::Terminal> terminal,
                         std::unique_ptr<terminal::Terminal> errors,
                         Hooks hooks)
    : origin_(std::move(origin)),
      loop_(loop),
      wanted_(std::move(hooks.wanted)),
      folder_(std::move(folder)),
      directory_(folder_.Open()),
      terminal_(std::move(terminal)),
      history_(terminal_.get(), &folder_, "lines", origin_.log_cap),
      commands_(origin_.nonce),
      feed_(loop, directory_->get(), "out", terminal_.get(),
            std::move(hooks.cut), hooks.fed),
      prober_(loop, std::move(hooks.probe)),
      listeners_(loop, std::move(hooks.ask_ports)),
      started_at_(loop->Now()),
      flood_(loop->Now()) {
  if (!errors) return;
  terminal::Terminal* shown = errors.get();
  errors_.reset(new Errors{
      std::move(errors),
      record::History(shown, &folder_, "errlines", origin_.log_cap),
      LogFeed(
          loop, directory_->get(), "err", shown,
          [](auto bytes) { return std::min(bytes.size(), kErrorPiece); },
          std::move(hooks.fed))});
}

SessionView::Kept SessionView::Keep(Interest interest) const {
  std::weak_ptr<const void>& slot = kept_[static_cast<size_t>(interest)];
  Kept kept = slot.lock();
  if (kept == nullptr) slot = kept = std::make_shared<char>();
  wanted_();
  return kept;
}

bool SessionView::Wants(Interest interest) const {
  return !kept_[static_cast<size_t>(interest)].expired();
}

bool SessionView::AllDrained() const {
  return feed_.drained() && (!errors_ || errors_->feed.drained());
}

bool SessionView::exited() const {
  return exit_ && feed_.consumed() >= exit_->offset &&
         (!errors_ || errors_->feed.drained());
}

bool SessionView::holder_lost() const {
  return ended_ && !exit_ && AllDrained();
}

const terminal::Terminal* SessionView::errors() const {
  return errors_ ? errors_->terminal.get() : nullptr;
}

const record::History* SessionView::error_history() const {
  return errors_ ? &errors_->history : nullptr;
}

bool SessionView::IsBehind() const {
  bool will_stay = flood_.IsMuch() && loop_->IsCrowded();
  return HasUnfed() && (will_stay || IsFlooding());
}

bool SessionView::IsFlooding() const {
  return flood_.IsLasting(loop_->Now(), HasUnfed());
}

std::string SessionView::TextBeforeCursor() const {
  int64_t line = terminal_->cursor_line();
  std::vector<terminal::Line> lines = terminal_->Lines(line, line + 1);
  if (lines.empty()) return "";
  std::string& text = lines.front().text;
  text.resize(std::min(text.size(), terminal_->cursor_line_bytes()));
  return std::move(text);
}

Verdict SessionView::IsFrameWhole() const {
  Time limit = frame_began_ + kFrameLimit;
  bool drawing =
      terminal_->modes().synchronized && loop_->Now() < limit && !finished();
  return Verdict(!drawing, drawing ? limit : Time::max());
}

bool SessionView::AddressesRows() const {
  // `clear` addresses one.
  constexpr uint64_t kManyRows = 4;
  constexpr int64_t kTextBelow = 4;
  bool may_edit_line =
      terminal_->cursor().visible &&
      terminal_->end_line() - terminal_->cursor_line() <= kTextBelow;
  return row_addresses() >= (may_edit_line ? kManyRows : 1);
}

bool SessionView::DrawsScreens() const {
  return terminal_->modes().alternate_screen || AddressesRows();
}

const SessionView::Refusal* SessionView::FindRefusal(uint64_t after,
                                                     uint64_t upto) const {
  for (const Refusal& refusal : refusals_) {
    if (refusal.serial > after && refusal.serial <= upto) return &refusal;
  }
  return nullptr;
}

// What waits to be fed has been printed since, and a program that was quiet
// before it was typed to has not answered yet.
Duration SessionView::QuietFor() const {
  if (HasUnfed()) return Duration::zero();
  return loop_->Now() - std::max(last_output(), typed_at_);
}

// As the kernel calls it.
std::string SessionView::ShellName() const {
  const std::string& path = origin_.program.argv[0];
  return path.substr(path.rfind('/') + 1);
}

ShellView SessionView::ViewOfShell() const {
  ShellView view;
  view.phase = commands_.phase();
  view.run_ended = prompt_.run_ended();
  const record::CommandBlock* running = commands_.running();
  view.reads = running != nullptr && MayReadLines(running->text);
  return view;
}

bool SessionView::IsAtShownPrompt() const {
  return prompt_.at_fresh_prompt() && feed_.drained();
}

std::optional<SessionState> SessionView::settled_state() const {
  if (finished()) {
    return SessionState{Activity::kExited, Evidence::kKernel, ""};
  }
  // The shell's own word needs no look at it.
  if (IsAtShownPrompt()) {
    return SessionState{Activity::kPrompt, Evidence::kShell, ShellName()};
  }
  const wire::ProbeAnswer* answer = prober_.fresh();
  // An answer tells about the moment at which the log ended at its offset.
  // Before that has been fed the screen is older than the verdict, and an agent
  // would be told "prompt" beside a screen without one.
  bool seen_all =
      answer != nullptr && AllDrained() && feed_.consumed() >= answer->offset;
  if (!seen_all || !answer->settled) return std::nullopt;
  return JudgeProbe(*answer, QuietFor(), ViewOfShell(), TextBeforeCursor());
}

SessionState SessionView::LastState() const {
  if (finished()) return {Activity::kExited, Evidence::kKernel, ""};
  if (prompt_.at_fresh_prompt()) {
    return {Activity::kPrompt, Evidence::kShell, ShellName()};
  }
  const wire::ProbeAnswer* answer = prober_.last();
  if (answer == nullptr) return JudgeQuiet(QuietFor());
  wire::ProbeAnswer judged = *answer;
  // An answer from before the last output or input says nothing of now.
  if (prober_.current() == nullptr) judged.settled = 0;
  return JudgeProbe(judged, QuietFor(), ViewOfShell(), TextBeforeCursor());
}

}  // namespace glasstty::session
