#include "bare_pty.h"

#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace glasstty::bench {

BarePty::BarePty(const std::vector<std::string>& argv, int rows, int cols) {
  std::vector<char*> arguments;
  for (const std::string& argument : argv) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  winsize size = {static_cast<unsigned short>(rows),
                  static_cast<unsigned short>(cols), 0, 0};
  pid_ = forkpty(&master_, nullptr, nullptr, &size);
  if (pid_ == 0) {
    setenv("PS1", "$ ", 1);
    setenv("TERM", "xterm-256color", 1);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  if (pid_ < 0) std::abort();
}

BarePty::~BarePty() {
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  close(master_);
}

void BarePty::ReadUntil(const std::string& text) {
  std::string seen;
  char buffer[4096];
  while (seen.find(text) == std::string::npos) {
    ssize_t n = read(master_, buffer, sizeof(buffer));
    if (n <= 0) return;
    seen.append(buffer, n);
  }
}

size_t BarePty::Drain() {
  static char buffer[1 << 16];
  size_t total = 0;
  for (ssize_t n; (n = read(master_, buffer, sizeof(buffer))) > 0;) total += n;
  return total;
}

}  // namespace glasstty::bench
