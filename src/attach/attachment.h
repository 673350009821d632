// A person at a session: what they see, and what their keys do.
//
// At first the person only watches. Nothing is typed before they take the
// keyboard, and keys that they press before they have it are discarded, because
// a burst that reaches a program seconds later could do harm. However the
// person leaves, the keyboard is given back.
//
// Owns its view of the outer terminal; borrows the terminal itself, the session
// and the loop. Loop thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "attach/glass.h"
#include "attach/outer_terminal.h"
#include "attach/typed_keys.h"
#include "support/loop.h"
#include "watch/watched.h"

namespace glasstty::attach {

struct Options {
  bool read_only = false;
  bool take = false;    // at once
  bool steal = false;   // also from another person
  bool resize = false;  // with the keyboard comes our size
  // Bytes and name of the key that speaks to us and not to the session.
  std::string prefix = "\x1c";
  std::string prefix_name = "C-\\";
};

class Attachment {
 public:
  Attachment(Loop* loop, watch::Watched* session, OuterTerminal* outer,
             Options options);
  ~Attachment();
  Attachment(const Attachment&) = delete;
  Attachment& operator=(const Attachment&) = delete;

  // Why it is over, for the person's shell; "" while it goes on.
  const std::string& farewell() const { return farewell_; }

 private:
  struct Command;
  static const Command kCommands[];

  // Events.
  void OnReadable();
  void OnChange();
  void OnKey(const TypedKey& key);
  void OnResized();
  void OnStopped();
  void OnContinued();

  // What keys mean, by what the person is at.
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
  void BeginLine(bool secret);
  void EndLine();
  void ConfirmPaste();
  bool LookAtPast(int64_t first);
  void Search(bool older);
  void Leave(std::string farewell);
  void Say(std::string message);

  void SchedulePaint();
  void Paint();
  std::string StatusText() const;
  std::string Standing() const;

  // Borrowed.
  Loop* const loop_;
  watch::Watched* const session_;
  OuterTerminal* const outer_;
  // Constant.
  const Options options_;
  // Owned.
  Glass glass_;
  TypedKeys keys_;
  // State.
  bool prefixed_ = false;  // the next key is a command
  bool was_mine_ = false;
  bool taking_ = false;  // asked for the keyboard, and not answered
  bool wants_take_ = false;
  std::optional<terminal::Size>
      size_before_;              // of the session, while it has ours
  std::string paste_;            // that waits for a second word
  std::optional<int64_t> past_;  // the first line shown; none: the present
  std::optional<Pattern> found_;
  // What is typed into the line below; a secret shows as dots.
  enum class Asking { kNothing, kSearch, kSecret };
  Asking asking_ = Asking::kNothing;
  std::string line_;
  std::string secret_;  // to be typed once the keyboard is ours
  std::string message_;
  std::string asked_;  // by the agent, as last seen
  bool bell_ = false;
  bool dirty_ = true;
  Time painted_{};
  std::string farewell_;
  // Last, so that they go first.
  Timer paint_timer_;
  Timer escape_timer_;
  Timer message_timer_;
  Timer state_timer_;
  FdWatch readable_;
  FdWatch writable_;
  std::vector<std::unique_ptr<SignalWatch>> signals_;
};

}  // namespace glasstty::attach
