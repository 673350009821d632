// A person in front of a terminal that runs one `glasstty` command.
//
// An emulator of ours is fed with all that the command writes, and shows what
// the person would see. Owns the terminal and the process, which is killed if
// it has not ended. Used on one thread.
#pragma once

#include <sys/types.h>
#include <termios.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "gtest/gtest.h"
#include "terminal/terminal.h"

namespace glasstty::testing {

class Desk {
 public:
  // Runs `glasstty ARGUMENTS...`; `more` are variables of its environment.
  Desk(const std::string& state_dir, std::vector<std::string> arguments,
       terminal::Size size = {25, 80},
       const std::vector<std::string>& more = {});
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;
  ~Desk();

  void Type(const std::string& keys);
  // Reads what has come; waits for more for a moment.
  void Look(int milliseconds = 20);

  std::vector<std::string> Rows();
  std::string Status() { return Rows().back(); }
  // Waits for the text to be on the screen, or not to be.
  ::testing::AssertionResult Sees(const std::string& text);
  ::testing::AssertionResult TypeAndSee(const std::string& keys,
                                        const std::string& text) {
    Type(keys);
    return Sees(text);
  }
  ::testing::AssertionResult SeesNo(const std::string& text);

  // Returns the status as waitpid(2) gives it.
  std::optional<int> AwaitEnd();
  // Returns whether modes and settings are as they were before the command.
  ::testing::AssertionResult IsRestored();

  void SetSize(terminal::Size size);
  void Signal(int number);
  void Vanish();
  pid_t pid() const { return pid_; }
  const std::string& written() const { return written_; }
  const terminal::Modes& modes() const { return screen_->modes(); }
  terminal::Cursor cursor() const { return screen_->cursor(); }

 private:
  UniqueFd master_, slave_;
  termios before_{};
  pid_t pid_ = -1;
  std::unique_ptr<terminal::Terminal> screen_;
  std::string written_;
};

}  // namespace glasstty::testing
