// Uses tmux as a second opinion: the same program and keys, or the same bytes,
// in another terminal of the same size.
//
// Owns a separate tmux server, ended with it.
#pragma once

#include <string>
#include <vector>

#include "testing/system.h"

namespace glasstty::testing {

class Tmux {
 public:
  Tmux(int rows, int cols);
  Tmux(const Tmux&) = delete;
  Tmux& operator=(const Tmux&) = delete;
  ~Tmux();

  // Starts the program in `cwd` with this environment and no other.
  void Start(const std::vector<std::string>& argv, const std::string& cwd,
             const std::vector<std::string>& environment);
  // Shows the bytes of a file as a terminal would.
  void Replay(const std::string& file);

  // Types keys in the notation of term_send: "ihello<Esc>:wq<Enter>".
  void Keys(const std::string& input);

  // Returns the screen without trailing blanks and blank rows at the end.
  std::vector<std::string> Screen();

 private:
  CommandResult Run(std::vector<std::string> arguments);
  void StartShell(const std::string& command, const std::string& cwd);

  TempDir folder_;
  const int rows_;
  const int cols_;
};

}  // namespace glasstty::testing
