// Draws the window of an attachment: the picture of the session, and the status
// line below it.
#include <string.h>

#include <utility>

#include "attach/attachment.h"
#include "attach/status_text.h"
#include "session/state.h"
#include "support/status.h"
#include "wire/launch.h"

namespace glasstty::attach {
namespace {

// A window with fewer columns has a shorter status line.
constexpr int kNarrow = 60;

}  // namespace

std::string FirstWordOfLabel(const wire::LeaseInfo& lease) {
  std::string label(lease.label, strnlen(lease.label, sizeof lease.label));
  return label.substr(0, label.find(' '));
}

std::string Attachment::Paint() {
  if (!farewell_.empty()) return "";
  StatusLine status{StatusText(), std::exchange(bell_, false)};
  const terminal::Terminal& terminal = session_->terminal();
  terminal::Modes keys;
  if (TypesToProgram()) keys = terminal.modes();
  outer_->SetKeyModes(keys.kitty_flags, keys.modify_other_keys);
  Glass& glass = stage_.glass();
  if (is_helping_) return glass.ShowPage(HelpLines(), status);
  return past_
             ? glass.ShowPast(terminal, *past_, found_, status)
             : glass.ShowLive(terminal, session_->mine(), status, loop_->Now());
}

std::string Attachment::StatusText() const {
  terminal::Size size = session_->terminal().size(), window = Window();
  std::string name = " " + ShortName(session_->origin().name, window.cols);
  name += "  ";
  bool is_narrow = window.cols < kNarrow;
  if (is_helping_) return name + "any key goes back";
  if (asking_ == Asking::kSearch) {
    return TypedLine(window.cols, name + "/", line_);
  }
  if (asking_ == Asking::kSecret) {
    name += is_narrow ? "secret: " : "secret, typed unseen: ";
    return TypedLine(window.cols, name, std::string(line_.size(), '*'));
  }
  if (prefixed_) return name + options_.prefix_name + " -";
  if (!message_.empty()) {
    return FirstThatFits(window.cols, {name + message_, " " + message_});
  }
  if (past_) {
    std::string at = absl::StrFormat("line %d of %d", *past_ + 1,
                                     session_->terminal().end_line());
    constexpr char kLeaves[] = "  q back to now";
    return FirstThatFits(window.cols,
                         {name + at + "  / search  n older  N newer" + kLeaves,
                          name + at + kLeaves, " " + at + kLeaves});
  }
  if (is_narrow) return name + BriefStanding();
  std::string text = name + Standing();
  // Replace a text that does not fit, unless it shows the agent's request.
  if (asked_.empty()) {
    text = FirstThatFits(window.cols, {text, name + BriefStanding()});
  }
  auto has_room_for = [&](const std::string& more) {
    return static_cast<int>(text.size() + more.size()) <= window.cols;
  };
  if (IsLarger()) {
    std::string sizes = absl::StrFormat("  %dx%d, yours is %dx%d", size.rows,
                                        size.cols, window.rows, window.cols);
    std::string brief = absl::StrFormat("  %dx%d of %dx%d", window.rows,
                                        window.cols, size.rows, size.cols);
    bool has_room = has_room_for(sizes);
    if (has_room || has_room_for(brief)) text += has_room ? sizes : brief;
  }
  std::string help = "  " + options_.prefix_name + " ? keys";
  return has_room_for(help) && !session_->exited() ? text + help : text;
}

// Returns a shorter form of Standing for a small window.
std::string Attachment::BriefStanding() const {
  std::string help = "  " + options_.prefix_name + " ? keys";
  std::string text(session::ActivityName(session_->state().activity));
  if (session_->exited() || !session_->can_type()) return Standing();
  if (session_->mine()) return text + "  you type" + help;
  if (!asked_.empty()) return "Enter: the agent asks: " + asked_;
  if (session_->held())
    return text + "  " + FirstWordOfLabel(session_->lease()) + help;
  if (options_.read_only) return text + "  watching" + help;
  bool is_secret = session_->state().activity == session::Activity::kSecret;
  if (is_secret) return text + "  " + options_.prefix_name + " k types it";
  return text + "  Enter types" + help;
}

// Returns the session's activity, who has the keyboard, and the keys that are
// useful next.
std::string Attachment::Standing() const {
  const char* prefix = options_.prefix_name.c_str();
  if (session_->exited()) {
    return absl::StrFormat("exited %s  any key leaves",
                           session::ExitText(session_->exit_status()));
  }
  bool is_secret = session_->state().activity == session::Activity::kSecret;
  std::string text(session::ActivityName(session_->state().activity));
  std::string ask = asked_.empty() ? "" : "  the agent asks: " + asked_;
  if (session_->mine()) {
    return absl::StrFormat(
        "%s  you have the keyboard | %s h hand back  %s d leave%s", text,
        prefix, prefix, ask);
  }
  if (!session_->can_type()) {
    bool is_away = session_->away();
    bool is_gone = wire::HolderIsDead(session_->directory());
    return absl::StrFormat(
        "%s  watching%s  %s d leaves", text,
        !session_->caught_up() ? ""
        : is_away              ? ": there is no connection to its machine"
        : is_gone              ? ": its holder is gone, and the program with it"
                  : ": this session's holder is too old to take over",
        prefix);
  }
  if (session_->held()) {
    return absl::StrFormat("%s  %s has the keyboard  %s t takes it over%s",
                           text, FirstWordOfLabel(session_->lease()), prefix,
                           ask);
  }
  if (options_.read_only) {
    return absl::StrFormat("%s  watching (-r)  %s d leaves%s", text, prefix,
                           ask);
  }
  // The keys come before the request, because the line may be cut.
  if (is_secret) {
    return absl::StrFormat(
        "%s  %s k types it unseen, Enter takes the keyboard%s", text, prefix,
        ask);
  }
  if (!ask.empty()) {
    return absl::StrFormat("%s  Enter takes the keyboard%s", text, ask);
  }
  return absl::StrFormat("%s  watching: Enter takes the keyboard, %s d leaves",
                         text, prefix);
}

}  // namespace glasstty::attach
