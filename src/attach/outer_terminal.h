// Takes over the terminal at which a person sits, and restores it whatever
// happens.
//
// The terminal is opened again by its path, so that non-blocking reads do not
// affect the shell, which shares its own descriptor. Bytes that the terminal
// does not accept immediately wait here. Signals that would end the process
// restore the terminal first; only SIGKILL does not. There is one per process,
// used on one thread.
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
  // The terminal of stdin. Error: that is not a terminal.
  static absl::StatusOr<std::unique_ptr<OuterTerminal>> Open();
  ~OuterTerminal();
  OuterTerminal(const OuterTerminal&) = delete;
  OuterTerminal& operator=(const OuterTerminal&) = delete;

  // Raw mode, on the alternate screen. Also after somebody else has changed the
  // terminal, as a shell does with a stopped job's.
  void Enter();
  // As it was before the first Enter. Without effect unless entered.
  void Leave();

  int fd() const { return fd_.get(); }
  // Of the present moment; never empty.
  terminal::Size size() const;

  // As read(2); -1 with EAGAIN: nothing was typed. 0: it is gone.
  ssize_t Read(char* buffer, size_t size);
  // Queues `bytes` and writes what can be written.
  void Write(std::string_view bytes);
  // False when it is gone.
  bool Flush();
  // It has not taken yet what was written: more would only come late.
  bool busy() const { return !queue_.empty(); }

 private:
  OuterTerminal(UniqueFd fd, const termios& before);

  const UniqueFd fd_;
  const termios before_;
  bool entered_ = false;
  std::string queue_;
};

}  // namespace glasstty::attach
