// Shows a session on a person's terminal, and handles the person's keys.
//
// At first the person only watches. Keys that they press before they have the
// keyboard are discarded, because a burst that reaches a program seconds later
// could do harm. However the person leaves, the keyboard is given back.
//
// Owns the stage on the outer terminal; borrows the terminal itself, the
// session and the loop. Loop thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "attach/outer_terminal.h"
#include "attach/stage.h"
#include "attach/typed_keys.h"
#include "support/loop.h"
#include "watch/watched.h"

namespace glasstty::attach {

// Determines whether the session gets the size of the window.
enum class Resize {
  kNever,
  kWhileTyping,  // restored when the keyboard is given back
  kForGood,
};

struct Options {
  bool read_only = false;
  bool take = false;   // take the keyboard immediately
  bool steal = false;  // take it even from another person
  Resize resize = Resize::kNever;
  // When the program ends, leave without showing its last screen, because the
  // person has ended the program.
  bool leaves_with_program = false;
  // The bytes and the name of the key that begins a command to the attachment.
  std::string prefix = "\x1c";
  std::string prefix_name = "C-\\";
};

// Returns the kind of observer that has the keyboard, such as "attach".
std::string FirstWordOfLabel(const wire::LeaseInfo& lease);

class Attachment {
 public:
  Attachment(Loop* loop, watch::Watched* session, OuterTerminal* outer,
             Options options);
  ~Attachment();
  Attachment(const Attachment&) = delete;
  Attachment& operator=(const Attachment&) = delete;

  // The reason why the attachment has ended, for the person's shell; "" until
  // then.
  const std::string& farewell() const { return farewell_; }

 private:
  struct Command;
  static const Command kCommands[];

  void OnChange();
  void OnKey(const TypedKey& key);
  void OnResized();

  // Each of these handles the keys of one situation.
  void OnCommandKey(const std::string& key);
  void OnWatchingKey(const std::string& key);
  void OnTypedKey(const TypedKey& key);
  void OnMouse(const TypedKey& key);
  void OnPaste(const std::string& text);
  void OnPastKey(const std::string& key);
  void OnLineKey(const TypedKey& key);

  void Take(uint64_t flags);
  void Give();
  void FollowSize();
  void RestoreSize();
  // Returns true if keys go to the program rather than to the attachment.
  bool TypesToProgram() const;
  bool IsLarger() const;
  bool PansWhileWatching(const std::string& key) const;
  void Pan(const std::string& key);
  void Follow();
  void BeginLine(bool secret);
  void EndLine();
  void ConfirmPaste();
  bool LookAtPast(int64_t first);
  // Searches for `found_` in the lines before or after line `from`.
  void Search(bool older, int64_t from);
  void Leave(std::string farewell);
  void Say(std::string message);

  terminal::Size Window() const { return stage_.glass().window(); }
  std::string Paint();
  std::vector<std::string> HelpLines() const;
  std::string StatusText() const;
  std::string BriefStanding() const;
  std::string Standing() const;

  // Borrowed.
  Loop* const loop_;
  watch::Watched* const session_;
  OuterTerminal* const outer_;
  // Constant.
  const Options options_;
  // State.
  bool prefixed_ = false;  // the next key is a command
  bool is_helping_ = false;
  bool was_mine_ = false;
  bool taking_ = false;  // the keyboard was requested, but there is no answer
                         // yet
  bool wants_take_ = false;
  std::optional<terminal::Size> size_before_;  // the session's own size, while
                                               // it has the window's
  std::string paste_;            // a paste that waits for confirmation
  std::optional<int64_t> past_;  // the first line shown; nullopt: the present
  std::optional<Pattern> found_;
  // The text typed into the status line; a secret is shown as asterisks.
  enum class Asking { kNothing, kSearch, kSecret };
  Asking asking_ = Asking::kNothing;
  std::string line_;
  std::string secret_;  // typed once the person has the keyboard
  std::string message_;
  std::string asked_;  // the agent's last known request
  bool bell_ = false;
  std::string farewell_;
  // These are last, so that they are destroyed first.
  Timer message_timer_;
  Timer state_timer_;
  Stage stage_;
};

}  // namespace glasstty::attach
