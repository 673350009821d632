// The prompt at which a session asks for a secret, and the one line that a
// person types there.
//
// Provides who asks, the text of the prompt, and whether the program still
// asks. Shows nothing else of the session and can type nothing else into it.
// Owns the watched session; the loop must outlive it. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "record/recording.h"
#include "support/json.h"
#include "support/loop.h"
#include "watch/watched.h"

namespace glasstty::page {

class SecretPrompt {
 public:
  enum class State {
    kWaiting,  // the screen is being read, or the program does not ask at the
               // moment
    kAsks,
    kTyping,  // the holder has not reported yet whether the secret was typed
    kTyped,
    kLeft,  // the program no longer asks
  };

  // `changed` is called when the state has changed, from the loop or from Type.
  // It must not destroy this object. Fails if the session has no terminal.
  static absl::StatusOr<std::unique_ptr<SecretPrompt>> Open(
      Loop* loop, record::RecordedSession session,
      std::function<void()> changed);

  State state() const { return state_; }
  // The reason why the last secret was not typed; "" if there is none.
  const std::string& refused() const { return refused_; }
  // Returns who asks, and how: {"session", "place", "program", "prompt"}. All
  // of these are texts that others have chosen, made safe and on one line each.
  Json Facts() const;
  // Types `secret` and Enter; the holder refuses both unless the terminal still
  // hides input. REQUIRES: state() is kAsks.
  void Type(std::string secret);

 private:
  explicit SecretPrompt(Loop* loop, std::function<void()> changed);

  void Look();
  void LookAtTyping();
  void Set(State state);
  std::string PromptLine() const;

  Loop* const loop_;
  const std::function<void()> changed_;
  std::unique_ptr<watch::Watched> watched_;
  State state_ = State::kWaiting;
  std::string refused_;
  bool had_keyboard_ = false;
  Time typing_since_{};
  Time last_asked_;
  // Polls the holder for what the program waits for.
  Timer probe_;
};

}  // namespace glasstty::page
