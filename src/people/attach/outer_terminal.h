// Takes over a person's own terminal, and restores it at the end.
//
// The terminal is opened again by its path, so that non-blocking reads do not
// affect the shell, which shares the descriptor of stdin. Bytes that the
// terminal does not accept immediately wait here. Handlers of the signals of a
// crash restore the terminal, too; Stage handles the signals that ask the
// process to end. There is one OuterTerminal per process. Single-threaded.
#pragma once

#include <sys/types.h>
#include <termios.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/fd.h"
#include "terminal/snapshot.h"

namespace glasstty::attach {

class OuterTerminal {
 public:
  // Opens the terminal of stdin. Fails if stdin or stdout is not a terminal.
  static absl::StatusOr<std::unique_ptr<OuterTerminal>> Open();
  ~OuterTerminal();
  OuterTerminal(const OuterTerminal&) = delete;
  OuterTerminal& operator=(const OuterTerminal&) = delete;

  // Enters raw mode and the alternate screen. May be called again after another
  // process has changed the terminal, as a shell does when a job is stopped.
  void Enter();
  // Restores the state that the terminal had at Open. Has no effect unless
  // entered.
  void Leave();

  // Requests keys in the protocols that a program has requested: the flags of
  // kitty's protocol, and the level of modifyOtherKeys (XTMODKEYS). 0 and 0
  // mean the legacy encoding, which Enter and Leave restore.
  void SetKeyModes(int kitty_flags, int modify_other_keys);

  int fd() const { return fd_.get(); }
  // Returns the current size, which is never empty.
  terminal::Size size() const;

  // Works like read(2): -1 with EAGAIN means that nothing was typed, and 0 that
  // the terminal is gone.
  ssize_t Read(char* buffer, size_t size);
  // Queues `bytes` and writes as much as possible.
  void Write(std::string_view bytes);
  // Returns false if the terminal is gone.
  bool Flush();
  // Returns true if the terminal has not accepted all bytes yet, so further
  // bytes would be late.
  bool busy() const { return !queue_.empty(); }

 private:
  OuterTerminal(UniqueFd fd, const termios& before);

  const UniqueFd fd_;
  const termios before_;
  bool entered_ = false;
  int kitty_flags_ = 0;
  int modify_other_keys_ = 0;
  std::string queue_;
};

}  // namespace glasstty::attach
