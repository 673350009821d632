// Plays a recording on a person's terminal. The person can pause it, change its
// speed and move through it.
//
// As in an attachment, the terminal gets a painted copy of the screen instead
// of the recorded bytes. Owns the recording and the stage; borrows the outer
// terminal and the loop. Loop thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "attach/outer_terminal.h"
#include "attach/reel.h"
#include "attach/stage.h"
#include "support/loop.h"
#include "terminal/terminal.h"

namespace glasstty::attach {

class Player {
 public:
  // `speed` is a factor, 1 for the recorded speed. The loop stops once the
  // person leaves. Fails if the recording's first size is invalid.
  static absl::StatusOr<std::unique_ptr<Player>> Start(Loop* loop,
                                                       OuterTerminal* outer,
                                                       Reel reel, double speed);
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  // The reason why playing has ended, for the person's shell.
  const std::string& farewell() const { return farewell_; }

 private:
  struct Command;
  static const Command kCommands[];

  Player(Loop* loop, OuterTerminal* outer, Reel reel, double speed,
         std::unique_ptr<terminal::Terminal> terminal);

  void OnKey(const std::string& key);
  void Leave(std::string farewell);
  void TogglePause();
  void SetSpeed(double speed);
  void Seek(int64_t us);
  void SeekBy(int64_t us) { Seek(Position() + us); }
  void Step();
  void Play(bool plays);

  // The current time of the recording.
  int64_t Position() const;
  bool AtEnd() const { return next_ == reel_.events.size(); }
  void Advance();
  void Feed(int64_t until_us);
  std::string Paint();
  std::vector<std::string> HelpLines() const;
  std::string StatusText() const;

  // Borrowed.
  Loop* const loop_;
  // Constant.
  const Reel reel_;
  // State.
  std::unique_ptr<terminal::Terminal> terminal_;
  size_t next_ = 0;       // the first event that is not on the screen
  int64_t position_ = 0;  // the recording's time at `since_`
  Time since_;
  bool plays_ = true;
  bool is_helping_ = false;
  double speed_;
  std::string farewell_;
  // These are last, so that they are destroyed first.
  Timer timer_;
  Stage stage_;
};

}  // namespace glasstty::attach
